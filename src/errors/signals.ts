/** What happens to issues that someone may be alerted of: new ones, regressions, spikes. */
import type { Deps } from '#src/store/deps.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { normalizeMessage } from './normalize.ts';
import { type IssueSignal, SPIKE_FACTOR, SPIKE_MIN_EVENTS } from './values.ts';

export interface NewSignal {
  issue: number;
  kind: IssueSignal;
  at: number;
}

/** A signal with its issue as it is now; its message without values. */
export interface Signal extends NewSignal {
  id: number;
  type: string;
  message: string;
  culprit: string;
}

export interface Signals {
  /** The newest signals of these kinds since a time, oldest first. Those of issues that are gone or ignored are not among them. */
  recent(projectId: number, kinds: readonly IssueSignal[], since: number): Promise<Signal[]>;
  /** How many there were in each span, in their order. */
  countIn(
    projectId: number,
    kinds: readonly IssueSignal[],
    spans: readonly { from: number; to: number }[],
  ): Promise<number[]>;
  /** Deletes old ones. */
  tidy(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEEP_MS = 100 * DAY_MS;
const MAX_RECENT = 1_000;
/** Hours that a spike is compared with. */
const COMPARED_HOURS = 168;

export function createSignals({ db, clock }: Pick<Deps, 'db' | 'clock'>): Signals {
  return {
    async recent(projectId, kinds, since) {
      const rows = await query<Signal>(
        db,
        sql`select signal.id, signal.issue, signal.kind, signal.at, issues.type, issues.message, issues.culprit
              from issue_signals as signal
              join issues on issues.project_id = signal.project_id and issues.id = signal.issue and issues.status <> 'ignored' and issues.merged_into is null
             where signal.project_id = ${projectId} and signal.kind = any(${[...kinds]}::text[]) and signal.at >= ${sql.time(since)}
             order by signal.id desc limit ${MAX_RECENT}`,
      );
      // It goes where erasing a person does not reach.
      return rows.reverse().map((row) => ({ ...row, message: normalizeMessage(row.message, { keepNames: true }) }));
    },
    async countIn(projectId, kinds, spans) {
      const times = (ends: number[]) => ends.map((ms) => new Date(ms).toISOString());
      const rows = await query<{ signals: number }>(
        db,
        sql`select (select count(*)::int from issue_signals
                     where project_id = ${projectId} and kind = any(${[...kinds]}::text[])
                       and at >= span.first and at < span.last) as signals
              from unnest(${times(spans.map(({ from }) => from))}::timestamptz[],
                          ${times(spans.map(({ to }) => to))}::timestamptz[]) with ordinality as span (first, last, place)
             order by span.place`,
      );
      return rows.map(({ signals }) => signals);
    },
    async tidy() {
      await query(db, sql`delete from issue_signals where at < ${sql.time(clock.now() - KEEP_MS)}`);
    },
  };
}

export async function insertSignals(on: Queryable, projectId: number, signals: readonly NewSignal[]): Promise<void> {
  for (const { issue, kind, at } of signals) {
    await query(
      on,
      sql`insert into issue_signals (project_id, issue, kind, at) values (${projectId}, ${issue}, ${kind}, ${sql.time(at)})`,
    );
  }
}

/**
 * Enters a spike for each of the issues that occurred far more often in the present hour than in most hours of the last seven days. Issues of
 * the last day are new instead; an issue has one spike a day at most.
 */
export async function insertSpikes(
  on: Queryable,
  projectId: number,
  ids: readonly number[],
  now: number,
): Promise<void> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  await query(
    on,
    sql`insert into issue_signals (project_id, issue, kind, at)
        select ${projectId}::int, issues.id, 'spike', ${sql.time(now)}
          from issues
          join lateral (select coalesce(sum(events), 0) as events from issue_hours
                         where project_id = ${projectId} and issue = issues.id and hour = ${sql.time(hour)}) as present on true
         where issues.project_id = ${projectId} and issues.id = any(${[...ids]}::int[]) and issues.status = 'active'
           and issues.first_seen < ${sql.time(now - DAY_MS)} and present.events >= ${SPIKE_MIN_EVENTS}
           and present.events > ${SPIKE_FACTOR} * (
             select percentile_cont(0.5) within group (order by coalesce(counted.events, 0))
               from generate_series(1, ${COMPARED_HOURS}) as back
               left join (select hour, sum(events) as events from issue_hours
                           where project_id = ${projectId} and issue = issues.id
                             and hour >= ${sql.time(hour - COMPARED_HOURS * HOUR_MS)} and hour < ${sql.time(hour)}
                           group by hour) as counted
                 on counted.hour = ${sql.time(hour)}::timestamptz - back * interval '1 hour')
           and not exists (select from issue_signals as known
                            where known.project_id = ${projectId} and known.issue = issues.id and known.kind = 'spike'
                              and known.at > ${sql.time(now - DAY_MS)})`,
  );
}
