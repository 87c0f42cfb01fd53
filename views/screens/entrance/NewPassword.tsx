/** A new password, by the link that came by mail or from the administrator of the server. */
import { useState } from 'react';
import { TextField } from '#views/kit/Field.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { post } from '#views/post.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import { fieldErrors, fieldWords, passwordError } from './checks.ts';
import { EntranceForm } from './EntranceForm.tsx';
import { AskAgain, LinkScreen, linkQueries } from './link.tsx';
import { onwards, type SignedIn } from './onwards.ts';

export const queries = linkQueries('reset');

export const title: ScreenModule['title'] = ({ language }) => signInWords[language].reset.title;

export function Screen({ search }: ScreenProps) {
  const text = usePart(signInWords);
  const [isDead, setDead] = useState(false);
  const form = useForm<'token' | 'password'>({
    check: ({ password }) => fieldErrors({ password: passwordError(password, text.errors), token: false }),
    send: async (values) => onwards(await post<SignedIn>('/api/sign-in/new-password', values), null),
    words(failure) {
      setDead(failure.code === 'not_found');
      return fieldWords(failure, text.errors);
    },
  });
  return (
    <LinkScreen
      purpose="reset"
      search={search}
      title={text.reset.title}
      isDead={isDead}
      again={<AskAgain href="/sign-in/forgot" />}
      lead={text.reset.lead}
    >
      {(token) => (
        <EntranceForm
          form={form}
          action="/api/sign-in/new-password"
          submit={text.reset.submit}
          busy={form.busy && text.reset.busy}
        >
          <input type="hidden" name="token" value={token} />
          <TextField
            label={text.newPassword}
            hint={text.passwordHint}
            error={form.errors.password}
            name="password"
            type="password"
            autoComplete="new-password"
            required
          />
        </EntranceForm>
      )}
    </LinkScreen>
  );
}
