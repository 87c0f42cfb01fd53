/**
 * Adaptive group commit. Two lanes write (`lanes.ts`), at most 1,000 events in one transaction, and the waiting requests are answered after
 * its commit.
 *
 * When the database is away, or a batch takes longer than two seconds, its events go to the spool. Refused data splits the
 * batch until the bad event is alone; it is dropped with a reason and costs its neighbours nothing.
 */
import type { Pool } from 'pg';
import type { AppendOutcome, FinishedEvent, IngestWarning } from '#src/events/contract.ts';
import type { Events } from '#src/events/events.ts';
import type { Clock } from '#src/kit/clock.ts';
import { unavailable } from '#src/kit/errors.ts';
import { uuidV5, uuidV7 } from '#src/kit/ids.ts';
import { isLate } from '#src/kit/late.ts';
import type { Log } from '#src/kit/log.ts';
import { isDataError, sqlState } from '#src/store/db.ts';
import { together } from '#src/store/message.ts';
import { isAbsence, PATIENCE_MS, withDeadline } from './deadline.ts';
import { createLanes, type Piece } from './lanes.ts';
import { createLateNotes } from './late-notes.ts';
import { createLatencies, type LatencySteps, type Percentiles, percentilesOf } from './latencies.ts';
import { createNotes, type Note, type NoteSet } from './notes.ts';
import type { Spool } from './spool.ts';
import { storeWithSplitting } from './store-with-splitting.ts';
import { addWarnings, countOnce, enterSets, talliesStatement, tallyOf } from './warnings.ts';
import { halvesOf } from './ways.ts';

/** What the events room offers: one transaction per call. */
export type EventStore = Pick<Events, 'store'>;

/** What happened to one event: an outcome of the store, or the reason for a drop. */
export type WriteOutcome = AppendOutcome | 'unstorable';

export interface Intake {
  /**
   * Resolves when the events are committed, or spooled on a durable disk; one outcome per event.
   * @throws unavailable when neither can be promised: the client has to send them again
   */
  write(events: FinishedEvent[], notes?: readonly Note[]): Promise<WriteOutcome[]>;
}

export interface WriterStats {
  isStoring: boolean;
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

export interface Writer extends Intake {
  /** For whatever is about to be replayed. @throws unavailable while it is known that the database is away */
  expectDatabase(): void;
  /** For events that are replayed: stores or throws, never spools. @throws unavailable */
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
  patienceMs: number;
  /** The same for replayed events, which nobody waits for. */
  replayPatienceMs: number;
}

/** How a batch is written. */
interface WritePolicy {
  patienceMs: number;
  /** Of what is replayed a copy is mostly our own: it was stored before all, or its file is read again. */
  countsCopies: boolean;
  /** What is said of an event that cannot be stored. */
  noteDropped(set: NoteSet): Promise<void>;
}

export const writerLimits: WriterLimits = {
  lanes: 2,
  batchEvents: 1_000,
  patienceMs: PATIENCE_MS,
  replayPatienceMs: 10_000,
};
const PROBE_EVERY_MS = 500;
/** Two writers can wait for each other's rows in a circle; PostgreSQL ends one of them, and it may try again. */
const MAX_TRIES = 3;
const RETRY_STATES = new Set(['40001', '40P01']);
const RETRY_AFTER_SEC = 5;
/** For this long after a commit, and for so many events, a failure of our own code is taken for the event's fault. */
const BLAMELESS_MS = 60_000;
const MAX_DROPPED_IN_A_ROW = 20;
const NO_NOTES: NoteSet = { id: '', notes: [] };

export function createWriter(parts: WriterParts, limits: WriterLimits = writerLimits): Writer {
  const { pool, events: store, spool, clock, log, onTurn } = parts;
  const late = createLateNotes({
    count,
    clock,
    onFailure: (error) => log.warn({ err: error }, 'failed to write ingestion warnings; will retry'),
  });
  const live: WritePolicy = {
    patienceMs: limits.patienceMs,
    countsCopies: true,
    noteDropped: async (set) => late.add(set),
  };
  const replayed: WritePolicy = {
    patienceMs: limits.replayPatienceMs,
    countsCopies: false,
    noteDropped: (set) => count([set]),
  };
  const latencies = createLatencies(clock);
  const counts = { batches: 0, batchedEvents: 0, stored: 0, duplicates: 0, unstorable: 0, spooled: 0, refused: 0 };
  const lanes = createLanes<WriteOutcome>({
    lanes: limits.lanes,
    batchEvents: limits.batchEvents,
    elapsed: () => clock.elapsed(),
    write: handleBatch,
    async rest() {
      if (!isAway) void late.write();
    },
  });
  let lastBatchMs = 0;
  let lastCommitMs = Number.NEGATIVE_INFINITY;
  let droppedInARow = 0;
  let isAway = false;
  let probe: NodeJS.Timeout | null = null;
  let isStopped = false;

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
    const events = batch.length === 1 && batch[0] ? batch[0].events : batch.flatMap((piece) => piece.events);
    const said = batch.flatMap((piece) => piece.notes);
    const notes = said.length === 0 ? NO_NOTES : { id: uuidV7(clock.now()), notes: said };
    let outcomes: WriteOutcome[];
    try {
      outcomes = isAway ? await keep(events, notes) : await storeOrKeep(events, notes);
    } catch (error) {
      counts.refused += batch.length;
      for (const piece of batch) piece.failed(error);
      return;
    }
    let from = 0;
    const nowMs = clock.elapsed();
    for (const { events: own, sinceMs, done } of batch) {
      latencies.add(nowMs - sinceMs);
      done(batch.length === 1 ? outcomes : outcomes.slice(from, from + own.length));
      from += own.length;
    }
  }

  async function storeOrKeep(events: FinishedEvent[], notes: NoteSet): Promise<WriteOutcome[]> {
    try {
      const outcomes = await storeAll(events, notes, live);
      if (outcomes.includes('unstorable')) await waitForLate();
      return outcomes;
    } catch (error) {
      if (isAbsence(error)) goAway(error);
      else log.error({ err: error }, 'internal error while storing; batch spooled');
      return keep(events, notes);
    }
  }

  /** Stores a batch; refused data is halved, in the order of time, until the bad event is alone. @throws when the database is away or we are at fault */
  async function storeAll(events: FinishedEvent[], notes: NoteSet, policy: WritePolicy): Promise<WriteOutcome[]> {
    try {
      return await transact(events, notes, policy);
    } catch (error) {
      if (!isSuspect(error)) throw error;
      if (events.length === 0) throw error;
      if (events.length === 1) {
        await dropAlone(events[0] as FinishedEvent, error, policy);
        late.add(notes);
        return ['unstorable'];
      }
      const outcomes = new Array<WriteOutcome>(events.length);
      let said = notes;
      for (const places of halvesOf(events)) {
        const own = places.map((place) => events[place] as FinishedEvent);
        const its = await storeAll(own, said, policy);
        for (const [at, outcome] of its.entries()) outcomes[places[at] as number] = outcome;
        said = NO_NOTES;
      }
      return outcomes;
    }
  }

  /**
   * Whether the events may be to blame. An error of our own code is blamed on an event only while others are being stored: else it
   * would throw away everything, one by one.
   */
  function isSuspect(error: unknown): boolean {
    if (isDataError(error)) return true;
    if (isAbsence(error) || sqlState(error) !== null) return false;
    return clock.elapsed() - lastCommitMs < BLAMELESS_MS && droppedInARow < MAX_DROPPED_IN_A_ROW;
  }

  /** Counted under an id of the event's own: it may be read from disk again. */
  async function dropAlone(event: FinishedEvent, error: unknown, policy: WritePolicy): Promise<void> {
    const { uuid, projectId, receivedAt, distinctId } = event;
    log.warn({ err: error, projectId, uuid, event: event.event }, 'event dropped: not storable');
    const own = createNotes();
    const detail = sqlState(error) ?? (error as Error).name;
    own.drop(projectId, 'unstorable', receivedAt, { event: event.event, distinctId, uuid, detail });
    await policy.noteDropped({ id: uuidV5(`unstorable ${projectId} ${uuid}`), notes: own.list });
    counts.unstorable++;
    droppedInARow++;
  }

  async function transact(events: FinishedEvent[], notes: NoteSet, policy: WritePolicy): Promise<AppendOutcome[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await withDeadline(attempt(events, notes, policy), policy.patienceMs);
      } catch (error) {
        if (tries >= MAX_TRIES || !RETRY_STATES.has(sqlState(error) ?? '')) throw error;
      }
    }
  }

  /** Nobody knows of a transaction that is given up whether it is committed: the notes' id, entered with them, tells. */
  async function attempt(
    events: FinishedEvent[],
    set: NoteSet,
    { countsCopies }: WritePolicy,
  ): Promise<AppendOutcome[]> {
    const startedMs = clock.elapsed();
    const { notes } = set;
    if (events.length === 0) {
      if (notes.length > 0) await countOnce(pool, [set], clock.now());
      return [];
    }
    const { outcomes } = await store.store(events, async (client, { outcomes, warnings }) => {
      const all = warnings.length === 0 ? notes : [...notes, ...warnings.map(asNote)];
      const entered = notes.length === 0 ? null : enterSets(client, [set], clock.now());
      await together([entered, addWarnings(client, all)]);
      const tallies = tallyOf(events, outcomes, all);
      return talliesStatement(countsCopies ? tallies : tallies.filter(({ outcome }) => outcome !== 'duplicate'));
    });
    counted(events.length, outcomes, clock.elapsed() - startedMs);
    return outcomes;
  }

  function counted(events: number, outcomes: AppendOutcome[], ms: number): void {
    counts.batches++;
    counts.batchedEvents += events;
    const duplicates = outcomes.reduce((sum, outcome) => sum + (outcome === 'duplicate' ? 1 : 0), 0);
    counts.duplicates += duplicates;
    counts.stored += outcomes.length - duplicates;
    lastBatchMs = ms;
    lastCommitMs = clock.elapsed();
    droppedInARow = 0;
  }

  /** Events that cannot be stored now: on disk, which is as good as stored when the disk is durable. @throws unavailable */
  async function keep(events: FinishedEvent[], notes: NoteSet): Promise<WriteOutcome[]> {
    if (events.length > 0) {
      if (spool === null) throw unavailable('Database unavailable. Retry in a moment.', RETRY_AFTER_SEC);
      await spool.append(events);
      counts.spooled += events.length;
      if (!spool.durable) throw unavailable('Database unavailable. Retry in a moment.', RETRY_AFTER_SEC);
    }
    await keepOnDisk(notes);
    return events.map(() => 'stored');
  }

  /** Notes that cannot be written now, where a restart does not end them; without a disk they wait here. */
  async function keepOnDisk(set: NoteSet): Promise<void> {
    if (set.notes.length === 0) return;
    try {
      if (spool === null) late.add(set);
      else await spool.append(set);
    } catch (error) {
      log.warn({ err: error }, 'failed to spool ingestion warnings');
      late.add(set);
    }
  }

  async function count(sets: readonly NoteSet[]): Promise<void> {
    try {
      await countOnce(pool, sets, clock.now());
    } catch (error) {
      if (!isDataError(error)) throw error;
      log.error({ err: error }, 'ingestion warnings lost: not storable');
    }
  }

  /** What is late is written, or waited for long enough. */
  async function waitForLate(): Promise<void> {
    await isLate(late.write(), limits.patienceMs);
  }

  /** After the stop nobody looks whether it is back: the attempt itself does. */
  function expectDatabase(): void {
    if (isAway && !isStopped) throw unavailable('Database unavailable. Retry in a moment.', RETRY_AFTER_SEC);
  }

  function goAway(error: unknown): void {
    if (isAway) return;
    isAway = true;
    log.error(
      { err: error, spool: spool === null ? 'none' : spool.durable ? 'durable' : 'rescue' },
      'database unavailable',
    );
    onTurn?.();
    scheduleProbe();
  }

  function scheduleProbe(): void {
    if (isStopped) return;
    probe = setTimeout(() => void tryAgain(), PROBE_EVERY_MS).unref();
  }

  async function tryAgain(): Promise<void> {
    try {
      await withDeadline(pool.query('select 1'), limits.patienceMs);
      isAway = false;
      log.info('database available again');
      onTurn?.();
      void late.write();
    } catch (error) {
      log.debug({ err: error }, 'database still unavailable');
      scheduleProbe();
    }
  }

  return {
    write,
    expectDatabase,
    async store(events) {
      expectDatabase();
      try {
        await storeWithSplitting(events, {
          store: (some) => storeAll(some, NO_NOTES, replayed),
          ask: () => withDeadline(pool.query('select 1'), limits.patienceMs),
          log,
        });
      } catch (error) {
        if (!isAbsence(error)) throw error;
        throw unavailable('Database unavailable. Retry in a moment.', RETRY_AFTER_SEC, error);
      }
    },
    stats() {
      const steps = latencies.steps();
      return {
        ...counts,
        ...{ isStoring: !isAway, waiting: lanes.waiting(), lastBatchMs },
        ...{ latencyMs: percentilesOf([steps]), latencies: steps },
      };
    },
    async stop() {
      await lanes.idle();
      isStopped = true;
      if (probe) clearTimeout(probe);
      if (!isAway) await waitForLate();
      for (const set of late.take()) await keepOnDisk(set);
    },
  };
}

function asNote({ projectId, reason, at, sample }: IngestWarning): Note {
  return { projectId, reason, isDrop: false, times: 1, at, sample };
}
