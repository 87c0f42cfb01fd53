/** A new project of a team: its name and where its days begin. Then on to its snippet. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import { isTimeZone } from '#src/projects/values.ts';
import { installOf } from '#views/frame/addresses.ts';
import { Plain, plainQueries } from '#views/frame/Plain.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError, SelectField, TextField } from '#views/kit/Field.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import { ScriptedForm } from '#views/kit/ScriptedForm.tsx';
import { TimeZoneField, useOwnTimeZone } from '#views/kit/TimeZoneField.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigate } from '#views/navigation.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { projectWords } from '#views/words/projects.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './NewProject.module.css';

export function queries(trpc: Trpc): ScreenQuery[] {
  return plainQueries(trpc);
}

export function title(words: Words): string {
  return projectWords[words.language].make.title;
}

type Field = 'name' | 'timeZone' | 'weekStart';

export function Screen({ params }: ScreenProps) {
  const { make } = usePart(projectWords);
  const { language } = useWords();
  const { navigate } = useNavigate();
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  const own = useOwnTimeZone();
  const [zone, setZone] = useState<string | null>(null);
  const create = useMutation(trpc.projects.create.mutationOptions());
  const form = useForm<Field>({
    check({ name, timeZone }) {
      return {
        ...(name.trim() === '' && { name: make.errors.nameMissing }),
        ...(name.trim().length > MAX_SHOWN_NAME_LENGTH && { name: make.errors.nameLong }),
        ...(!isTimeZone(timeZone) && { timeZone: make.errors.timeZone }),
      };
    },
    async send({ name, timeZone, weekStart }) {
      const team = Number(params['team']);
      const decimalSeparator = language === 'pt-BR' ? 'comma' : 'point';
      const made = await create.mutateAsync({
        team,
        name,
        timeZone,
        weekStart: weekStart === '0' ? 0 : 1,
        decimalSeparator,
      });
      await queryClient.invalidateQueries({ queryKey: trpc.projects.list.queryKey() });
      navigate(installOf(made.id));
    },
    words: ({ field }) => (field === 'timeZone' ? { timeZone: make.errors.timeZone } : null),
  });
  return (
    <Plain title={make.title}>
      <NeedsScript />
      <ScriptedForm form={form} className={css['form']}>
        <p className={css['lead']}>{make.lead}</p>
        <TextField
          label={make.name}
          hint={make.nameHint}
          error={form.errors.name}
          name="name"
          autoComplete="off"
          maxLength={MAX_SHOWN_NAME_LENGTH}
        />
        <TimeZoneField
          label={make.timeZone}
          hint={make.timeZoneHint}
          error={form.errors.timeZone}
          value={zone ?? own ?? 'UTC'}
          onChange={setZone}
        />
        <SelectField label={make.weekStart} name="weekStart" defaultValue={language === 'pt-BR' ? '0' : '1'}>
          <option value="1">{make.monday}</option>
          <option value="0">{make.sunday}</option>
        </SelectField>
        <FormError>{form.failure && <ErrorMessage error={create.error} />}</FormError>
        <div className={css['actions']}>
          <Button kind="primary" type="submit" className="script-only" busy={form.busy && make.submitting}>
            {make.submit}
          </Button>
          <ButtonLink href="/">{make.cancel}</ButtonLink>
        </div>
      </ScriptedForm>
    </Plain>
  );
}
