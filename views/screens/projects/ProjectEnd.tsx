/** The end of a project: asking for it, taking it back, and the quick way for the sample project. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { ProjectConfiguration, Role } from '#src/projects/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { settingsWords } from '#views/words/settings.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Section } from './SettingsParts.tsx';
import css from './settings.module.css';

export interface ProjectEndProps {
  project: ProjectConfiguration;
  role: Role;
}

export function ProjectEnd({ project, role }: ProjectEndProps) {
  const trpc = useTrpc();
  const part = usePart(settingsWords);
  const { format } = useWords();
  const [isAsking, setAsking] = useState(false);
  const reference = String(project.id);
  const { data: stored } = useSuspenseQuery(trpc.events.stored.queryOptions({ project: reference }));
  const isOwner = mayCall('accounts.teams.askProjectDeletion', role);
  if (project.builtIn) return <Section title={part.delete}>{part.ownProject}</Section>;
  if (project.deletesAt !== null) return <Waiting project={project} isOwner={isOwner} deletesAt={project.deletesAt} />;
  const { events } = stored;
  if (project.settings.demo) return <SampleProject project={project} isOwner={isOwner} />;
  return (
    <Section title={part.delete} text={part.deleteText}>
      <p className={css['note']}>{part.deleteWhat(part.storedCount(events, format.number(events)))}</p>
      <div>
        <Button className={`${css['danger']} script-only`} disabled={!isOwner} onClick={() => setAsking(true)}>
          {part.deleteButton(project.name)}
        </Button>
      </div>
      {isAsking && <AskDeletion project={project} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function Waiting({
  project,
  isOwner,
  deletesAt,
}: {
  project: ProjectConfiguration;
  isOwner: boolean;
  deletesAt: number;
}) {
  const trpc = useTrpc();
  const part = usePart(settingsWords);
  const { format } = useWords();
  const queryClient = useQueryClient();
  const undo = useMutation({
    ...trpc.accounts.teams.undoProjectDeletion.mutationOptions(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.projects.pathKey() }),
  });
  return (
    <Section title={part.delete} text={part.deleteText}>
      <Callout tone="neg">{part.deletes(format.dayTime(deletesAt, project.timeZone))}</Callout>
      {isOwner && (
        <div>
          <Button
            className="script-only"
            busy={undo.isPending && part.keeping}
            onClick={() => undo.mutate({ project: String(project.id) })}
          >
            {part.keepIt}
          </Button>
        </div>
      )}
      <FormError>{undo.isError && <ErrorMessage error={undo.error} />}</FormError>
    </Section>
  );
}

function SampleProject({ project, isOwner }: { project: ProjectConfiguration; isOwner: boolean }) {
  const trpc = useTrpc();
  const part = usePart(settingsWords);
  const queryClient = useQueryClient();
  const { navigate } = useNavigate();
  const remove = useMutation({
    ...trpc.projects.removeDemo.mutationOptions(),
    async onSuccess() {
      showToast(part.demoRemoved);
      navigate('/');
      await queryClient.invalidateQueries({ queryKey: trpc.projects.list.queryKey() });
    },
  });
  return (
    <Section title={part.demo} text={part.demoText}>
      <p className={css['note']}>{part.demoWhat}</p>
      <div>
        <Button
          className={`${css['danger']} script-only`}
          disabled={!isOwner}
          busy={remove.isPending && part.demoRemoving}
          onClick={() => remove.mutate({ project: String(project.id) })}
        >
          {part.demoButton}
        </Button>
      </div>
      <FormError>{remove.isError && <ErrorMessage error={remove.error} />}</FormError>
    </Section>
  );
}

function AskDeletion({ project, onClose }: { project: ProjectConfiguration; onClose: () => void }) {
  const trpc = useTrpc();
  const part = usePart(settingsWords);
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState(false);
  const { prove, dialog } = useProof();
  const ask = useMutation({
    ...trpc.accounts.teams.askProjectDeletion.mutationOptions(),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: trpc.projects.pathKey() });
      onClose();
    },
    onError: (error) => setWrong(failureOf(error).field === 'name'),
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const isRight = name.trim().normalize('NFC') === project.name.trim().normalize('NFC');
    setWrong(!isRight);
    if (isRight) {
      // Refusals are shown below the field.
      prove(() => ask.mutateAsync({ project: String(project.id), name })).catch(() => undefined);
    } else event.currentTarget.querySelector('input')?.focus();
  };
  return (
    <Dialog label={part.deleteTitle(project.name)} onClose={onClose} className="ph-no-capture">
      <form className={css['dialog']} onSubmit={onSubmit} noValidate>
        <h2>{part.deleteTitle(project.name)}</h2>
        <TextField
          label={part.deleteConfirm(project.name)}
          error={wrong ? part.deleteWrong : undefined}
          name="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <FormError>{ask.isError && !wrong && dialog === null && <ErrorMessage error={ask.error} />}</FormError>
        <div className={css['dialogActions']}>
          <Button onClick={onClose}>{part.cancel}</Button>
          <Button type="submit" className={css['danger']} busy={ask.isPending && part.deleting}>
            {part.deleteSubmit}
          </Button>
        </div>
      </form>
      {dialog}
    </Dialog>
  );
}
