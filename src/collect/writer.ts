/**
 * Adaptive group commit. Two lanes write (`lanes.ts`), at most 1,000 events in one transaction (`batch-store.ts`), and the waiting requests
 * are answered after its commit. When the database is away (`availability.ts`), or a batch takes longer than two seconds, its events go to
 * the spool (`keep.ts`).
 */
import type { Pool } from 'pg';
import type { FinishedEvent } from '#src/events/contract.ts';
import type { Clock } from '#src/kit/clock.ts';
import { unavailable } from '#src/kit/errors.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { isLate } from '#src/kit/late.ts';
import type { Log } from '#src/kit/log.ts';
import { isDataError } from '#src/store/db.ts';
import { createAvailability } from './availability.ts';
import { createBatchStore, type EventStore, NO_NOTES, type WriteOutcome, type WritePolicy } from './batch-store.ts';
import { cannotStore, DATABASE_TIMEOUT_MS, isUnavailable, withDeadline } from './deadline.ts';
import { createKeeper } from './keep.ts';
import type { Piece } from './lane-queues.ts';
import { createLanes } from './lanes.ts';
import { createLateNotes } from './late-notes.ts';
import { createLatencies, type LatencySteps, type Percentiles, percentilesOf } from './latencies.ts';
import type { Note, NoteSet } from './notes.ts';
import type { Spool } from './spool.ts';
import { storeWithSplitting } from './store-with-splitting.ts';
import { countOnce } from './warnings.ts';

export interface WriterStats {
  isStoring: boolean;
  /** It does not store because the database is slow, as opposed to away. */
  isSlow: boolean;
  /** Events waiting for a lane. */
  waiting: number;
  batches: number;
  batchedEvents: number;
  stored: number;
  duplicates: number;
  unstorable: number;
  spooled: number;
  /** Requests that could be promised nothing. */
  refused: number;
  lastBatchMs: number;
  /** From asking to commit, over the last minute. */
  latencyMs: Percentiles | null;
  latencies: LatencySteps;
}

export interface Writer {
  /**
   * Resolves when the events are committed, or spooled on a durable disk; one outcome per event.
   * @throws unavailable when neither can be promised: the client has to send them again
   */
  write(events: FinishedEvent[], notes?: readonly Note[]): Promise<WriteOutcome[]>;
  /** Check before a replay. @throws unavailable while the database is known to be unavailable */
  expectDatabase(): void;
  /** Stores replayed events; never spools. @throws unavailable */
  store(events: FinishedEvent[]): Promise<void>;
  stats(): WriterStats;
  /** Writes what waits, then refuses. */
  stop(): Promise<void>;
}

export interface WriterParts {
  pool: Pool;
  events: EventStore;
  /** Null: no disk to write to. */
  spool: Spool | null;
  clock: Clock;
  log: Log;
  /** Called when it turns out that the database is away, or back. */
  onTurn?(): void;
}

export interface WriterLimits {
  lanes: number;
  batchEvents: number;
  /** A batch that takes longer goes to the spool. */
  timeoutMs: number;
  /** The same for replayed events, which no client waits for. */
  replayTimeoutMs: number;
}

export const writerLimits: WriterLimits = {
  lanes: 2,
  batchEvents: 1_000,
  timeoutMs: DATABASE_TIMEOUT_MS,
  replayTimeoutMs: 10_000,
};
const RETRY_AFTER_SEC = 5;

export function createWriter(parts: WriterParts, limits: WriterLimits = writerLimits): Writer {
  const { pool, events, spool, clock, log, onTurn } = parts;
  const count = (sets: readonly NoteSet[]) => countNotes(parts, sets);
  const late = createLateNotes({
    count,
    clock,
    onFailure: (error) => log.warn({ err: error }, 'failed to write ingestion warnings; will retry'),
  });
  const live: WritePolicy = {
    timeoutMs: limits.timeoutMs,
    countsCopies: true,
    noteDropped: async (set) => late.add(set),
  };
  const replayed: WritePolicy = {
    timeoutMs: limits.replayTimeoutMs,
    countsCopies: false,
    noteDropped: (set) => count([set]),
  };
  const latencies = createLatencies(clock);
  const counts = { spooled: 0, refused: 0 };
  const batches = createBatchStore({ pool, events, clock, log, onUnwritten: late.add });
  const availability = createAvailability({
    ping,
    log,
    spool: spool === null ? 'none' : spool.durable ? 'durable' : 'rescue',
    onTurn,
    onBack: () => void late.write(),
  });
  const keeper = createKeeper({
    spool,
    log,
    cause: availability.cause,
    keepInMemory: late.add,
    onSpooled: (some) => {
      counts.spooled += some;
    },
  });
  const lanes = createLanes<WriteOutcome>({
    lanes: limits.lanes,
    batchEvents: limits.batchEvents,
    elapsed: () => clock.elapsed(),
    write: handleBatch,
    async rest() {
      if (!availability.isAway()) void late.write();
    },
  });
  let isStopped = false;

  function ping(): Promise<unknown> {
    return withDeadline(pool.query('select 1'), limits.timeoutMs);
  }

  function write(events: FinishedEvent[], notes: readonly Note[] = []): Promise<WriteOutcome[]> {
    if (isStopped) return Promise.reject(unavailable('Server is shutting down. Retry in a moment.', RETRY_AFTER_SEC));
    return lanes.add(events, notes);
  }

  async function handleBatch(batch: Piece<WriteOutcome>[]): Promise<void> {
    try {
      await writeBatch(batch);
    } catch (error) {
      log.error({ err: error }, 'failed to process an event batch');
      for (const piece of batch) piece.failed(error);
    }
  }

  async function writeBatch(batch: Piece<WriteOutcome>[]): Promise<void> {
    const all = batch.length === 1 && batch[0] ? batch[0].events : batch.flatMap((piece) => piece.events);
    const said = batch.flatMap((piece) => piece.notes);
    const notes = said.length === 0 ? NO_NOTES : { id: uuidV7(clock.now()), notes: said };
    let outcomes: WriteOutcome[];
    try {
      outcomes = await storeOrKeep(all, notes);
    } catch (error) {
      counts.refused += batch.length;
      for (const piece of batch) piece.failed(error);
      return;
    }
    const nowMs = clock.elapsed();
    for (const { sinceMs } of batch) latencies.add(nowMs - sinceMs);
    answer(batch, outcomes);
  }

  async function storeOrKeep(batch: FinishedEvent[], notes: NoteSet): Promise<WriteOutcome[]> {
    if (availability.isAway()) return keep(batch, notes);
    try {
      const outcomes = await batches.store(batch, notes, live);
      if (outcomes.includes('unstorable')) await waitForLate();
      return outcomes;
    } catch (error) {
      if (isUnavailable(error)) availability.goAway(error);
      else log.error({ err: error }, 'internal error while storing; batch spooled');
      return keep(batch, notes);
    }
  }

  async function keep(batch: FinishedEvent[], notes: NoteSet): Promise<WriteOutcome[]> {
    await keeper.events(batch, notes);
    return batch.map(() => 'stored');
  }

  /** Waits until late notes are written, or a timeout. */
  async function waitForLate(): Promise<void> {
    await isLate(late.write(), limits.timeoutMs);
  }

  return {
    write,
    expectDatabase: availability.expect,
    async store(replayedEvents) {
      availability.expect();
      try {
        await storeWithSplitting(replayedEvents, {
          store: (some) => batches.store(some, NO_NOTES, replayed),
          ask: ping,
          log,
        });
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        throw cannotStore(error);
      }
    },
    stats() {
      const steps = latencies.steps();
      return {
        ...batches.counts,
        ...counts,
        isStoring: !availability.isAway(),
        isSlow: availability.isSlow(),
        waiting: lanes.waiting(),
        latencyMs: percentilesOf([steps]),
        latencies: steps,
      };
    },
    async stop() {
      await lanes.idle();
      isStopped = true;
      availability.stop();
      if (!availability.isAway()) await waitForLate();
      for (const set of late.take()) await keeper.notes(set);
    },
  };
}

async function countNotes(
  { pool, clock, log }: Pick<WriterParts, 'pool' | 'clock' | 'log'>,
  sets: readonly NoteSet[],
): Promise<void> {
  try {
    await countOnce(pool, sets, clock.now());
  } catch (error) {
    if (!isDataError(error)) throw error;
    log.error({ err: error }, 'ingestion warnings lost: not storable');
  }
}

/** Resolves each piece with the outcomes of its events. */
function answer(batch: readonly Piece<WriteOutcome>[], outcomes: WriteOutcome[]): void {
  let from = 0;
  for (const { events, done } of batch) {
    done(batch.length === 1 ? outcomes : outcomes.slice(from, from + events.length));
    from += events.length;
  }
}
