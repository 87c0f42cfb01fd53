/** Tells of issues of errors as it happens: each signal once for an alert, the same issue once an hour at most, many in one message. */
import type { Signal, Signals } from '#src/errors/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { AlertProject } from './evaluate.ts';
import { type NotifyParts, notify } from './notify.ts';
import { calendarOf } from './numbers.ts';
import * as queries from './queries.ts';
import { intervalAt } from './schedule.ts';
import type { DescribedIssue } from './values.ts';

export interface TellParts extends Pick<Deps, 'db' | 'clock' | 'log'>, NotifyParts {
  signals: Pick<Signals, 'recent'>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After a message, an alert waits so long and puts what came meanwhile into one. */
const DIGEST_MS = 10 * MINUTE_MS;
/** Maximum delay of notifications after an outage. */
const LATE_MS = 24 * HOUR_MS;

/** @param projectOf null: it is gone */
export async function tellIssues(
  parts: TellParts,
  projectOf: (id: number) => Promise<AlertProject | null>,
  signal?: AbortSignal,
): Promise<void> {
  for (const alert of await queries.activeAlerts(parts.db)) {
    if (signal?.aborted) return;
    if (alert.subject.kind !== 'issues') continue;
    const since = Math.max(alert.since, parts.clock.now() - LATE_MS);
    const found = await parts.signals.recent(alert.project_id, alert.subject.on, since);
    if (found.length === 0) continue;
    const project = await projectOf(alert.project_id);
    if (project === null) continue;
    await tell(parts, project, alert, found).catch((error: unknown) =>
      parts.log.warn({ err: error, alert: alert.id }, 'failed to notify about issues'),
    );
  }
}

async function tell(
  parts: TellParts,
  project: AlertProject,
  { id, revision }: queries.AlertRow,
  found: readonly Signal[],
): Promise<void> {
  const now = parts.clock.now();
  await parts.db.transaction(async (trx) => {
    const locked = await queries.lockAlert(trx, project.id, id);
    if (locked === null || !locked.active || locked.revision !== revision) return;
    const alert = await queries.alertOf(trx, project.id, id);
    const dealt = await dealtWith(trx, id, now - LATE_MS);
    const fresh = found.filter((each) => !dealt.some((known) => known.signal === each.id));
    if (alert === null || fresh.length === 0) return;
    const told = dealt.filter(({ notified }) => notified);
    if (told.some(({ at }) => at > now - DIGEST_MS)) return;
    const isQuiet = alert.snoozed_until !== null && alert.snoozed_until > now;
    const recent = new Set(told.filter(({ at }) => at > now - HOUR_MS).map(({ issue }) => issue));
    const telling = isQuiet ? [] : fresh.filter(({ issue }) => !recent.has(issue));
    await noteDealt(trx, project.id, id, fresh, { telling: new Set(telling.map((each) => each.id)), now });
    const isFiring = alert.state === 'firing' || alert.state === 'acknowledged';
    await queries.beginFiring(trx, id, { stateAt: isFiring ? alert.state_at : now, now });
    if (telling.length === 0) return;
    const issues = describe(parts.config.PUBLIC_APP_URL, project.id, telling);
    await notify(parts, trx, alert, {
      notice: 'fired',
      span: intervalAt('hour', now, calendarOf(project)),
      value: issues.length,
      expected: null,
      subjectName: null,
      project,
      now,
      issues,
    });
  });
}

/** One of each issue, the worst signal of it. */
function describe(origin: string, project: number, telling: readonly Signal[]): DescribedIssue[] {
  const byIssue = new Map(telling.map((each) => [each.issue, each]));
  return [...byIssue.values()].map(({ issue, kind, type, message, culprit }) => {
    const [line = ''] = message.split('\n');
    return {
      id: issue,
      signal: kind,
      title: line === '' ? type : `${type}: ${line}`,
      culprit,
      link: `${origin}/project/${project}/errors/${issue}`,
    };
  });
}

interface Dealt {
  signal: number;
  issue: number;
  at: number;
  notified: boolean;
}

function dealtWith(on: Queryable, alert: number, since: number): Promise<Dealt[]> {
  return query(
    on,
    sql`select signal, issue, at, notified from alert_issues where alert = ${alert} and at >= ${sql.time(since)}`,
  );
}

async function noteDealt(
  on: Queryable,
  project: number,
  alert: number,
  signals: readonly Signal[],
  { telling, now }: { telling: ReadonlySet<number>; now: number },
): Promise<void> {
  await query(
    on,
    sql`insert into alert_issues (alert, signal, project_id, issue, at, notified)
        select ${alert}::int, given.signal, ${project}::int, given.issue, ${sql.time(now)}, given.notified
          from unnest(${signals.map(({ id }) => id)}::bigint[], ${signals.map(({ issue }) => issue)}::int[],
                      ${signals.map(({ id }) => telling.has(id))}::boolean[]) as given (signal, issue, notified)
        on conflict do nothing`,
  );
}
