/** A team's name, leaving it, and its end. */

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { TeamView } from '#src/accounts/teams/contract.ts';
import { isAtLeast } from '#src/accounts/values.ts';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import { frameQueries } from '#views/frame/queries.ts';
import { TeamPage } from '#views/frame/TeamPage.tsx';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { ScriptedForm } from '#views/kit/ScriptedForm.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { DeleteTeam } from './DeleteTeam.tsx';
import { Refusal } from './Refusal.tsx';
import css from './TeamSettings.module.css';
import { useTeamChange } from './use-team-change.ts';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const team = Number(props.params['team']);
  return [...frameQueries(trpc, props), { options: trpc.accounts.teams.view.queryOptions({ team }), critical: true }];
}

export function title(words: Words): string {
  return teamWords[words.language].general;
}

export function Screen({ params }: ScreenProps) {
  const team = Number(params['team']);
  return (
    <TeamPage team={team} tab="team">
      <Late fallback={<BarTableSkeleton rows={4} />}>
        <Content id={team} />
      </Late>
    </TeamPage>
  );
}

function Content({ id }: { id: number }) {
  const trpc = useTrpc();
  const { data: team } = useSuspenseQuery(trpc.accounts.teams.view.queryOptions({ team: id }));
  return (
    <div className="ph-no-capture">
      <Name key={team.name} team={team} />
      <Leaving team={team} />
      <Deletion team={team} />
    </div>
  );
}

function Section({ title: heading, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={css['section']} aria-labelledby={id}>
      <div>
        <h2 id={id}>{heading}</h2>
        {text !== undefined && <p className={css['text']}>{text}</p>}
      </div>
      <div className={css['controls']}>{children}</div>
    </section>
  );
}

function Name({ team }: { team: TeamView }) {
  const text = usePart(teamWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const refresh = useTeamChange(team.id);
  const rename = useMutation(trpc.accounts.teams.rename.mutationOptions());
  const form = useForm<'name'>({
    check: ({ name }) => (name.trim() === '' ? { name: text.errors.name } : {}),
    async send({ name }) {
      await rename.mutateAsync({ team: team.id, name });
      await refresh();
      showToast(text.saved);
    },
    words: ({ code }) => (code === 'invalid' ? { name: text.errors.name } : null),
  });
  if (!isAtLeast(team.role, 'admin')) return null;
  return (
    <Section title={text.general}>
      <ScriptedForm form={form} className={css['form']}>
        <TextField
          label={text.teamName}
          error={form.errors.name}
          name="name"
          defaultValue={team.name}
          maxLength={MAX_SHOWN_NAME_LENGTH}
          autoComplete="organization"
          required
        />
        <FormError>{form.failure && words.errors.codes[form.failure.code]}</FormError>
        <div>
          <Button type="submit" kind="primary" busy={form.busy && text.saving}>
            {text.save}
          </Button>
        </div>
      </ScriptedForm>
    </Section>
  );
}

function Leaving({ team }: { team: TeamView }) {
  const text = usePart(teamWords);
  const trpc = useTrpc();
  const [asks, setAsks] = useState(false);
  const leave = useMutation(trpc.accounts.teams.leave.mutationOptions());
  return (
    <Section title={text.leaving} text={`${text.leavingText} ${text.roles[team.role]}.`}>
      <div>
        <Button className={`${css['danger']} script-only`} onClick={() => setAsks(true)}>
          {text.leave}
        </Button>
      </div>
      {asks && (
        <AskFirst
          title={text.leaveTitle(team.name)}
          text={text.leaveText}
          action={text.leaveButton}
          busy={text.leaveBusy}
          onConfirm={() => leave.mutateAsync({ team: team.id }).then(() => location.assign('/'))}
          onClose={() => setAsks(false)}
          words={(error) => <Refusal error={error} />}
        />
      )}
    </Section>
  );
}

function Deletion({ team }: { team: TeamView }) {
  const text = usePart(teamWords);
  const [asks, setAsks] = useState(false);
  if (team.deletesAt !== null) return <Waiting team={team} deletesAt={team.deletesAt} />;
  const isOwner = isAtLeast(team.role, 'owner');
  return (
    <Section title={text.deletion} text={text.deletionText}>
      {team.hasBuiltIn && <p>{text.deletionBuiltIn}</p>}
      {!team.hasBuiltIn && !isOwner && <p>{text.deletionOwner}</p>}
      {!team.hasBuiltIn && isOwner && (
        <div>
          <Button className={`${css['danger']} script-only`} onClick={() => setAsks(true)}>
            {text.delete}
          </Button>
        </div>
      )}
      {asks && <DeleteTeam team={team} onClose={() => setAsks(false)} />}
    </Section>
  );
}

function Waiting({ team, deletesAt }: { team: TeamView; deletesAt: number }) {
  const text = usePart(teamWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  const { data: me } = useSuspenseQuery(trpc.accounts.me.queryOptions());
  const refresh = useTeamChange(team.id);
  const undo = useMutation({
    ...trpc.accounts.teams.undoDeletion.mutationOptions(),
    async onSuccess() {
      await refresh();
      await queryClient.invalidateQueries({ queryKey: trpc.projects.pathKey() });
    },
  });
  return (
    <Section title={text.deletion} text={text.deletionText}>
      <Callout tone="neg">
        <strong>{text.waits(format.dayTime(deletesAt, me.timeZone))}</strong> {text.waitsText}
      </Callout>
      {isAtLeast(team.role, 'owner') && (
        <div>
          <Button
            className="script-only"
            busy={undo.isPending && text.undoing}
            onClick={() => undo.mutate({ team: team.id })}
          >
            {text.undo}
          </Button>
        </div>
      )}
      <FormError>{undo.isError && <ErrorMessage error={undo.error} />}</FormError>
    </Section>
  );
}
