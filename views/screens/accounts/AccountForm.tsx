/** A form of the account: its fields, what is wrong with the whole, and its button. */
import type { ReactNode } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { ScriptedForm } from '#views/kit/ScriptedForm.tsx';
import type { Form } from '#views/kit/use-form.ts';
import { failureOf } from '#views/trpc.ts';
import { accountPartWords } from '#views/words/account-parts.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './AccountForm.module.css';
import { Buttons } from './AccountSection.tsx';

export interface AccountFormProps {
  form: Form<string>;
  submit: ReactNode;
  busy: string;
  /** What went wrong, when the form itself cannot say it. */
  problem?: string | null;
  /** Beside the button. */
  more?: ReactNode;
  children: ReactNode;
}

export function AccountForm({ form, submit, busy, problem = null, more, children }: AccountFormProps) {
  return (
    <ScriptedForm form={form} action="/account" className={css['form']}>
      {children}
      <FormError>{problem ?? (form.failure && <Problem error={form.failure} />)}</FormError>
      <Buttons>
        <Button type="submit" busy={form.busy && busy}>
          {submit}
        </Button>
        {more}
      </Buttons>
    </ScriptedForm>
  );
}

/** A failure in words; what is known of accounts is said in theirs. */
export function Problem({ error }: { error: unknown }) {
  const { wait } = usePart(accountPartWords);
  const { words, format } = useWords();
  const failure = isFailure(error) ? error : failureOf(error);
  if (failure.code === 'rate_limited') return wait(format.number(failure.retryAfterSec ?? 60));
  if (!isFailure(error)) return <ErrorMessage error={error} />;
  const { code, requestId } = error;
  return `${words.errors.codes[code]}${requestId ? ` ${words.errors.request} ${requestId.slice(0, 8)}.` : ''}`;
}

/** What `useForm` gives is a failure already. */
function isFailure(error: unknown): error is ReturnType<typeof failureOf> {
  return typeof error === 'object' && error !== null && !(error instanceof Error) && 'code' in error;
}
