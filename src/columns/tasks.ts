/** What threads are asked to do, and the doing itself. Pure: runs in a thread or, without threads, in place. */
import { type EncodedChunk, encodeEvents, encodeSessions } from './encode.ts';

/** Rows by COPY to columns. */
export interface EncodeTask {
  task: 'encodeEvents' | 'encodeSessions';
  rows: Uint8Array<ArrayBuffer>;
  /** Only these properties. */
  only?: readonly string[];
  /** Columns in memory that all threads see. */
  shared: boolean;
}

export type Task = EncodeTask;

/** What a task gives. */
export type ResultOf<Asked extends Task> = Asked extends EncodeTask ? EncodedChunk[] : never;

export function perform(task: Task): EncodedChunk[] {
  switch (task.task) {
    case 'encodeEvents':
      return placed(encodeEvents(task.rows, task.only), task.shared);
    case 'encodeSessions': {
      const chunk = encodeSessions(task.rows);
      return placed(chunk === null ? [] : [chunk], task.shared);
    }
  }
}

function placed(chunks: EncodedChunk[], shared: boolean): EncodedChunk[] {
  if (!shared) return chunks;
  for (const { columns } of chunks) for (const [name, bytes] of columns) columns.set(name, sharedCopy(bytes));
  return chunks;
}

/** The same bytes in memory that all threads see. */
export function sharedCopy(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

/** Memory of a task or a result that may move to the other thread instead of being copied. */
export function movable(message: Task | EncodedChunk[]): ArrayBuffer[] {
  if (!Array.isArray(message)) return [message.rows.buffer];
  return message.flatMap(({ columns }) =>
    [...columns.values()].flatMap(({ buffer }) => (buffer instanceof SharedArrayBuffer ? [] : [buffer])),
  );
}
