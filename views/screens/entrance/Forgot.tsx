/** Forgotten password: asks for a link. Without a mail service it says who can pass one on. */

import { useState } from 'react';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { EmailField } from '#views/kit/EmailField.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useKnown } from '#views/known.ts';
import { useNavigate } from '#views/navigation.tsx';
import { post } from '#views/post.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { useTrpc } from '#views/trpc.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import { emailError, fieldErrors } from './checks.ts';
import { Entrance } from './Entrance.tsx';
import { EntranceForm } from './EntranceForm.tsx';
import css from './Forgot.module.css';
import { withNext } from './onwards.ts';
import { Sent } from './Sent.tsx';

export const queries: ScreenModule['queries'] = (trpc) => [
  { options: trpc.accounts.ways.queryOptions(), critical: true },
];

export const title: ScreenModule['title'] = ({ language }) => signInWords[language].forgot.title;

export function Screen({ search }: ScreenProps) {
  const { forgot: text, sent, email: emailLabel, errors } = usePart(signInWords);
  const trpc = useTrpc();
  const { navigate } = useNavigate();
  const { data: ways } = useKnown(trpc.accounts.ways.queryOptions());
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<'email'>({
    check: ({ email }) => fieldErrors({ email: emailError(email, errors) }),
    async send({ email }) {
      await post('/api/sign-in/forgot', { email });
      setSentTo(email.trim());
    },
    words: ({ code }) => (code === 'invalid' ? { email: errors.email } : null),
  });
  const hasMail = ways?.link !== false;
  const signIn = withNext('/sign-in', search.get('next'));
  const back = () => navigate(signIn);
  if (sentTo !== null) {
    return hasMail ? (
      <Sent text={sent.reset(sentTo)} onBack={back} />
    ) : (
      <Sent title={text.askedTitle} text={text.asked(sentTo)} onBack={back} />
    );
  }
  return (
    <Entrance title={text.title} lead={hasMail ? text.lead : `${text.noMail} ${text.noMailOwner}`}>
      <EntranceForm
        form={form}
        action="/api/sign-in/forgot"
        submit={hasMail ? text.submit : text.ask}
        busy={form.busy && text.busy}
        below={
          <>
            {!hasMail && (
              <div className={css['command']}>
                <p className="dim">{text.noMailCommand}</p>
                <CodeBlock title={text.terminal} code="npm run reset-password" />
              </div>
            )}
            <Link className={css['back']} href={signIn}>
              {sent.back}
            </Link>
          </>
        }
      >
        <EmailField label={emailLabel} error={form.errors.email} autoComplete="username" />
      </EntranceForm>
    </Entrance>
  );
}
