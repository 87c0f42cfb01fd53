/**
 * Merge targets of persons. The list is cached; later only persons written since are read, and without merges and
 * erasures it stays the same array, so that cached results can be keyed by it.
 */
import type { ClientBase } from 'pg';
import { copyOut } from '#src/store/copy-out.ts';
import { sql } from '#src/store/sql.ts';
import type { Cache } from '../storage/cache.ts';
import { CopiedRows } from '../storage/copied-rows.ts';
import { tagImmutable } from '../storage/immutable.ts';
import { canFollow, changedSql, MAX_CHANGES, type Seen, sawMore } from '../storage/seen.ts';

/** By person number, the person it was merged into; 0: none. */
export type Survivors = Int32Array<SharedArrayBuffer>;

interface Kept {
  seen: Seen;
  mergedInto: Survivors;
}

/** @param most the highest number of someone who was merged */
export async function readMergedInto(
  { client, cache }: { client: ClientBase; cache: Cache },
  projectId: number,
  { most, seen }: { most: number; seen: Seen },
): Promise<Survivors> {
  const key = `merged of ${projectId}`;
  const before = cache.get<Kept>(key);
  const isSame = before !== undefined && canFollow(before.seen, seen) && (await areTheSame(client, projectId, before));
  const mergedInto = isSame ? before.mergedInto : await readAll(client, projectId, most);
  // A query with a later snapshot may have cached its list meanwhile.
  const now = cache.get<Kept>(key);
  if (now === undefined || sawMore(seen, now.seen)) cache.set(key, { seen, mergedInto }, mergedInto.byteLength);
  return mergedInto;
}

async function readAll(client: ClientBase, projectId: number, most: number): Promise<Survivors> {
  const rows = new CopiedRows(
    await copyOut(
      client,
      sql`select array_agg(old_person), array_agg(new_person) from person_overrides where project_id = ${projectId}`,
    ),
  );
  const mergedInto = new Int32Array(new SharedArrayBuffer((most + 1) * 4));
  rows.next();
  const [olds, news] = [rows.numbers(), rows.numbers()];
  for (let at = 0; at < olds.length; at++) mergedInto[olds[at] as number] = news[at] as number;
  tagImmutable(mergedInto);
  return mergedInto;
}

/** True when the merges of persons written since are unchanged. */
async function areTheSame(client: ClientBase, projectId: number, { seen, mergedInto }: Kept): Promise<boolean> {
  const rows = new CopiedRows(
    await copyOut(
      client,
      sql`with changed as materialized (${changedSql(projectId, seen)}),
               numbers as materialized (select array_agg(number) as list from changed),
               now as materialized (
                 select old_person, new_person from person_overrides, numbers
                  where project_id = ${projectId} and (old_person = any(list) or new_person = any(list))
               )
          select (select list from numbers), (select array_agg(old_person) from now), (select array_agg(new_person) from now)`,
    ),
  );
  rows.next();
  const [changed, olds, news] = [rows.numbers(), rows.numbers(), rows.numbers()];
  if (changed.length === 0) return true;
  if (changed.length === MAX_CHANGES) return false;
  const isChanged = new Uint8Array(changed.reduce((most, number) => Math.max(most, number + 1), 0));
  for (const number of changed) isChanged[number] = 1;
  let known = 0;
  for (let number = 0; number < mergedInto.length; number++) {
    const survivor = mergedInto[number] as number;
    if (survivor !== 0 && (isChanged[number] === 1 || isChanged[survivor] === 1)) known++;
  }
  return known === olds.length && olds.every((old, at) => mergedInto[old] === news[at]);
}
