/**
 * The spool: files on disk that hold finished events while PostgreSQL is away, written so that an answer of 200 may rely on them.
 * On a durable disk a spooled event is a kept event. On an ephemeral one (a container's own disk) the spool is a rescue: events
 * are written and the client is still told 503, so that nothing is acknowledged that a restart of the platform could erase.
 */
import type * as nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '#src/config.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import type { Clock } from '#src/kit/clock.ts';
import { unavailable } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import type { ForwardRequest } from '#src/relay/contract.ts';
import { isDatabaseHere } from '#src/store/here.ts';
import type { NoteSet } from './notes.ts';
import { claimFolder } from './spool-folder.ts';
import { encodeRecord, type SpoolRecord, summary, surveyRecords, type UnroutedRecord } from './spool-record.ts';
import { createReplay, defaultPace, type ReplayPace, type SpoolSink } from './spool-replay.ts';
import { createSpoolWriter, defaultLimits, type SpoolFile, type SpoolLimits } from './spool-writer.ts';

export type { UnroutedRecord } from './spool-record.ts';
export type { SpoolSink } from './spool-replay.ts';

/** Events, requests and notes that cannot be written to the database now. */
export type Kept = FinishedEvent[] | UnroutedRecord | { forward: ForwardRequest } | NoteSet;

export interface SpoolOptions {
  /** Root of all processes' folders. */
  dir: string;
  /** Whether what is on this disk survives everything but the loss of the disk. */
  durable: boolean;
  fs: typeof nodeFs;
  log: Log;
  clock: Clock;
  limits?: Partial<SpoolLimits>;
  pace?: Partial<ReplayPace>;
}

export interface SpoolStats {
  durable: boolean;
  dir: string;
  /** Name of this process's folder, and of those whose files it took over. */
  folder: string;
  taken: readonly string[];
  /** Events on disk that are not in the database. */
  events: number;
  bytes: number;
  files: number;
  /** Receipt of the oldest of them, ms; null when there are none. */
  oldestAt: number | null;
  /** Events since the process started: written to disk, brought into the database, and not kept. */
  spooled: number;
  replayed: number;
  refused: number;
  /** Files that were kept aside since the process started: damaged, or with records of a newer version. */
  setAside: number;
  lastProblem: { at: number; message: string } | null;
}

export interface Spool {
  readonly durable: boolean;
  /**
   * Writes and syncs. On an ephemeral disk events that are spooled already are left out, so that retries do not fill it; the
   * caller then still answers 503.
   * @throws AppError `unavailable` when the record cannot be kept
   */
  append(record: Kept): Promise<void>;
  /** Begins to bring what is spooled, now and later, to `sink`; also what dead processes left. Goes on until `close`. */
  replay(sink: SpoolSink): void;
  stats(): SpoolStats;
  /**
   * Stops taking records. A durable spool keeps what is left for the next start; an ephemeral one spends up to `graceMs` on bringing
   * it into the database, and logs what then remains.
   */
  close(graceMs?: number): Promise<void>;
}

/** Where the spool is and what its disk is worth: durable next to the database or where SPOOL_DIR says so. */
export function spoolPlace(config: Pick<Config, 'SPOOL_DIR' | 'DATABASE_URL'>): { dir: string; durable: boolean } {
  if (config.SPOOL_DIR !== undefined) return { dir: resolve(config.SPOOL_DIR), durable: true };
  return isDatabaseHere(config)
    ? { dir: resolve('.luneta', 'spool'), durable: true }
    : { dir: join(tmpdir(), 'luneta-spool'), durable: false };
}

/** Events of one request go into records of this size, so that reading them back needs little memory. */
const RECORD_EVENTS = 500;
const BEAT_MS = 10_000;
const BEATS_PER_ADOPTION = 3;
const DEFAULT_GRACE_MS = 25_000;
/** Beyond this many (some 50 MB of memory) retries are written again; the uuid ledger makes them one in the end. */
const MAX_RESCUED = 500_000;

/** Claims a folder below `dir`. @throws the file system's error when the disk cannot be written */
export async function openSpool({ dir, durable, fs, log, clock, limits, pace }: SpoolOptions): Promise<Spool> {
  const folder = await claimFolder({ fs, log, clock }, dir);
  const sealed: SpoolFile[] = [];
  /** Rescue only: what is on disk, so that a client's retry is not written again. */
  const rescued = new Set<string>();
  const counts = { spooled: 0, replayed: 0, refused: 0, setAside: 0 };
  let lastProblem: SpoolStats['lastProblem'] = null;
  let isClosed = false;

  const files = () => (writer.current ? [...sealed, writer.current] : sealed);
  const sum = (of: (file: SpoolFile) => number) => files().reduce((total, file) => total + of(file), 0);
  const eventsLeft = () => sum((file) => file.events - file.replayedEvents);

  const writer = createSpoolWriter({
    fs,
    log,
    folder,
    limits: { ...defaultLimits, ...limits },
    usedBytes: () => sum((file) => file.bytes),
    onSealed: (file) => sealed.push(file),
  });

  const replay = createReplay({
    fs,
    log,
    clock,
    pace: { ...defaultPace, ...pace },
    next: () => files().find((file) => file.bytes > file.replayedBytes || file !== writer.current) ?? null,
    async onDone(file) {
      if (file === writer.current) {
        await writer.seal();
        if (file.bytes > file.replayedBytes) return;
      }
      await fs.promises.rm(file.path, { force: true });
      forget(file);
    },
    async onUnusable(file, reason) {
      if (file === writer.current) await writer.seal();
      const aside = await folder.setAside(file.path, file.isNewer ? 'newer' : 'damaged');
      counts.setAside++;
      report(`Spool file quarantined: ${reason}.`);
      log.error({ file: aside, reason }, 'corrupt spool file quarantined; all readable records stored');
      forget(file);
    },
    onStored(events) {
      counts.replayed += events.length;
      if (!durable) for (const event of events) rescued.delete(`${event.projectId}/${event.uuid}`);
    },
  });

  function forget(file: SpoolFile): void {
    const at = sealed.indexOf(file);
    if (at !== -1) sealed.splice(at, 1);
    if (files().length === 0) rescued.clear();
  }

  function report(message: string): void {
    lastProblem = { at: clock.now(), message };
  }

  async function adopt(): Promise<void> {
    for (const { path, isLast } of await folder.adopt()) {
      const survey = await surveyed(path);
      sealed.push({ path, ...survey, replayedBytes: 0, replayedEvents: 0, damage: null, isNewer: false, isLast });
      replay.wake();
    }
  }

  /** A file that cannot be read now is not forgotten: those after it come in their turn, and replay tries it again. */
  async function surveyed(path: string): Promise<Pick<SpoolFile, 'bytes' | 'events' | 'oldestAt'>> {
    try {
      const bytes = await fs.promises.readFile(path);
      return { bytes: bytes.length, ...surveyRecords(bytes) };
    } catch (error) {
      log.error({ err: error, file: path }, 'failed to read a spool file');
      const { size } = await fs.promises.stat(path);
      return { bytes: size, events: 0, oldestAt: null };
    }
  }

  let beats = 0;
  let background: Promise<void> = Promise.resolve();
  const beating = setInterval(() => {
    const adopting = beats++ % BEATS_PER_ADOPTION === 0;
    inBackground(async () => {
      await folder.beat();
      if (adopting && hasSink) await adopt();
    });
  }, BEAT_MS).unref();
  let hasSink = false;

  function inBackground(work: () => Promise<void>): void {
    background = background.then(work).catch((error: unknown) => {
      log.error({ err: error }, 'spool folder maintenance failed');
    });
  }

  async function keep(record: SpoolRecord): Promise<void> {
    const { count, oldestAt } = summary(record);
    try {
      if (isClosed) throw unavailable('Server is shutting down. Retry in a moment.');
      await writer.append({ bytes: encodeRecord(record), events: count, oldestAt });
    } catch (error) {
      counts.refused += count;
      report(`Failed to write events to the spool: ${reasonOf(error)}.`);
      throw error;
    }
    counts.spooled += count;
    replay.wake();
  }

  async function appendEvents(events: FinishedEvent[]): Promise<void> {
    const fresh = durable ? events : events.filter((event) => !rescued.has(`${event.projectId}/${event.uuid}`));
    const records: Promise<void>[] = [];
    for (let at = 0; at < fresh.length; at += RECORD_EVENTS) {
      records.push(keep({ kind: 'events', events: fresh.slice(at, at + RECORD_EVENTS) }));
    }
    await Promise.all(records);
    if (!durable) remember(fresh.map((event) => `${event.projectId}/${event.uuid}`));
  }

  async function appendUnrouted(record: UnroutedRecord): Promise<void> {
    const keys = durable ? [] : record.uuids.map((uuid) => `${record.token}/${uuid}`);
    if (keys.length > 0 && keys.every((key) => rescued.has(key))) return;
    await keep({ kind: 'unrouted', record });
    remember(keys);
  }

  function remember(keys: string[]): void {
    if (rescued.size + keys.length <= MAX_RESCUED) for (const key of keys) rescued.add(key);
  }

  async function drain(graceMs: number): Promise<void> {
    const until = clock.elapsed() + graceMs;
    replay.retryNow();
    while (files().length > 0 && clock.elapsed() < until) await new Promise((wake) => setTimeout(wake, 50));
  }

  return {
    durable,
    async append(record) {
      if (Array.isArray(record)) await appendEvents(record);
      else if ('forward' in record) await keep({ kind: 'forward', request: record.forward });
      else if ('notes' in record) await keep({ kind: 'notes', ...record });
      else await appendUnrouted(record);
    },
    replay(sink) {
      hasSink = true;
      inBackground(adopt);
      replay.start(sink);
    },
    stats() {
      const oldest = files().map((file) => file.oldestAt ?? Number.POSITIVE_INFINITY);
      const oldestAt = Math.min(...oldest);
      return {
        durable,
        dir: folder.path,
        folder: folder.id,
        taken: folder.taken,
        events: eventsLeft(),
        bytes: sum((file) => file.bytes - file.replayedBytes),
        files: files().length,
        oldestAt: Number.isFinite(oldestAt) ? oldestAt : null,
        ...counts,
        lastProblem,
      };
    },
    async close(graceMs = DEFAULT_GRACE_MS) {
      isClosed = true;
      clearInterval(beating);
      if (!durable && hasSink) await drain(graceMs);
      await replay.stop(3000);
      await background;
      await writer.seal();
      const left = files();
      if (left.length > 0) {
        const note = { events: eventsLeft(), files: left.map((file) => file.path) };
        if (durable) log.info(note, 'events remain in the spool until the next start');
        else log.error(note, 'spooled events are on a disk that may not be persistent');
      }
      await folder.release();
    },
  };
}

/** The message of what lies behind an error that is worded for clients. */
function reasonOf(error: unknown): string {
  const behind = (error as { cause?: unknown }).cause ?? error;
  return (behind as { message?: string }).message ?? 'unknown reason';
}
