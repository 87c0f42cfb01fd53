/** A form of the account: its fields, what is wrong with the whole, and its button. */
import type { ReactNode } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { ScriptedForm } from '#views/kit/ScriptedForm.tsx';
import { Buttons } from '#views/kit/Section.tsx';
import type { Form } from '#views/kit/use-form.ts';
import css from './AccountForm.module.css';

export interface AccountFormProps {
  form: Form<string>;
  submit: ReactNode;
  busy: string;
  /** Error of the form as a whole. */
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
