/** Name, language, time zone, e-mail address, and how the screens look. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnAccount } from '#src/accounts/own/contract.ts';
import { MAX_SHOWN_NAME_LENGTH, tableFormats } from '#src/kit/values.ts';
import { Appearance } from '#views/frame/Appearance.tsx';
import { Button } from '#views/kit/Button.tsx';
import { EmailField } from '#views/kit/EmailField.tsx';
import { FormError, SelectField, TextField } from '#views/kit/Field.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { Section } from '#views/kit/Section.tsx';
import { TimeZoneField } from '#views/kit/TimeZoneField.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useKnown } from '#views/known.ts';
import { usePreferences } from '#views/settings.ts';
import { useTrpc } from '#views/trpc.ts';
import { accountWords } from '#views/words/account.ts';
import { languages } from '#views/words/catalogues.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { AccountForm } from './AccountForm.tsx';
import css from './AccountProfile.module.css';

const BY_LANGUAGE = 'language';

export function AccountProfile({ account }: { account: OwnAccount }) {
  const { profile } = usePart(accountWords);
  return (
    <>
      <Section title={profile.about} text={profile.aboutText}>
        <About account={account} />
      </Section>
      <Section title={profile.email} text={profile.emailText}>
        <Email account={account} />
      </Section>
      <Section title={profile.looks} text={profile.looksText}>
        <div className={css['looks']}>
          <Appearance themeOnly />
        </div>
      </Section>
    </>
  );
}

function About({ account }: { account: OwnAccount }) {
  const { profile, errors } = usePart(accountWords);
  const { words } = useWords();
  const { setLanguage } = usePreferences();
  const trpc = useTrpc();
  const client = useQueryClient();
  const change = useMutation(trpc.accounts.own.setProfile.mutationOptions());
  const [zone, setZone] = useState(account.timeZone);
  const form = useForm<'name' | 'language' | 'timeZone' | 'tableFormat'>({
    check: ({ name }) =>
      name.trim() === '' || name.trim().length > MAX_SHOWN_NAME_LENGTH ? { name: errors.name } : {},
    async send({ name, language, timeZone, tableFormat: format }) {
      const chosen = language === 'pt-BR' ? 'pt-BR' : 'en';
      const tableFormat = tableFormats.find((each) => each === format) ?? null;
      await change.mutateAsync({ name, language: chosen, timeZone, tableFormat });
      await Promise.all(
        [trpc.accounts.me.queryKey(), trpc.accounts.own.get.queryKey()].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      );
      if (chosen !== words.language) setLanguage(chosen);
      showToast(accountWords[chosen].saved);
    },
    words: ({ code, field }) =>
      code !== 'invalid' ? null : field === 'timeZone' ? { timeZone: errors.timeZone } : { name: errors.name },
  });
  return (
    <AccountForm form={form} submit={profile.save} busy={profile.saving}>
      <TextField
        label={profile.name}
        error={form.errors.name}
        name="name"
        defaultValue={account.name}
        autoComplete="name"
        maxLength={MAX_SHOWN_NAME_LENGTH}
        required
      />
      <SelectField
        label={profile.language}
        hint={profile.languageHint}
        error={form.errors.language}
        name="language"
        defaultValue={account.language}
      >
        {languages.map((each) => (
          <option key={each} value={each} lang={each}>
            {words.appearance.languages[each]}
          </option>
        ))}
      </SelectField>
      <TimeZoneField
        label={profile.timeZone}
        hint={profile.timeZoneHint}
        error={form.errors.timeZone}
        value={zone}
        onChange={setZone}
      />
      <SelectField
        label={profile.tableFormat}
        hint={profile.tableFormatHint}
        name="tableFormat"
        defaultValue={account.tableFormat ?? BY_LANGUAGE}
      >
        {([BY_LANGUAGE, ...tableFormats] as const).map((each) => (
          <option key={each} value={each}>
            {profile.tableFormats[each]}
          </option>
        ))}
      </SelectField>
    </AccountForm>
  );
}

/** Whether links are emailed, or have to be passed on by hand. */
function useHasMail(): boolean {
  return useKnown(useTrpc().accounts.ways.queryOptions()).data?.link !== false;
}

/** An address that nobody has confirmed yet, and a link to do it. */
function Unverified() {
  const { profile } = usePart(accountWords);
  const trpc = useTrpc();
  const ask = useMutation(trpc.accounts.askForVerification.mutationOptions());
  const hasMail = useHasMail();
  return (
    <div className={css['unverified']}>
      <p role="status">{ask.isSuccess ? (hasMail ? profile.confirmSent : profile.waits) : profile.unverified}</p>
      <FormError>{ask.error && <Problem error={ask.error} />}</FormError>
      {!ask.isSuccess && (
        <Button small busy={ask.isPending && profile.changing} onClick={() => ask.mutate()}>
          {profile.confirmAgain}
        </Button>
      )}
    </div>
  );
}

function Email({ account }: { account: OwnAccount }) {
  const { profile, errors } = usePart(accountWords);
  const trpc = useTrpc();
  const ask = useMutation(trpc.accounts.own.setEmail.mutationOptions());
  const hasMail = useHasMail();
  const { prove, dialog } = useProof();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<'email'>({
    check: ({ email }) => (/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email.trim()) ? {} : { email: errors.email }),
    async send({ email }) {
      setSentTo(null);
      const done = await prove(async () => {
        await ask.mutateAsync({ email });
        return true;
      });
      if (done) setSentTo(email.trim());
    },
    words: ({ code }) => (code === 'invalid' ? { email: errors.sameEmail } : null),
  });
  return (
    <>
      <p>{profile.current(account.email)}</p>
      {!account.emailVerified && <Unverified />}
      <AccountForm form={form} submit={profile.change} busy={profile.changing}>
        <EmailField label={profile.newEmail} error={form.errors.email} autoComplete="email" />
      </AccountForm>
      <p role="status">{sentTo !== null && (hasMail ? profile.sent(sentTo) : profile.waits)}</p>
      {dialog}
    </>
  );
}
