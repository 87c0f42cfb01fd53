/** Sign-in: password, a link by e-mail, other services. What this installation offers comes from the server. */

import { useState } from 'react';
import { EmailField } from '#views/kit/EmailField.tsx';
import { TextField } from '#views/kit/Field.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useKnown } from '#views/known.ts';
import { post } from '#views/post.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import { emailError, fieldErrors } from './checks.ts';
import { Entrance } from './Entrance.tsx';
import { EntranceForm } from './EntranceForm.tsx';
import { OtherSignIns } from './OtherSignIns.tsx';
import { onwards, type SignedIn, withNext } from './onwards.ts';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import { Sent } from './Sent.tsx';

export const queries: ScreenModule['queries'] = (trpc) => [
  { options: trpc.accounts.ways.queryOptions(), critical: true },
];

export const title: ScreenModule['title'] = ({ language }) => signInWords[language].signIn.title;

export function Screen({ search }: ScreenProps) {
  const text = usePart(signInWords);
  const trpc = useTrpc();
  const { data: ways } = useKnown(trpc.accounts.ways.queryOptions());
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [submitter, setSubmitter] = useState('');
  const [problem, setProblem] = useState(search.get('problem'));
  const next = search.get('next');
  const form = useForm<'email' | 'password'>({
    check: ({ email, password }, { submitter: pressed }) =>
      fieldErrors({
        email: emailError(email, text.errors),
        password: pressed !== 'link' && password === '' && text.errors.password,
      }),
    async send({ email, password }, { submitter: pressed }) {
      setSubmitter(pressed);
      if (pressed === 'link') {
        await post('/api/sign-in/link', { email, next });
        setSentTo(email.trim());
      } else {
        onwards(await post<SignedIn>('/api/sign-in/password', { email, password }), next);
      }
    },
    words: ({ code, field }) =>
      code !== 'invalid' ? null : field === 'email' ? { email: text.errors.email } : { password: text.errors.match },
  });
  if (sentTo !== null) return <Sent text={text.sent.link(sentTo)} onBack={() => setSentTo(null)} />;
  return (
    <Entrance title={text.signIn.title} lead={text.signIn.lead}>
      <EntranceForm
        form={form}
        action="/api/sign-in/password"
        submit={text.signIn.submit}
        busy={form.busy && submitter === '' && text.signIn.busy}
        problem={text.problems[problem ?? '']}
        below={
          <>
            {ways && (
              <OtherSignIns
                ways={ways}
                next={next}
                linkBusy={form.busy && submitter === 'link'}
                onFailure={(error) => setProblem(failureOf(error).code === 'upstream' ? 'away' : 'failed')}
              />
            )}
            <PasskeySignIn next={next} />
          </>
        }
      >
        <EmailField label={text.email} error={form.errors.email} autoComplete="username webauthn" />
        <TextField
          label={text.password}
          error={form.errors.password}
          aside={<Link href={withNext('/sign-in/forgot', next)}>{text.signIn.forgot}</Link>}
          name="password"
          type="password"
          autoComplete="current-password"
        />
      </EntranceForm>
    </Entrance>
  );
}
