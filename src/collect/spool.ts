/**
 * The spool: files on disk that hold finished events while PostgreSQL is away, written so that an answer of 200 may rely on them.
 * On a durable disk a spooled event counts as stored. On an ephemeral one (a container's own disk) events
 * are written and the client still gets a 503, so that nothing is acknowledged that a restart of the platform could erase.
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
import { createSpoolFiles, type SpoolLeft } from './spool-files.ts';
import { claimFolder } from './spool-folder.ts';
import { encodeRecord, type SpoolRecord, summary, type UnroutedRecord } from './spool-record.ts';
import { createReplay, defaultPace, type ReplayPace, type SpoolSink } from './spool-replay.ts';
import { createRescued } from './spool-rescued.ts';
import { startUpkeep } from './spool-upkeep.ts';
import { createSpoolWriter, defaultLimits, type SpoolFile, type SpoolLimits } from './spool-writer.ts';

export type { UnroutedRecord } from './spool-record.ts';
export type { SpoolSink } from './spool-replay.ts';

/** Events, requests and notes that cannot be written to the database now. */
export type Kept = FinishedEvent[] | UnroutedRecord | { forward: ForwardRequest } | NoteSet;

export interface SpoolOptions {
  /** Root of all processes' folders. */
  dir: string;
  /** True when data on this disk survives everything but the loss of the disk. */
  durable: boolean;
  fs: typeof nodeFs;
  log: Log;
  clock: Clock;
  limits?: Partial<SpoolLimits>;
  pace?: Partial<ReplayPace>;
}

export interface SpoolStats extends SpoolLeft {
  durable: boolean;
  dir: string;
  /** Name of this process's folder, and of adopted ones. */
  folder: string;
  taken: readonly string[];
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
   * Writes and syncs. On an ephemeral disk events that are already spooled are skipped, so that retries do not fill it; the
   * caller still responds with 503.
   * @throws AppError `unavailable` when the record cannot be written
   */
  append(record: Kept): Promise<void>;
  /** Replays spooled records, present and future, to `sink`; also those of dead processes. Runs until `close`. */
  replay(sink: SpoolSink): void;
  stats(): SpoolStats;
  /**
   * Stops taking records. A durable spool keeps what is left for the next start; an ephemeral one spends up to `graceMs` on bringing
   * it into the database, and logs what then remains.
   */
  close(graceMs?: number): Promise<void>;
}

/** Folder of the spool, and whether its disk is durable: next to the database, or in SPOOL_DIR. */
export function spoolPlace(config: Pick<Config, 'SPOOL_DIR' | 'DATABASE_URL'>): { dir: string; durable: boolean } {
  if (config.SPOOL_DIR !== undefined) return { dir: resolve(config.SPOOL_DIR), durable: true };
  return isDatabaseHere(config)
    ? { dir: resolve('.luneta', 'spool'), durable: true }
    : { dir: join(tmpdir(), 'luneta-spool'), durable: false };
}

/** Events of one request go into records of this size, so that reading them back needs little memory. */
const RECORD_EVENTS = 500;
const DEFAULT_GRACE_MS = 25_000;

/** Claims a folder below `dir`. @throws the file system's error when the disk cannot be written */
export async function openSpool({ dir, durable, fs, log, clock, limits, pace }: SpoolOptions): Promise<Spool> {
  const folder = await claimFolder({ fs, log, clock }, dir);
  const rescued = durable ? null : createRescued();
  const counts = { spooled: 0, replayed: 0, refused: 0, setAside: 0 };
  let lastProblem: SpoolStats['lastProblem'] = null;
  let isClosed = false;
  let hasSink = false;

  const files = createSpoolFiles(() => writer.current);
  const writer = createSpoolWriter({
    fs,
    log,
    folder,
    limits: { ...defaultLimits, ...limits },
    usedBytes: files.usedBytes,
    onSealed: files.add,
  });
  const replay = createReplay({
    fs,
    log,
    clock,
    pace: { ...defaultPace, ...pace },
    next: files.next,
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
      rescued?.remove(events);
    },
  });
  const upkeep = startUpkeep({
    fs,
    log,
    folder,
    onAdopted(file) {
      files.add(file);
      replay.wake();
    },
  });

  function forget(file: SpoolFile): void {
    files.remove(file);
    if (files.all().length === 0) rescued?.clear();
  }

  function report(message: string): void {
    lastProblem = { at: clock.now(), message };
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
    const missing = rescued?.missing(events) ?? events;
    const records: Promise<void>[] = [];
    for (let at = 0; at < missing.length; at += RECORD_EVENTS) {
      records.push(keep({ kind: 'events', events: missing.slice(at, at + RECORD_EVENTS) }));
    }
    await Promise.all(records);
    rescued?.addEvents(missing);
  }

  async function appendUnrouted(record: UnroutedRecord): Promise<void> {
    if (rescued?.hasAll(record)) return;
    await keep({ kind: 'unrouted', record });
    rescued?.addUnrouted(record);
  }

  async function drain(graceMs: number): Promise<void> {
    const until = clock.elapsed() + graceMs;
    replay.retryNow();
    while (files.all().length > 0 && clock.elapsed() < until) await new Promise((wake) => setTimeout(wake, 50));
  }

  function logLeft(): void {
    const left = files.all();
    if (left.length === 0) return;
    const note = { events: files.left().events, files: left.map((file) => file.path) };
    if (durable) log.info(note, 'events remain in the spool until the next start');
    else log.error(note, 'spooled events are on a disk that may not be persistent');
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
      upkeep.adopt();
      replay.start(sink);
    },
    stats: () => ({
      durable,
      dir: folder.path,
      folder: folder.id,
      taken: folder.taken,
      ...files.left(),
      ...counts,
      lastProblem,
    }),
    async close(graceMs = DEFAULT_GRACE_MS) {
      isClosed = true;
      upkeep.stop();
      if (!durable && hasSink) await drain(graceMs);
      await replay.stop(3000);
      await upkeep.settled();
      await writer.seal();
      logLeft();
      await folder.release();
    },
  };
}

/** The message of what lies behind an error that is worded for clients. */
function reasonOf(error: unknown): string {
  const behind = (error as { cause?: unknown }).cause ?? error;
  return (behind as { message?: string }).message ?? 'unknown reason';
}
