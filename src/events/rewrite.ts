/**
 * Rewrites what follows from other properties in stored groups, when the rules for it have changed. Events point to groups by number,
 * so all of them say the new thing at once. The hash stays that of the content the group was entered with: nothing can collide,
 * writers that remember the number go on with it, and content by the new rules has a row of its own from its first event on.
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
 * Goes through all groups of a kind in short statements of their own: it may run beside servers and other runs of itself, and be
 * ended at any moment; the next run does what is left.
 *
 * @param derive pure: the properties to put in place of those of the same name, null when the group is as it should be
 * @param onBatch gets the progress after each batch
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
