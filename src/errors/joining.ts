/** Recurring work after source maps came: issues of built code get fingerprints of the source code, and those that are one join. */
import type { Knex } from 'knex';
import type { History } from '#src/events/history.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import { readExceptions, readRelease } from './exception.ts';
import { fingerprintsOf } from './fingerprint.ts';
import type { ResolveFrames } from './grouping.ts';
import { insertFingerprints, insertNotes, knownFingerprints, lockIssues, markResolved } from './grouping-queries.ts';
import { projectsWithMapsSince } from './maps/queries.ts';
import { listOccurrences } from './queries.ts';

/** Issues of a project that are looked at, the last seen first. */
const ISSUES = 200;
/** Uploads so long before the start of the process are looked at too. */
const BEFORE_MS = 3_600_000;

export function createJoining(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { history, resolve }: { history: Pick<History, 'listed'>; resolve: ResolveFrames },
) {
  let lookedAt: number | null = null;

  /** Of projects whose maps came since the last run. */
  async function work(signal?: AbortSignal): Promise<void> {
    const now = clock.now();
    for (const projectId of await projectsWithMapsSince(db, lookedAt ?? now - BEFORE_MS)) {
      for (const issue of await builtIssues(projectId)) {
        if (signal?.aborted) return;
        await readAgain(projectId as ProjectId, issue);
      }
    }
    lookedAt = now;
  }

  async function builtIssues(projectId: number): Promise<number[]> {
    const rows = await query<{ id: number }>(
      db,
      sql`select id from issues
           where project_id = ${projectId} and not resolved_fingerprint and grouped_by ->> 'by' in ('built', 'frames')
           order by last_seen desc limit ${ISSUES}`,
    );
    return rows.map(({ id }) => id);
  }

  /** Reads the newest occurrence of an issue with the maps that are there now. */
  async function readAgain(projectId: ProjectId, issue: number): Promise<void> {
    const [place] = await listOccurrences(db, projectId, issue, 1);
    if (place === undefined) return;
    const where = sql`uuid = ${place.uuid}::uuid`;
    const [event] = await history.listed(projectId, { from: place.ts, to: place.ts + 1, where, limit: 1 });
    if (event === undefined) return;
    const { properties } = event;
    const exceptions = await resolve(projectId, readExceptions(properties), readRelease(properties));
    const { hashes, isResolved, grouping } = fingerprintsOf(exceptions, properties);
    const [hash] = hashes;
    if (!isResolved || hash === undefined) return;
    await db.transaction(async (trx) => {
      const [known] = await knownFingerprints(trx, projectId, [hash]);
      if (known === undefined || known.issue === issue) {
        await insertFingerprints(trx, projectId, [{ hash, issue }]);
        await markResolved(trx, projectId, issue, grouping);
      } else {
        await join(trx, projectId, { from: issue, into: known.issue, now: clock.now() });
      }
    });
  }

  return { work };
}

/** Puts one issue into another, with all that was counted of it. */
async function join(
  trx: Knex.Transaction,
  projectId: number,
  { from, into, now }: { from: number; into: number; now: number },
): Promise<void> {
  const locked = await lockIssues(trx, projectId, [from, into]);
  if (locked.length < 2) return;
  await query(
    trx,
    sql`insert into issue_hours as known (project_id, issue, hour, distinct_id, session_id, release, events, last_ts, last_uuid)
        select project_id, ${into}::int, hour, distinct_id, session_id, release, events, last_ts, last_uuid
          from issue_hours where project_id = ${projectId} and issue = ${from}
        on conflict (project_id, issue, hour, distinct_id, session_id, release) do update set
          events = known.events + excluded.events,
          last_uuid = case when excluded.last_ts >= known.last_ts then excluded.last_uuid else known.last_uuid end,
          last_ts = greatest(known.last_ts, excluded.last_ts)`,
  );
  await query(trx, sql`delete from issue_hours where project_id = ${projectId} and issue = ${from}`);
  await query(
    trx,
    sql`update issue_fingerprints set issue = ${into} where project_id = ${projectId} and issue = ${from}`,
  );
  await query(trx, sql`update issue_notes set issue = ${into} where project_id = ${projectId} and issue = ${from}`);
  await query(
    trx,
    sql`update issues
           set events = issues.events + gone.events, fingerprints = issues.fingerprints + gone.fingerprints,
               first_seen = least(issues.first_seen, gone.first_seen), last_seen = greatest(issues.last_seen, gone.last_seen),
               first_release = case when gone.first_seen < issues.first_seen
                 then coalesce(gone.first_release, issues.first_release) else issues.first_release end,
               unhandled = issues.unhandled or gone.unhandled, changed_at = ${sql.time(now)}
          from issues as gone
         where issues.project_id = ${projectId} and issues.id = ${into} and gone.project_id = ${projectId} and gone.id = ${from}`,
  );
  await query(trx, sql`delete from issues where project_id = ${projectId} and id = ${from}`);
  await insertNotes(trx, projectId, [
    { issue: into, at: now, account: null, action: 'joined', details: { issue: from } },
  ]);
}
