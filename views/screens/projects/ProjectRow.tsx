/** One project of Home: its name, its state, the course of its visitors, and who is there now. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { Boundary } from '#views/boundary.tsx';
import { installOf, liveOf, overviewOf, settingsOf } from '#views/frame/addresses.ts';
import { useConnection } from '#views/kit/connection.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { Lens } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Sparkline } from '#views/kit/Sparkline.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useSeen } from '#views/kit/use-seen.ts';
import { useBoot } from '#views/settings.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { projectWords } from '#views/words/projects.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Home.module.css';

const NOW_EVERY_MS = 30_000;

/** Query of a row: the same as on Overview, so that numbers agree. */
export function figureQueries(trpc: Trpc, { id }: Pick<ProjectSummary, 'id'>) {
  const project = String(id);
  return [weekOf(trpc, project), trpc.events.now.queryOptions({ project })];
}

function weekOf(trpc: Trpc, project: string) {
  return trpc.insights.query.overview.queryOptions({ project, range: 'last_7_days', compare: 'none', interval: 'day' });
}

export interface ProjectRowProps {
  project: ProjectSummary;
  /** Its figures are in the page; those of others are asked for when they come into sight. */
  isFirst: boolean;
}

export function ProjectRow({ project, isFirst }: ProjectRowProps) {
  const part = usePart(projectWords);
  const { collects } = useBoot();
  const { generation } = useConnection();
  const row = useRef<HTMLLIElement>(null);
  const isSeen = useSeen(row, isFirst);
  const { id, name, role, builtIn, hasOutsideEvents, deletesAt, timeZone } = project;
  const isWaiting = !builtIn && !hasOutsideEvents;
  return (
    <li className={css['row']} ref={row}>
      <div className={css['name']}>
        <Link href={overviewOf(id)} className={css['main']}>
          {name}
        </Link>
        {deletesAt !== null ? (
          <Deletes project={project} at={deletesAt} />
        ) : (
          <p className={css['note']}>{builtIn ? part.ownScreens : isWaiting ? part.waiting : timeZone}</p>
        )}
      </div>
      {collects && !isWaiting && !isSeen && <Bone />}
      {collects && !isWaiting && isSeen && (
        <Boundary of={`${id} ${generation}`} fallback={() => <p className={css['figure']}>{part.noFigures}</p>}>
          <Late fallback={<Bone />}>
            <Figures project={project} />
          </Late>
        </Boundary>
      )}
      <div className={css['actions']}>
        {isWaiting && mayCall('collect.install', role) && (
          <Link className="link" href={installOf(id)}>
            {part.install}
          </Link>
        )}
        {mayCall('projects.settings', role) && (
          <Link className="link" href={settingsOf(id)} aria-label={part.settingsOf(name)}>
            {part.settings}
          </Link>
        )}
      </div>
    </li>
  );
}

function Bone() {
  const { words } = useWords();
  return (
    <p className={css['figure']} aria-busy="true">
      <span className="visually-hidden">{words.regions.loading}</span>
      <span className={`${css['bone']} skeleton`} />
    </p>
  );
}

function Figures({ project: { id, role } }: { project: ProjectSummary }) {
  const trpc = useTrpc();
  const part = usePart(projectWords);
  const { format } = useWords();
  const project = String(id);
  const { data: week } = useSuspenseQuery(weekOf(trpc, project));
  const { data: now } = useSuspenseQuery({
    ...trpc.events.now.queryOptions({ project }),
    refetchInterval: NOW_EVERY_MS,
  });
  const { visitors } = week.series;
  const today = visitors.at(-1) ?? 0;
  const people = (
    <>
      <Lens live={now.peopleNow > 0} />
      <span>
        <b className="num">{format.number(now.peopleNow)}</b> {part.now}
      </span>
    </>
  );
  return (
    <>
      <div className={css['course']}>
        <Sparkline values={visitors} />
      </div>
      <p className={css['figure']}>
        <b className="num">{format.number(today)}</b> {part.today(today)}
      </p>
      {mayCall('events.live', role) ? (
        <Link href={liveOf(id)} className={css['now']}>
          {people}
        </Link>
      ) : (
        <p className={css['now']}>{people}</p>
      )}
    </>
  );
}

/** It waits to be deleted; those who may can keep it. */
function Deletes({ project: { id, name, role, timeZone }, at }: { project: ProjectSummary; at: number }) {
  const trpc = useTrpc();
  const part = usePart(projectWords);
  const { format } = useWords();
  const queryClient = useQueryClient();
  const undo = useMutation({
    ...trpc.accounts.teams.undoProjectDeletion.mutationOptions(),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: trpc.projects.pathKey() });
      showToast(part.kept(name));
    },
  });
  return (
    <p className={css['deletes']}>
      {part.deletes(format.dayTime(at, timeZone))}{' '}
      {mayCall('accounts.teams.undoProjectDeletion', role) && (
        <button
          type="button"
          className="script-only"
          onClick={() => undo.isPending || undo.mutate({ project: String(id) })}
        >
          {undo.isPending ? part.undoing : part.undo}
        </button>
      )}
      {undo.isError && (
        <span role="alert">
          {' '}
          <ErrorMessage error={undo.error} />
        </span>
      )}
    </p>
  );
}
