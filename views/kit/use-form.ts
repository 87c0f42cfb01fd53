/**
 * A form submitted by code: reads its fields, prevents double submission, and focuses the first invalid field. Errors of the
 * server are returned as a `Failure`; the screen has the words for it.
 */
import { type FormEvent, useRef, useState } from 'react';
import { type Failure, failureOf } from '#views/trpc.ts';

export interface Form<Field extends string> {
  busy: boolean;
  /** Errors by field name. */
  errors: Partial<Record<Field, string>>;
  /** Error of the whole form; null without one. */
  failure: Failure | null;
  /** For `<form onSubmit>`. */
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

export interface FormRules<Field extends string> {
  /** Validation before sending. `submitter` is the name of the button. */
  check?(values: Record<Field, string>, event: { submitter: string }): Partial<Record<Field, string>>;
  /** Sends it. A failure that names a field is given to `words`. */
  send(values: Record<Field, string>, event: { submitter: string }): Promise<void>;
  /** The words for a failure at a field; null when it belongs to the whole form. */
  words?(failure: Failure): Partial<Record<Field, string>> | null;
}

export function useForm<Field extends string>({ check, send, words }: FormRules<Field>): Form<Field> {
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Form<Field>['errors']>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const sending = useRef(false);

  function refuse(form: HTMLFormElement, found: Form<Field>['errors']): void {
    setErrors(found);
    const names = Object.keys(found);
    const first = [...form.elements].find((each) => names.includes((each as HTMLInputElement).name));
    (first as HTMLElement | undefined)?.focus();
  }

  async function submit(form: HTMLFormElement, submitter: string): Promise<void> {
    const values = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    ) as Record<Field, string>;
    setFailure(null);
    const wrong = check?.(values, { submitter }) ?? {};
    refuse(form, wrong);
    if (Object.keys(wrong).length > 0) return;
    sending.current = true;
    setBusy(true);
    try {
      await send(values, { submitter });
    } catch (error) {
      const failed = failureOf(error);
      const ofFields = words?.(failed) ?? null;
      if (ofFields === null) setFailure(failed);
      else refuse(form, ofFields);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  }

  return {
    busy,
    errors,
    failure,
    onSubmit(event) {
      event.preventDefault();
      const { submitter } = event.nativeEvent as SubmitEvent;
      if (!sending.current) void submit(event.currentTarget, (submitter as HTMLButtonElement | null)?.name ?? '');
    },
  };
}
