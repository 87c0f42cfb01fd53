/**
 * Appending to the spool. All records that wait when the previous sync ends are written and synced together. A sync that
 * failed is never tried again, since the kernel may have dropped the pages and report success the second time: those requests
 * are refused and the next ones get a new file.
 */
import type * as nodeFs from 'node:fs';
import { unavailable } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import { type SpoolFolder, unlessMissing } from './spool-folder.ts';

export interface SpoolLimits {
  /** Size at which the next file is begun. */
  fileBytes: number;
  /** Most that all files together may hold; never more than half of what is free. */
  maxBytes: number;
  /** Bytes that must stay free on the disk. */
  keepFreeBytes: number;
}

export const defaultLimits: SpoolLimits = {
  fileBytes: 16 * 1024 * 1024,
  maxBytes: 1024 * 1024 * 1024,
  keepFreeBytes: 256 * 1024 * 1024,
};

/** A file with records that were synced. */
export interface SpoolFile {
  path: string;
  /** Synced bytes; what lies behind them counts for nothing. */
  bytes: number;
  events: number;
  oldestAt: number | null;
  /** Bytes that were stored in the database already. */
  replayedBytes: number;
  replayedEvents: number;
  /** Description of damage in the file; reading may have resumed after it. */
  damage: string | null;
  /** It holds records of a version that is not known here: another start, maybe of that version, reads it again. */
  isNewer: boolean;
  /** The last file that its process wrote: a bad end is then a write that was cut short, not damage. */
  isLast: boolean;
}

export interface PendingRecord {
  bytes: Buffer;
  events: number;
  oldestAt: number;
}

export interface SpoolWriter {
  /** Resolves when the record is on disk. @throws AppError `unavailable` when it cannot be kept */
  append(record: PendingRecord): Promise<void>;
  /** The file being written, if any. */
  readonly current: SpoolFile | null;
  /** Closes the current file, which joins the sealed ones. Waits for the current sync. */
  seal(): Promise<void>;
}

export interface WriterParts {
  fs: typeof nodeFs;
  log: Log;
  folder: SpoolFolder;
  limits: SpoolLimits;
  /** Bytes in all files of the folder. */
  usedBytes(): number;
  /** Takes a file that is not written any more. */
  onSealed(file: SpoolFile): void;
}

interface Waiting extends PendingRecord {
  resolve(): void;
  reject(error: unknown): void;
}

/** Most bytes of one write and sync. */
const GROUP_BYTES = 4 * 1024 * 1024;
/** How much may be appended before the disk is asked again what is free. */
const RECHECK_BYTES = 1024 * 1024;

export function createSpoolWriter({ fs, log, folder, limits, usedBytes, onSealed }: WriterParts): SpoolWriter {
  const waiting: Waiting[] = [];
  let open: { handle: nodeFs.promises.FileHandle; inode: number; file: SpoolFile } | null = null;
  /** Everything that touches the open file, one after the other. */
  let turn: Promise<void> = Promise.resolve();
  let isRunning = false;
  let allowance = 0;

  function exclusively(work: () => Promise<void>): Promise<void> {
    turn = turn.then(work);
    return turn;
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) await exclusively(() => commit(takeGroup()));
    isRunning = false;
  }

  function takeGroup(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const record of waiting) {
      if (count > 0 && bytes + record.bytes.length > GROUP_BYTES) break;
      bytes += record.bytes.length;
      count++;
    }
    return waiting.splice(0, count);
  }

  /** Writes and syncs a group, then answers each of its requests. Never throws. */
  async function commit(group: Waiting[]): Promise<void> {
    const bytes = group.length === 1 ? (group[0] as Waiting).bytes : Buffer.concat(group.map((record) => record.bytes));
    try {
      await checkRoom(bytes.length);
      if (open && open.file.bytes > 0 && open.file.bytes + bytes.length > limits.fileBytes) await closeCurrent();
      open ??= await begin();
      await writeAll(open.handle, bytes, open.file.bytes);
      await open.handle.datasync();
      // Another process may have adopted the folder: later writes would never be read.
      const { ino } = await fs.promises.stat(open.file.path);
      if (ino !== open.inode) throw new Error(`${open.file.path} was taken over by another process`);
    } catch (error) {
      await retire();
      const refusal = unavailable('Events can’t be buffered right now. Retry in a moment.', 5, error);
      for (const { reject } of group) reject(refusal);
      return;
    }
    const { file } = open;
    file.bytes += bytes.length;
    allowance -= bytes.length;
    for (const { events, oldestAt, resolve } of group) {
      file.events += events;
      file.oldestAt = Math.min(file.oldestAt ?? oldestAt, oldestAt);
      resolve();
    }
  }

  async function checkRoom(bytes: number): Promise<void> {
    if (allowance >= bytes) return;
    const { bavail, bsize } = await fs.promises.statfs(folder.path);
    const free = bavail * bsize;
    const used = usedBytes();
    const room = Math.min(Math.min(limits.maxBytes, (free + used) / 2) - used, free - limits.keepFreeBytes);
    if (room < bytes) throw new Error(`spool full: ${used} bytes used, ${free} bytes free on its disk`);
    allowance = Math.min(room, Math.max(RECHECK_BYTES, bytes));
  }

  async function begin(): Promise<NonNullable<typeof open>> {
    const path = folder.nextFile();
    const handle = await fs.promises.open(path, 'wx', 0o600);
    try {
      const { ino } = await handle.stat();
      await folder.sync();
      const file = {
        path,
        bytes: 0,
        events: 0,
        oldestAt: null,
        replayedBytes: 0,
        replayedEvents: 0,
        damage: null,
        isNewer: false,
        isLast: false,
      };
      return { handle, inode: ino, file };
    } catch (error) {
      await closeQuietly(handle);
      throw error;
    }
  }

  async function closeCurrent(): Promise<void> {
    if (!open) return;
    const { handle, file } = open;
    open = null;
    onSealed(file);
    await closeQuietly(handle);
  }

  /** Retires a file after a failed write or sync; earlier synced records remain valid. */
  async function retire(): Promise<void> {
    allowance = 0;
    if (!open) return;
    const { handle, file } = open;
    open = null;
    try {
      await handle.truncate(file.bytes);
      if (file.bytes === 0) await unlessMissing(fs.promises.unlink(file.path));
    } catch (error) {
      log.warn({ err: error, file: file.path }, 'failed to truncate a spool file to its last valid record');
    }
    if (file.bytes > 0) onSealed(file);
    await closeQuietly(handle);
  }

  async function closeQuietly(handle: nodeFs.promises.FileHandle): Promise<void> {
    try {
      await handle.close();
    } catch (error) {
      log.warn({ err: error }, 'failed to close a spool file');
    }
  }

  return {
    append(record) {
      return new Promise((resolve, reject) => {
        waiting.push({ ...record, resolve, reject });
        if (!isRunning) void run();
      });
    },
    get current() {
      return open?.file ?? null;
    },
    seal: () => exclusively(closeCurrent),
  };
}

async function writeAll(handle: nodeFs.promises.FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw new Error('short write: no more bytes accepted by the disk');
    done += bytesWritten;
  }
}
