/** Sign-in with an account of the hosted backend: its own server checks the password. */
import { useQuery } from '@tanstack/react-query';
import { TextField } from '#views/kit/Field.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { post } from '#views/post.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { useTrpc } from '#views/trpc.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import { wrongEmail, wrongs } from './checks.ts';
import { Entrance } from './Entrance.tsx';
import { EntranceForm } from './EntranceForm.tsx';
import css from './Forgot.module.css';
import { onwards, type SignedIn, withNext } from './onwards.ts';

export const queries: ScreenModule['queries'] = (trpc) => [
  { options: trpc.accounts.ways.queryOptions(), critical: true },
];

export const title: ScreenModule['title'] = ({ language }) => signInWords[language].signIn.title;

export function Screen({ search }: ScreenProps) {
  const text = usePart(signInWords);
  const trpc = useTrpc();
  const { data: ways } = useQuery(trpc.accounts.ways.queryOptions());
  const next = search.get('next');
  const form = useForm<'email' | 'password'>({
    check: ({ email, password }) =>
      wrongs({ email: wrongEmail(email, text.errors), password: password === '' && text.errors.password }),
    send: async (values) => onwards(await post<SignedIn>('/api/sign-in/hosted', values), next),
    words: ({ code, field }) =>
      code !== 'invalid' ? null : field === 'email' ? { email: text.errors.email } : { password: text.errors.match },
  });
  return (
    <Entrance title={text.signIn.hostedTitle(ways?.hosted ?? '')} lead={text.signIn.hostedLead}>
      <EntranceForm
        form={form}
        action="/api/sign-in/hosted"
        submit={text.signIn.submit}
        busy={form.busy && text.signIn.busy}
        below={
          <Link className={css['back']} href={withNext('/sign-in', next)}>
            {text.signIn.own}
          </Link>
        }
      >
        <TextField
          label={text.email}
          error={form.errors.email}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <TextField
          label={text.password}
          error={form.errors.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </EntranceForm>
    </Entrance>
  );
}
