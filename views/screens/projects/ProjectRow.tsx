/** One project of Home: its name, its state, the course of its visitors, and who is there now. */
import { useQuery } from '@tanstack/react-query';
import { mayCall } from '#src/accounts/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { Sparkline } from '#views/charts/Sparkline.tsx';
import { installOf, liveOf, overviewOf, settingsOf } from '#views/frame/addresses.ts';
import { Lens } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useBoot } from '#views/settings.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { missing } from '#views/words/format.ts';
import { projectWords } from '#views/words/projects.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Home.module.css';

const NOW_EVERY_MS = 30_000;

/** What a row asks: by the very questions of the Overview, so that no number differs from it. */
export function figureQueries(trpc: Trpc, { id }: Pick<ProjectSummary, 'id'>) {
  const project = String(id);
  return [weekOf(trpc, project), trpc.events.now.queryOptions({ project })];
}

function weekOf(trpc: Trpc, project: string) {
  return trpc.insights.overview.queryOptions({ project, range: 'last_7_days', compare: 'none', interval: 'day' });
}

export function ProjectRow({ project }: { project: ProjectSummary }) {
  const part = usePart(projectWords);
  const { format } = useWords();
  const { collects } = useBoot();
  const { id, name, role, builtIn, hasOutsideEvents, deletesAt, timeZone } = project;
  const isWaiting = !builtIn && !hasOutsideEvents;
  return (
    <li className={css['row']}>
      <div className={css['name']}>
        <Link href={overviewOf(id)} className={css['main']}>
          {name}
        </Link>
        {deletesAt !== null ? (
          <p className={css['deletes']}>{part.deletes(format.dayTime(deletesAt, timeZone))}</p>
        ) : (
          <p className={css['note']}>{builtIn ? part.ownScreens : isWaiting ? part.waiting : timeZone}</p>
        )}
      </div>
      {collects && !isWaiting && <Figures project={project} />}
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

function Figures({ project: { id, role } }: { project: ProjectSummary }) {
  const trpc = useTrpc();
  const part = usePart(projectWords);
  const { format } = useWords();
  const project = String(id);
  const week = useQuery(weekOf(trpc, project));
  const { data: now } = useQuery({ ...trpc.events.now.queryOptions({ project }), refetchInterval: NOW_EVERY_MS });
  const visitors = week.data?.series.visitors ?? null;
  const today = visitors?.at(-1) ?? null;
  const people = now && (
    <>
      <Lens live={now.peopleNow > 0} />
      <span>
        <b className="num">{format.number(now.peopleNow)}</b> {part.now(now.peopleNow)}
      </span>
    </>
  );
  return (
    <>
      <div className={css['course']}>{visitors && <Sparkline values={visitors} />}</div>
      <p className={css['figure']} aria-busy={week.isPending || undefined}>
        {week.isError ? (
          <span title={part.noFigures}>{missing}</span>
        ) : week.isPending ? (
          <span className={`${css['bone']} skeleton`} />
        ) : (
          <>
            <b className="num">{today === null ? missing : format.number(today)}</b> {part.today(today ?? 0)}
          </>
        )}
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
