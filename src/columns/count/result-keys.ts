/** Under which keys partial results are kept: what they depend on besides the chunk and where it is cut. */
import { createHash } from 'node:crypto';
import type { SessionTest } from '../kernels/count-sessions.ts';
import type { GatheredChunk } from '../snapshot/gathered-chunk.ts';
import type { Visits } from '../threads/tasks.ts';
import type { CountParts } from './count-parts.ts';
import { personMaskDigest } from './person-mask-digest.ts';
import { blockOfVisits, blocksOfEvents, nameOf, namesByBlock } from './visit-names.ts';

/** The key of partial results; null: they are not to be kept. */
export function keyOf({ filterKey }: CountParts, more: unknown): string | null {
  return filterKey === null ? null : `${JSON.stringify(more)} ${filterKey}`;
}

export function keyOfTest(test: SessionTest): string {
  const what = 'mask' in test ? createHash('sha1').update(test.mask).digest('base64') : JSON.stringify(test);
  return `[f ${test.column} ${what}`;
}

/** Cache key of a partial result besides the chunk and its edges; null: not cacheable. */
export type KeyOfChunk = (chunk: GatheredChunk) => string | null;

/** As `keyOf`, for event chunks with conditions on visits or persons: adds the digest of the chunk's matches. */
export function keyOfEvents(parts: CountParts, more: unknown): string | null | KeyOfChunk {
  const key = keyOf(parts, more);
  const persons = parts.conditions?.persons ?? [];
  if (key === null && parts.personsKey && persons.length > 0)
    return keyOfPersons(`${JSON.stringify(more)} ${parts.personsKey}`, persons);
  if (key === null || parts.sets.length === 0 || !parts.conditions?.finds.length) return key;
  const lists = parts.sets.map(namesByBlock);
  return ({ columns }) => {
    const name = nameOf(blocksOfEvents(columns['session']), lists);
    return name === null ? null : `${key} ${name}`;
  };
}

/** The key with a digest of the chunk's persons among these. */
export function keyOfPersons(key: string, persons: readonly Uint8Array[]): KeyOfChunk {
  return (chunk) => {
    const digest = personMaskDigest(persons, chunk);
    return digest === null ? null : `${key} ${digest}`;
  };
}

/** As `keyOf`, for blocks of visits of which some are counted. */
export function keyOfVisits(
  parts: CountParts,
  more: readonly unknown[],
  { only, without }: Visits,
): string | null | KeyOfChunk {
  const what = [...more, only !== null, without !== null];
  const byPersons = only === null || !parts.personsKey ? null : `${JSON.stringify(what)} ${parts.personsKey}`;
  const key = keyOf(parts, what) ?? byPersons;
  if (key === null || (only === null && without === null)) return key;
  const lists = [only ?? [], without ?? []].map(namesByBlock);
  return ({ id, columns }) => {
    const ids = columns['id'];
    // Unsealed chunks have visits of any block, mostly without cached lists.
    const name = id === null || id < 0 || ids === undefined ? null : nameOf([blockOfVisits(ids)], lists);
    return name === null ? null : `${key} ${name}`;
  };
}
