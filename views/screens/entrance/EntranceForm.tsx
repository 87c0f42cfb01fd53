/** The form of these screens: its fields, what is wrong with the whole, and its one primary button. */
import type { ReactNode } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { ScriptedForm } from '#views/kit/ScriptedForm.tsx';
import type { Form } from '#views/kit/use-form.ts';
import type { Failure } from '#views/trpc.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './EntranceForm.module.css';

export interface EntranceFormProps {
  form: Form<string>;
  /** Where it would be sent without JavaScript: never in an address, where a password would stay. */
  action: `/api/sign-in/${string}`;
  /** On the button. */
  submit: ReactNode;
  busy: string | false;
  /** Errors found before sending. */
  problem?: string | undefined;
  children?: ReactNode;
  /** Below the button. */
  below?: ReactNode;
}

export function EntranceForm({ form, action, submit, busy, problem, children, below }: EntranceFormProps) {
  return (
    <ScriptedForm form={form} action={action} className={css['form']}>
      {children}
      <FormError>{form.failure === null ? problem : <FailureText failure={form.failure} />}</FormError>
      <Button type="submit" kind="primary" busy={busy}>
        {submit}
      </Button>
      {below}
    </ScriptedForm>
  );
}

function FailureText({ failure }: { failure: Failure }) {
  const { errors, problems } = usePart(signInWords);
  const { words, format } = useWords();
  const { code, retryAfterSec, requestId } = failure;
  if (code === 'rate_limited') return errors.wait(format.number(retryAfterSec ?? 60));
  if (code === 'conflict') return errors.taken;
  if (code === 'not_found') return problems['unknown'];
  if (code === 'upstream') return problems['away'];
  return `${words.errors.codes[code]}${requestId ? ` ${words.errors.request} ${requestId.slice(0, 8)}.` : ''}`;
}
