/**
 * The format of a backup: one gzip'd text. `zcat` shows it, and any tool that reads COPY's text format can load its tables.
 *
 * ```
 * {"luneta":"backup","version":1,"madeAt":…,"migrations":[…],"partitions":[…],"sequences":[…]}
 * {"table":"projects","columns":["id","name",…]}
 * 1⇥Shop⇥…                                   rows in COPY's text format (PostgreSQL manual, COPY, "Text Format")
 * \.                                          alone on a line: the end of the table
 * … the further tables …
 * {"end":true,"rows":{"projects":1,…}}        last line: without it the file is cut off
 * ```
 */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { AppError } from '../kit/errors.ts';

export interface BackupHeader {
  luneta: 'backup';
  version: 1;
  /** Milliseconds since 1970. */
  madeAt: number;
  /** Migrations that the database had, in order. */
  migrations: string[];
  /** Partitions, parents first, with their bounds as PostgreSQL writes them. */
  partitions: { name: string; parent: string; bound: string }[];
  /** Sequences that have been used, with their last value. */
  sequences: { name: string; last: number }[];
}

export interface TableHeader {
  table: string;
  columns: string[];
}

export interface BackupEnd {
  end: true;
  rows: Record<string, number>;
}

/** Terminator of a table's rows. */
export const END_OF_ROWS = '\\.\n';

/** Reads a backup sequentially; call its methods in the order of the file. */
export interface BackupReader {
  header(): Promise<BackupHeader>;
  /** The next table, or the end. */
  next(): Promise<TableHeader | BackupEnd>;
  /** The rows of the table that `next` has just announced, in pieces of any size. */
  rows(): AsyncGenerator<Buffer>;
  close(): void;
}

/** @throws AppError invalid (field `file`), from each step, when the file is not a whole backup */
export function openBackup(path: string): BackupReader {
  const source = createReadStream(path);
  const text = createGunzip();
  source.on('error', (error) => text.destroy(error));
  const pieces = source.pipe(text)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let held: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const { value, done } = await pieces.next().catch((error: Error) => {
      throw notABackup(path, error);
    });
    if (done) return false;
    held = held.length === 0 ? value : Buffer.concat([held, value]);
    return true;
  }

  async function line(): Promise<unknown> {
    for (let from = 0; ; ) {
      const end = held.indexOf(10, from);
      if (end >= 0) {
        const text = held.toString('utf8', 0, end);
        held = held.subarray(end + 1);
        try {
          return JSON.parse(text);
        } catch (error) {
          throw notABackup(path, error);
        }
      }
      from = held.length;
      // A first line without an end is no backup: do not read it all into memory.
      if (held.length > 16_000_000 || !(await more())) throw notABackup(path);
    }
  }

  return {
    async header() {
      const header = (await line()) as Partial<BackupHeader>;
      if (header?.luneta !== 'backup') throw notABackup(path);
      if (header.version === 1) return header as BackupHeader;
      throw new AppError('invalid', `${path} was created by a newer version of Luneta. Restore it with that version.`, {
        field: 'file',
      });
    },
    async next() {
      const header = (await line()) as TableHeader | BackupEnd;
      if (!('table' in header) && !('end' in header)) throw notABackup(path);
      return header;
    },
    async *rows() {
      let atLineStart = true;
      for (;;) {
        if (atLineStart && held.length < 3 && !(await more())) throw notABackup(path);
        if (atLineStart && held.length < 3) continue;
        if (atLineStart && held.subarray(0, 3).equals(Buffer.from(END_OF_ROWS))) {
          held = held.subarray(3);
          return;
        }
        const end = held.indexOf(`\n${END_OF_ROWS}`);
        if (end >= 0) {
          yield held.subarray(0, end + 1);
          held = held.subarray(end + 1);
          atLineStart = true;
          continue;
        }
        // The chunk may end within the terminator: keep its possible beginning.
        const safe = Math.max(0, held.length - 3);
        if (safe > 0) {
          atLineStart = held[safe - 1] === 10;
          yield held.subarray(0, safe);
          held = held.subarray(safe);
        }
        if (!(await more())) throw notABackup(path);
      }
    },
    close() {
      source.destroy();
      text.destroy();
    },
  };
}

function notABackup(path: string, cause?: unknown): AppError {
  const isAbsent = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  const message = isAbsent
    ? `File not found: ${path}`
    : `${path} is not a complete Luneta backup. It is truncated or another kind of file.`;
  return new AppError('invalid', message, { field: 'file', cause });
}
