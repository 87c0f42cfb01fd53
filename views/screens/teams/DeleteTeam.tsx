/** Lets a team wait for its end: the name typed once more, and a recent proof of who one is. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TeamView } from '#src/accounts/teams/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useTrpc } from '#views/trpc.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Dialogs.module.css';
import { useTeamChange } from './use-team-change.ts';

export function DeleteTeam({ team, onClose }: { team: TeamView; onClose(): void }) {
  const text = usePart(teamWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  const refresh = useTeamChange(team.id);
  const { prove, dialog } = useProof();
  const ask = useMutation(trpc.accounts.teams.askDeletion.mutationOptions());
  const form = useForm<'name'>({
    check: ({ name }) =>
      name.trim().normalize('NFC') === team.name.normalize('NFC') ? {} : { name: text.errors.wrongName },
    async send({ name }) {
      const asked = await prove(() => ask.mutateAsync({ team: team.id, name }));
      if (asked === undefined) return;
      await refresh();
      await queryClient.invalidateQueries({ queryKey: trpc.projects.pathKey() });
      onClose();
    },
    words: ({ code }) => (code === 'invalid' ? { name: text.errors.wrongName } : null),
  });
  const { failure } = form;
  return (
    <>
      <Dialog label={text.deleteTitle(team.name)} onClose={onClose} className="ph-no-capture">
        <form method="post" noValidate className={css['body']} onSubmit={form.onSubmit}>
          <h2>{text.deleteTitle(team.name)}</h2>
          <TextField
            label={text.deleteConfirm(team.name)}
            error={form.errors.name}
            name="name"
            autoComplete="off"
            spellCheck={false}
          />
          <FormError>
            {failure && (failure.code === 'conflict' ? text.deletionBuiltIn : words.errors.codes[failure.code])}
          </FormError>
          <div className={css['buttons']}>
            <Button onClick={onClose}>{text.cancel}</Button>
            <Button type="submit" className={css['danger']} busy={form.busy && text.deleteBusy}>
              {text.deleteButton}
            </Button>
          </div>
        </form>
      </Dialog>
      {dialog}
    </>
  );
}
