/**
 * Rewrites derived properties in stored groups after the rules have changed. Events refer to groups by number,
 * so all of them change at once. The hash stays that of the original content: nothing can collide,
 * writers continue to use the cached number, and content by the new rules gets a new row with its first event.
 * @see docs/decisions/0012-groups-keep-their-hash.md
 */
import type { Pool } from 'pg';
import type { JsonObject } from '#src/kit/json.ts';
import { type GroupKind, groupKinds } from './contract.ts';
import * as queries from './queries.ts';

export interface Rewriting {
  /** Groups looked at. */
  read: number;
  /** Groups changed. */
  rewritten: number;
}

const BATCH = 1_000;

/**
 * Processes all groups of a kind in short statements. Safe beside servers and concurrent runs, and
 * resumable.
 *
 * @param derive pure: properties to replace, null when the group is up to date
 * @param onBatch called with the progress after each batch
 */
export async function rewriteGroups(
  pool: Pool,
  kind: GroupKind,
  derive: (group: JsonObject) => JsonObject | null,
  onBatch: (soFar: Rewriting) => void = () => undefined,
): Promise<Rewriting> {
  const stored = groupKinds[kind];
  const done: Rewriting = { read: 0, rewritten: 0 };
  let projectId = await queries.nextProject(pool, 0);
  for (; projectId !== null; projectId = await queries.nextProject(pool, projectId)) {
    let last = 0;
    for (;;) {
      const groups = await queries.readGroups(pool, projectId, stored, last, BATCH);
      last = groups.at(-1)?.number ?? last;
      const changes = groups.flatMap(({ number, text }) => {
        const derived = derive(JSON.parse(text) as JsonObject);
        return derived === null ? [] : [{ number, text, derived: JSON.stringify(derived) }];
      });
      if (changes.length > 0) done.rewritten += await queries.rewriteGroups(pool, projectId, stored, changes);
      done.read += groups.length;
      if (groups.length > 0) onBatch({ ...done });
      if (groups.length < BATCH) break;
    }
  }
  return done;
}
