/** Recurring work after source maps came: issues of built code get fingerprints of the source code, and those that are one join. */
import type { History } from '#src/events/history.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import { readExceptions, readRelease } from './exception.ts';
import { fingerprintsOf } from './fingerprint.ts';
import type { GroupingParts } from './grouping.ts';
import { insertFingerprints, knownFingerprints, markResolved } from './grouping-queries.ts';
import { projectsWithMapsSince } from './maps/queries.ts';
import { joinIssues } from './moves.ts';
import { listOccurrences } from './queries.ts';
import type { ErrorRules } from './rules/contract.ts';

/** Issues of a project that are looked at, the last seen first. */
const ISSUES = 200;
/** Uploads so long before the start of the process are looked at too. */
const BEFORE_MS = 3_600_000;

export function createJoining(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { history, resolve, rulesOf }: { history: Pick<History, 'listed'> } & GroupingParts,
) {
  let lookedAt: number | null = null;

  /** Of projects whose maps came since the last run. */
  async function work(signal?: AbortSignal): Promise<void> {
    const now = clock.now();
    for (const projectId of await projectsWithMapsSince(db, lookedAt ?? now - BEFORE_MS)) {
      const rules = await rulesOf(projectId);
      for (const issue of await builtIssues(projectId)) {
        if (signal?.aborted) return;
        await readAgain(projectId as ProjectId, issue, rules);
      }
    }
    lookedAt = now;
  }

  async function builtIssues(projectId: number): Promise<number[]> {
    const rows = await query<{ id: number }>(
      db,
      sql`select id from issues
           where project_id = ${projectId} and merged_into is null and not resolved_fingerprint and grouped_by ->> 'by' in ('built', 'frames')
           order by last_seen desc limit ${ISSUES}`,
    );
    return rows.map(({ id }) => id);
  }

  /** Reads the newest occurrence of an issue with the maps that are there now. */
  async function readAgain(projectId: ProjectId, issue: number, rules: ErrorRules): Promise<void> {
    const [place] = await listOccurrences(db, projectId, issue, 1);
    if (place === undefined) return;
    const where = sql`uuid = ${place.uuid}::uuid`;
    const [event] = await history.listed(projectId, { from: place.ts, to: place.ts + 1, where, limit: 1 });
    if (event === undefined) return;
    const { properties } = event;
    const exceptions = await resolve(projectId, readExceptions(properties), readRelease(properties));
    const { hashes, isResolved, grouping } = fingerprintsOf(exceptions, properties, rules.groupingRules);
    const [hash] = hashes;
    if (!isResolved || hash === undefined) return;
    await db.transaction(async (trx) => {
      const [known] = await knownFingerprints(trx, projectId, [hash]);
      if (known === undefined || known.issue === issue) {
        await insertFingerprints(trx, projectId, [{ hash, issue, via: null }]);
        await markResolved(trx, projectId, issue, grouping);
      } else {
        await joinIssues(trx, projectId, { from: issue, into: known.issue, now: clock.now() });
      }
    });
  }

  return { work };
}
