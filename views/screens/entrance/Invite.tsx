/** Behind the link of an invitation: joining with an account that there is, or with a new one. Opening it uses nothing up. */

import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { InvitationLook } from '#src/accounts/teams/contract.ts';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { SignOut } from '#views/kit/SignOut.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useKnown } from '#views/known.ts';
import { post } from '#views/post.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { usePreferences } from '#views/settings.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { inviteWords } from '#views/words/invite.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart } from '#views/words/words.tsx';
import { fieldErrors, fieldWords, nameError, passwordError } from './checks.ts';
import { Entrance } from './Entrance.tsx';
import { EntranceForm } from './EntranceForm.tsx';
import css from './Invite.module.css';

type Open = Extract<InvitationLook, { state: 'open' }>;

export function queries(trpc: Trpc, { params }: ScreenProps): ScreenQuery[] {
  const invitation = trpc.accounts.teams.invitation.queryOptions({ token: params['token'] ?? '' });
  return [
    { options: invitation, critical: true },
    { options: trpc.accounts.me.queryOptions(), critical: true },
  ];
}

export function title(words: Words): string {
  return inviteWords[words.language].title;
}

export function Screen({ params }: ScreenProps) {
  const text = usePart(inviteWords);
  return (
    <Late fallback={<Entrance title={text.title}>{null}</Entrance>}>
      <Content token={params['token'] ?? ''} />
    </Late>
  );
}

function Content({ token }: { token: string }) {
  const text = usePart(inviteWords);
  const { roles } = usePart(teamWords);
  const trpc = useTrpc();
  const { data: look } = useSuspenseQuery(trpc.accounts.teams.invitation.queryOptions({ token }));
  if (look.state === 'gone') {
    return (
      <Entrance title={text.goneTitle} lead={text.goneText}>
        <div className={css['actions']}>
          <ButtonLink href="/sign-in">{text.toSignIn}</ButtonLink>
        </div>
      </Entrance>
    );
  }
  if (look.state === 'joined') {
    return (
      <Entrance title={<span className="ph-no-capture">{text.joinedTitle(look.team.name)}</span>}>
        <div className={css['actions']}>
          <ButtonLink href="/" kind="primary">
            {text.toProjects}
          </ButtonLink>
        </div>
      </Entrance>
    );
  }
  if (look.isYou === false) return <SomebodyElse token={token} invited={look.email} />;
  return (
    <Entrance
      title={<span className="ph-no-capture">{text.heading(look.team.name)}</span>}
      lead={<span className="ph-no-capture">{text.lead(look.inviter, look.team.name, roles[look.role])}</span>}
    >
      {look.isYou ? <Join token={token} /> : <NewAccount token={token} look={look} />}
    </Entrance>
  );
}

function Join({ token }: { token: string }) {
  const text = usePart(inviteWords);
  const trpc = useTrpc();
  const join = useMutation({
    ...trpc.accounts.teams.join.mutationOptions(),
    onSuccess: () => location.assign('/'),
  });
  return (
    <div className={css['actions']}>
      <Button
        kind="primary"
        busy={(join.isPending || join.isSuccess) && text.joining}
        onClick={() => join.mutate({ token })}
      >
        {text.join}
      </Button>
      <FormError>{join.isError && <ErrorMessage error={join.error} />}</FormError>
    </div>
  );
}

function SomebodyElse({ token, invited }: { token: string; invited: string }) {
  const text = usePart(inviteWords);
  const trpc = useTrpc();
  const { data: me } = useKnown(trpc.accounts.me.queryOptions());
  return (
    <Entrance
      title={text.otherTitle}
      lead={<span className="ph-no-capture">{text.otherText(invited, me?.email ?? '…')}</span>}
    >
      <div className={css['actions']}>
        <SignOut back={`/invite/${token}`}>
          <Button kind="primary" type="submit">
            {text.signOut}
          </Button>
        </SignOut>
        <ButtonLink href="/">{text.toProjects}</ButtonLink>
      </div>
    </Entrance>
  );
}

function NewAccount({ token, look }: { token: string; look: Open }) {
  const text = usePart(inviteWords);
  const signIn = usePart(signInWords);
  const { language } = usePreferences();
  const [timeZone, setTimeZone] = useState('UTC');
  const [hasAccount, setHasAccount] = useState(false);
  useEffect(() => setTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  const form = useForm<'name' | 'password' | 'token'>({
    check: ({ name, password }) =>
      fieldErrors({
        name: nameError(name, signIn.errors),
        password: passwordError(password, signIn.errors),
        token: false,
      }),
    async send({ name, password }) {
      setHasAccount(false);
      await post('/api/sign-in/invitation', { token, name, password, language, timeZone });
      location.assign('/');
    },
    words(failure) {
      setHasAccount(failure.code === 'conflict');
      return failure.code === 'conflict' ? {} : fieldWords(failure, signIn.errors);
    },
  });
  return (
    <EntranceForm
      form={form}
      action="/api/sign-in/invitation"
      submit={text.submit}
      busy={form.busy && text.busy}
      problem={hasAccount ? text.hasAccount : undefined}
      below={
        <p className={css['below']}>
          {text.haveAccount}{' '}
          <Link className="link" href={`/sign-in?next=${encodeURIComponent(`/invite/${token}`)}`}>
            {text.signIn}
          </Link>
        </p>
      }
    >
      <TextField
        label={signIn.email}
        hint={text.emailHint}
        name="email"
        value={look.email}
        readOnly
        autoComplete="username"
        className="ph-no-capture"
      />
      <TextField
        label={text.name}
        error={form.errors.name}
        name="name"
        autoComplete="name"
        maxLength={MAX_SHOWN_NAME_LENGTH}
        required
      />
      <TextField
        label={signIn.password}
        hint={signIn.passwordHint}
        error={form.errors.password}
        name="password"
        type="password"
        autoComplete="new-password"
        required
      />
    </EntranceForm>
  );
}
