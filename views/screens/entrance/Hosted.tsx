/**
 * Sign-in with an account of the hosted backend: its server checks the password. With `?connect` the account is connected to the
 * signed-in user.
 */

import { EmailField } from '#views/kit/EmailField.tsx';
import { TextField } from '#views/kit/Field.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useKnown } from '#views/known.ts';
import { post } from '#views/post.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { useTrpc } from '#views/trpc.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import { emailError, fieldErrors } from './checks.ts';
import { Entrance } from './Entrance.tsx';
import { EntranceForm } from './EntranceForm.tsx';
import css from './Forgot.module.css';
import { onwards, type SignedIn, withNext } from './onwards.ts';

const ACCOUNT = '/account?show=sign-in';

export const queries: ScreenModule['queries'] = (trpc) => [
  { options: trpc.accounts.ways.queryOptions(), critical: true },
];

export const title: ScreenModule['title'] = ({ language }) => signInWords[language].signIn.title;

export function Screen({ search }: ScreenProps) {
  const text = usePart(signInWords);
  const trpc = useTrpc();
  const { data: ways } = useKnown(trpc.accounts.ways.queryOptions());
  const next = search.get('next');
  const connects = search.has('connect');
  const { prove, dialog } = useProof();
  const form = useForm<'email' | 'password'>({
    check: ({ email, password }) =>
      fieldErrors({ email: emailError(email, text.errors), password: password === '' && text.errors.password }),
    async send(values) {
      if (!connects) return onwards(await post<SignedIn>('/api/sign-in/hosted', values), next);
      const done = await prove(async () => {
        await post('/api/sign-in/hosted/connect', values);
        return true;
      });
      if (done) location.assign(ACCOUNT);
    },
    words: ({ code, field }) =>
      code !== 'invalid' ? null : field === 'email' ? { email: text.errors.email } : { password: text.errors.match },
  });
  return (
    <Entrance title={text.signIn.hostedTitle(ways?.hosted ?? '')} lead={text.signIn.hostedLead}>
      <EntranceForm
        form={form}
        action="/api/sign-in/hosted"
        submit={connects ? text.signIn.connect : text.signIn.submit}
        busy={form.busy && (connects ? text.signIn.connecting : text.signIn.busy)}
        below={
          <Link className={css['back']} href={connects ? ACCOUNT : withNext('/sign-in', next)}>
            {connects ? text.signIn.toAccount : text.signIn.own}
          </Link>
        }
      >
        <EmailField label={text.email} error={form.errors.email} autoComplete="username" />
        <TextField
          label={text.password}
          error={form.errors.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </EntranceForm>
      {dialog}
    </Entrance>
  );
}
