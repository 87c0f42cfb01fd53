/**
 * Bringing spooled records into the database, oldest file first, at a pace that leaves the database to live traffic. A file
 * goes away only after everything in it was committed; what is stored twice after a crash is one by the uuid ledger.
 */
import type * as nodeFs from 'node:fs';
import type { FinishedEvent } from '#src/events/contract.ts';
import type { Clock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import type { ForwardRequest } from '#src/relay/contract.ts';
import { isUnavailable } from './deadline.ts';
import type { Note } from './notes.ts';
import { codeOf } from './spool-folder.ts';
import { readRest, recordsOf } from './spool-reading.ts';
import { type SpoolRecord, summary, type UnroutedRecord } from './spool-record.ts';
import type { SpoolFile } from './spool-writer.ts';

/** Destination of replayed records. Each function resolves after its commit and throws AppError `unavailable` or `timeout` while the database is unavailable. */
export interface SpoolSink {
  /** Asked before a file is read, which takes memory. @throws unavailable while it is known that the database is away */
  expectDatabase?(): void;
  /** Stores events; those that were stored before count as done. Data errors are its own to sort out. */
  store(events: FinishedEvent[]): Promise<void>;
  /** Processes events with a project that was unknown on receipt; an empty list when all were dropped. */
  finish(record: UnroutedRecord): Promise<FinishedEvent[]>;
  /** Counts what was noted, once for each id. */
  note?(id: string, notes: readonly Note[]): Promise<void>;
  /** Queues a request for the mirror's upstream. */
  forward?(request: ForwardRequest): Promise<void>;
}

export interface ReplayPace {
  /** Most events per second. */
  eventsPerSecond: number;
  /** Pause after a batch, as a share of the time that the batch took. */
  pauseShare: number;
}

/** 5,000/s brings ten minutes of 500 events/s back in one to two minutes. */
export const defaultPace: ReplayPace = { eventsPerSecond: 5000, pauseShare: 0.5 };

export interface ReplayParts {
  fs: typeof nodeFs;
  log: Log;
  clock: Clock;
  pace: ReplayPace;
  /** The file to read next, or null when all is stored. */
  next(): SpoolFile | null;
  /** All records of the file are stored. */
  onDone(file: SpoolFile): Promise<void>;
  /** The file cannot be read to its end or stored: it is to be kept, and not read again. */
  onUnusable(file: SpoolFile, reason: string): Promise<void>;
  onStored(events: FinishedEvent[]): void;
}

export interface Replay {
  start(sink: SpoolSink): void;
  /** There is something to do. */
  wake(): void;
  /** No pauses from now on: the process is stopping. */
  retryNow(): void;
  /** Stops after the current batch, or after `limitMs`. */
  stop(limitMs: number): Promise<void>;
}

const BATCH_EVENTS = 500;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2000;
/** A batch that is not stored for so long, while the database is not known to be away, is logged. */
const STUCK_MS = 30_000;
/** Failures of the same batch that have nothing to do with the database being away. */
const MAX_FAILURES = 5;

export function createReplay({ fs, log, clock, pace, next, onDone, onUnusable, onStored }: ReplayParts): Replay {
  let isStopped = false;
  let isHurried = false;
  let isFlowing = true;
  let ended: Promise<void> | null = null;
  let wakeUp: (() => void) | null = null;

  /** Sleeps, at most until woken; for ever when `ms` is null. */
  function sleep(ms: number | null): Promise<void> {
    if (isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = ms === null ? null : setTimeout(end, ms);
      function end() {
        if (timer) clearTimeout(timer);
        wakeUp = null;
        resolve();
      }
      wakeUp = end;
    });
  }

  async function run(sink: SpoolSink): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    let failures = 0;
    const stuck = createStuckLog(log, clock);
    while (!isStopped) {
      const file = next();
      if (!file) {
        await sleep(null);
        continue;
      }
      const from = file.replayedBytes;
      try {
        await replayFile(file, sink);
        isFlowing = true;
        waitMs = FIRST_WAIT_MS;
        failures = 0;
        stuck.end();
      } catch (error) {
        const progressed = file.replayedBytes > from;
        failures = isDefinite(error) ? (progressed ? 1 : failures + 1) : 0;
        // An unavailable database is logged where it is detected.
        if (failures > 0 || (isFlowing && !isUnavailable(error)))
          log.warn({ err: error, file: file.path }, 'failed to store spooled events; will retry');
        isFlowing = false;
        if (progressed || isKnownAway(sink)) stuck.end();
        else stuck.note(error);
        if (failures >= MAX_FAILURES) {
          failures = 0;
          await giveUp(file, isUnreadable(error) ? 'it is unreadable' : 'its events were rejected');
        } else {
          await pause(waitMs);
          waitMs = progressed ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS);
        }
      }
    }
  }

  /** Never throws: a disk that renames nothing must not end the process. */
  async function giveUp(file: SpoolFile, reason: string): Promise<void> {
    try {
      await onUnusable(file, reason);
    } catch (error) {
      log.error({ err: error, file: file.path }, 'failed to quarantine a spool file');
      await pause(LONGEST_WAIT_MS);
    }
  }

  /** A pause that new records do not shorten. */
  async function pause(ms: number): Promise<void> {
    const until = clock.elapsed() + ms;
    for (let left = ms; left > 0 && !isStopped; left = until - clock.elapsed()) await sleep(left);
  }

  async function replayFile(file: SpoolFile, sink: SpoolSink): Promise<void> {
    sink.expectDatabase?.();
    const bytes = await readRest(fs, file);
    if (bytes === null) return onDone(file);
    const base = file.replayedBytes;
    let batch: FinishedEvent[] = [];
    let spooled = 0;
    let offset = 0;

    const flush = async () => {
      const startedAt = clock.elapsed();
      if (batch.length > 0) await sink.store(batch);
      const tookMs = clock.elapsed() - startedAt;
      onStored(batch);
      file.replayedBytes = base + offset;
      file.replayedEvents += spooled;
      const restMs = Math.max((batch.length / pace.eventsPerSecond) * 1000 - tookMs, tookMs * pace.pauseShare);
      isFlowing = true;
      batch = [];
      spooled = 0;
      if (!isHurried && !isStopped) await pause(restMs);
    };

    for (const { record, end } of recordsOf(file, bytes, log)) {
      if (isStopped) return;
      if (record !== null) {
        batch.push(...(await eventsOf(record, sink)));
        spooled += summary(record).count;
      }
      offset = end;
      if (batch.length >= BATCH_EVENTS) await flush();
    }
    if (isStopped) return;
    if (offset > 0) await flush();
    if (file.isNewer) await onUnusable(file, file.damage ?? 'it contains records of a newer version');
    else if (file.damage === null) await onDone(file);
    else await onUnusable(file, file.damage);
  }

  function wake(): void {
    wakeUp?.();
  }

  return {
    start(sink) {
      ended ??= run(sink);
    },
    wake,
    retryNow() {
      isHurried = true;
      wake();
    },
    async stop(limitMs) {
      isStopped = true;
      wake();
      if (!ended) return;
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      await Promise.race([ended, limit]);
      clearTimeout(timer);
    },
  };
}

/** Passes on what a record holds besides events. @returns its events, which are stored in batches */
async function eventsOf(record: SpoolRecord, sink: SpoolSink): Promise<FinishedEvent[]> {
  if (record.kind === 'events') return record.events;
  if (record.kind === 'unrouted') return sink.finish(record.record);
  if (record.kind === 'notes') await sink.note?.(record.id, record.notes);
  else await sink.forward?.(record.request);
  return [];
}

/** One line for each time that spooled events stay where they are although the database is available. */
function createStuckLog(log: Pick<Log, 'error'>, clock: Pick<Clock, 'elapsed'>) {
  let sinceMs: number | null = null;
  let isLogged = false;
  return {
    note(error: unknown): void {
      sinceMs ??= clock.elapsed();
      if (isLogged || clock.elapsed() - sinceMs < STUCK_MS) return;
      isLogged = true;
      log.error({ err: error }, 'spooled events cannot be stored although the database is available; will retry');
    },
    end(): void {
      sinceMs = null;
      isLogged = false;
    },
  };
}

function isKnownAway(sink: SpoolSink): boolean {
  try {
    sink.expectDatabase?.();
    return false;
  } catch {
    return true;
  }
}

/** True when trying again later cannot help: a mistake in the data or in our code, not an outage. */
function isDefinite(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'invalid' || error.code === 'too_large';
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return true;
  return isUnreadable(error) || /^(22|23|42)/.test(codeOf(error));
}

/** The disk gives back an error for what it holds. */
function isUnreadable(error: unknown): boolean {
  return codeOf(error) === 'EIO';
}
