/** Events read from PostgreSQL and encoded by a thread, a few megabytes at a time. */
import type { ClientBase } from 'pg';
import { copyOutSteps } from '#src/store/copy-out.ts';
import type { Sql } from '#src/store/sql.ts';
import type { EncodedChunk } from '../storage/encode.ts';
import type { EncodeEventsTask } from './tasks.ts';
import type { Sequence } from './threads.ts';

/** Header and trailer of a COPY without rows. */
const EMPTY_COPY_BYTES = 21;

export function isEmptyCopy(pieces: readonly Uint8Array[]): boolean {
  return pieces.reduce((sum, { length }) => sum + length, 0) <= EMPTY_COPY_BYTES;
}

let last = 0;

/**
 * Reads rows and encodes them, a chunk for each day.
 * @param rows as `eventRows`
 * @param sequence is ended with it
 * @throws AppError `too_large` when the values of the properties in `only` take too much memory
 */
export async function encodeRows(
  client: ClientBase,
  sequence: Sequence,
  rows: Sql,
  { only, shared }: Pick<EncodeEventsTask, 'only' | 'shared'>,
): Promise<EncodedChunk[]> {
  const encoding = ++last;
  const task = { task: 'encodeEvents' as const, encoding, only, shared };
  let encoded: EncodedChunk[] = [];
  let hasBegun = false;
  try {
    await copyOutSteps(client, rows, async (pieces, isLast) => {
      if (!hasBegun && isLast && isEmptyCopy(pieces)) return;
      hasBegun = true;
      encoded = await sequence.run({ ...task, step: isLast ? 'last' : 'more', rows: pieces });
    });
  } catch (error) {
    if (hasBegun) await sequence.run({ ...task, step: 'cancel', rows: [] }).catch(() => undefined); // the thread has ended
    throw error;
  } finally {
    sequence.end();
  }
  return encoded;
}
