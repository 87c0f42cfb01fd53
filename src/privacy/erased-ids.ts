/** Hashes of erased persons' distinct ids, to check whether a person was erased after an event was received. */
import { createHmac } from 'node:crypto';
import type { Secrets } from '#src/store/secrets.ts';
import type { Queryable } from '#src/store/sql.ts';
import * as queries from './queries.ts';

export type IsGone = (projectId: number, said: readonly Mention[]) => Promise<boolean[]>;

/** A reference to a person: distinct ids, and the time of receipt. */
export interface Mention {
  ids: readonly string[];
  receivedAt: number;
}

const ERASED_IDS = 'erased ids';

/** Letter for letter: ids that differ in case are of two people. */
function erasedIdOf(key: Buffer, projectId: number, distinctId: string): Buffer {
  return createHmac('sha256', key).update(`${projectId} ${distinctId}`).digest();
}

/** Keys that hashes of ids may have been made with, the current one first. */
export function erasedIdKeys(secrets: Pick<Secrets, 'keys'>): Promise<Buffer[]> {
  return secrets.keys(ERASED_IDS);
}

/** Stored hashes of the ids. */
export async function erasedIdsOf(
  secrets: Pick<Secrets, 'keys'>,
  projectId: number,
  distinctIds: readonly string[],
): Promise<Buffer[]> {
  const [key] = await erasedIdKeys(secrets);
  return distinctIds.map((id) => erasedIdOf(key as Buffer, projectId, id));
}

/** For each mention, true when a person with one of its ids was erased afterwards. */
export async function areGone(
  on: Queryable,
  keys: readonly Buffer[],
  projectId: number,
  said: readonly Mention[],
): Promise<boolean[]> {
  const since = Math.min(...said.map(({ receivedAt }) => receivedAt));
  const erased = await queries.erasedSince(on, projectId, since);
  if (erased.length === 0) return said.map(() => false);
  const ends = new Map<string, number>();
  for (const { ids, at } of erased) for (const id of ids) ends.set(id, Math.max(ends.get(id) ?? 0, at));
  const endOf = (id: string) =>
    Math.max(0, ...keys.map((key) => ends.get(erasedIdOf(key, projectId, id).toString('hex')) ?? 0));
  return said.map(({ ids, receivedAt }) => ids.some((id) => endOf(id) >= receivedAt));
}
