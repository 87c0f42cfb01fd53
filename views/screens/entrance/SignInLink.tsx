/** The magic link: one button, since a link that signs in by being opened would be used up by programs that scan mails. */
import { useState } from 'react';
import { useForm } from '#views/kit/use-form.ts';
import { post } from '#views/post.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import { EntranceForm } from './EntranceForm.tsx';
import { AskAgain, LinkScreen, linkQueries } from './link.tsx';
import { onwards, type SignedIn, withNext } from './onwards.ts';

export const queries = linkQueries('sign-in');

export const title: ScreenModule['title'] = ({ language }) => signInWords[language].link.title;

export function Screen({ search }: ScreenProps) {
  const { link: text } = usePart(signInWords);
  const [isDead, setDead] = useState(false);
  const next = search.get('next');
  const form = useForm<'token'>({
    send: async ({ token }) => onwards(await post<SignedIn>('/api/sign-in/link/use', { token }), next),
    words({ code }) {
      setDead(code === 'not_found');
      return null;
    },
  });
  return (
    <LinkScreen
      purpose="sign-in"
      search={search}
      title={text.title}
      isDead={isDead}
      again={<AskAgain href={withNext('/sign-in', next)} />}
      lead={text.lead}
    >
      {(token) => (
        <EntranceForm form={form} action="/api/sign-in/link/use" submit={text.submit} busy={form.busy && text.busy}>
          <input type="hidden" name="token" value={token} />
        </EntranceForm>
      )}
    </LinkScreen>
  );
}
