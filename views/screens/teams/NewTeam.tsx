/** A new team, owned by its creator. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import { Plain, plainQueries } from '#views/frame/Plain.tsx';
import { Button } from '#views/kit/Button.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import { ScriptedForm } from '#views/kit/ScriptedForm.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigate } from '#views/navigation.tsx';
import type { ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './TeamSettings.module.css';

export function queries(trpc: Trpc): ScreenQuery[] {
  return plainQueries(trpc);
}

export function title(words: Words): string {
  return teamWords[words.language].newTeam;
}

export function Screen() {
  const text = usePart(teamWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  const { navigate } = useNavigate();
  const create = useMutation(trpc.accounts.teams.create.mutationOptions());
  const form = useForm<'name'>({
    check: ({ name }) => (name.trim() === '' ? { name: text.errors.name } : {}),
    async send({ name }) {
      const { id } = await create.mutateAsync({ name });
      await queryClient.invalidateQueries({ queryKey: trpc.accounts.me.queryKey() });
      navigate(`/team/${id}/members`);
    },
    words: ({ code }) => (code === 'invalid' ? { name: text.errors.name } : null),
  });
  return (
    <Plain title={text.newTeam}>
      <NeedsScript />
      <ScriptedForm form={form} className={css['form']}>
        <p className={css['text']}>{text.newTeamText}</p>
        <TextField
          label={text.teamName}
          error={form.errors.name}
          name="name"
          maxLength={MAX_SHOWN_NAME_LENGTH}
          autoComplete="organization"
          required
        />
        <FormError>{form.failure && words.errors.codes[form.failure.code]}</FormError>
        <div>
          <Button type="submit" kind="primary" busy={form.busy && text.creating}>
            {text.create}
          </Button>
        </div>
      </ScriptedForm>
    </Plain>
  );
}
