/** First run: the first person makes the account that owns the installation, a team and a first project. */

import { useState } from 'react';
import type { SetUpInput } from '#src/accounts/contract.ts';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import { EmailField } from '#views/kit/EmailField.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { TimeZoneField, useOwnTimeZone } from '#views/kit/TimeZoneField.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useKnown } from '#views/known.ts';
import { post } from '#views/post.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { usePreferences } from '#views/settings.ts';
import { useTrpc } from '#views/trpc.ts';
import { languages } from '#views/words/catalogues.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { emailError, fieldErrors, fieldWords, nameError, passwordError } from './checks.ts';
import { Entrance } from './Entrance.tsx';
import { EntranceForm } from './EntranceForm.tsx';
import css from './SetUp.module.css';

export const queries: ScreenModule['queries'] = (trpc) => [
  { options: trpc.accounts.ways.queryOptions(), critical: true },
];

export const title: ScreenModule['title'] = ({ language }) => signInWords[language].setUp.title;

type Field = keyof SetUpInput;

export function Screen({ search }: ScreenProps) {
  const text = usePart(signInWords);
  const { errors, setUp } = text;
  const trpc = useTrpc();
  const { data: ways } = useKnown(trpc.accounts.ways.queryOptions());
  const form = useForm<Field>({
    check: ({ name, email, password, team, project }) =>
      fieldErrors({
        name: nameError(name, errors),
        email: emailError(email, errors),
        password: passwordError(password, errors),
        team: nameError(team, errors),
        project: nameError(project, errors),
      }),
    async send(values) {
      const { project } = await post<{ project: number }>('/api/sign-in/setup', values);
      location.assign(`/project/${project}/install`);
    },
    words: (failure) => fieldWords(failure, errors),
  });
  return (
    <Entrance wide title={setUp.title} lead={setUp.lead}>
      <EntranceForm form={form} action="/api/sign-in/setup" submit={setUp.submit} busy={form.busy && setUp.busy}>
        <TextField
          label={setUp.name}
          error={form.errors.name}
          name="name"
          autoComplete="name"
          maxLength={MAX_SHOWN_NAME_LENGTH}
          required
        />
        <EmailField label={text.email} error={form.errors.email} autoComplete="username" />
        <TextField
          label={text.password}
          hint={text.passwordHint}
          error={form.errors.password}
          name="password"
          type="password"
          autoComplete="new-password"
          required
        />
        <TextField
          label={setUp.team}
          hint={setUp.teamHint}
          error={form.errors.team}
          name="team"
          autoComplete="organization"
          maxLength={MAX_SHOWN_NAME_LENGTH}
          required
        />
        <TextField
          label={setUp.project}
          hint={setUp.projectHint}
          error={form.errors.project}
          name="project"
          autoComplete="off"
          maxLength={MAX_SHOWN_NAME_LENGTH}
          required
        />
        <div className={css['pair']}>
          <LanguageField label={setUp.language} />
          <OwnTimeZoneField label={setUp.timeZone} error={form.errors.timeZone} />
        </div>
        {ways?.needsSetupToken && (
          <TextField
            label={setUp.token}
            hint={setUp.tokenHint}
            error={form.errors.setupToken}
            name="setupToken"
            defaultValue={search.get('token') ?? ''}
            autoComplete="off"
            spellCheck={false}
            required
          />
        )}
      </EntranceForm>
    </Entrance>
  );
}

/** Language of the browser, which the screen uses. */
function LanguageField({ label }: { label: string }) {
  const { words } = useWords();
  const { language, setLanguage } = usePreferences();
  return (
    <SelectField
      label={label}
      name="language"
      value={language}
      onChange={({ target }) => setLanguage(target.value === 'pt-BR' ? 'pt-BR' : 'en')}
    >
      {languages.map((each) => (
        <option key={each} value={each} lang={each}>
          {words.appearance.languages[each]}
        </option>
      ))}
    </SelectField>
  );
}

/** The browser's own zone until another is chosen. */
function OwnTimeZoneField({ label, error }: { label: string; error: string | undefined }) {
  const own = useOwnTimeZone();
  const [chosen, setChosen] = useState<string | null>(null);
  return <TimeZoneField label={label} error={error} value={chosen ?? own ?? 'UTC'} onChange={setChosen} />;
}
