/** Confirms that an address is the account's: the link came to it. */
import { useState } from 'react';
import { ButtonLink } from '#views/kit/Button.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { post } from '#views/post.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import { Entrance } from './Entrance.tsx';
import { EntranceForm } from './EntranceForm.tsx';
import css from './link.module.css';
import { LinkScreen, linkQueries } from './link.tsx';

export const queries = linkQueries('verify');

export const title: ScreenModule['title'] = ({ language }) => signInWords[language].confirm.title;

export function Screen({ search }: ScreenProps) {
  const { confirm: text, dead } = usePart(signInWords);
  const [isDead, setDead] = useState(false);
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const form = useForm<'token'>({
    async send({ token }) {
      setConfirmed((await post<{ email: string }>('/api/sign-in/confirm', { token })).email);
    },
    words({ code }) {
      setDead(code === 'not_found');
      return null;
    },
  });
  if (confirmed !== null) {
    return (
      <Entrance title={text.done} lead={<span className="ph-no-capture">{text.doneText(confirmed)}</span>}>
        <div role="status" className={css['below']}>
          <ButtonLink kind="primary" href="/">
            {text.on}
          </ButtonLink>
        </div>
      </Entrance>
    );
  }
  return (
    <LinkScreen
      purpose="verify"
      search={search}
      title={text.title}
      isDead={isDead}
      again={<p>{dead.confirmAgain}</p>}
      lead={text.lead}
    >
      {(token) => (
        <EntranceForm form={form} action="/api/sign-in/confirm" submit={text.submit} busy={form.busy && text.busy}>
          <input type="hidden" name="token" value={token} />
        </EntranceForm>
      )}
    </LinkScreen>
  );
}
