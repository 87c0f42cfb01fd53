/**
 * One batch into the database. Refused data splits the batch until the bad event is alone; it is dropped with a reason and costs its
 * neighbours nothing.
 */
import type { Pool } from 'pg';
import { type AppendOutcome, type FinishedEvent, HEATMAP, type IngestWarning } from '#src/events/contract.ts';
import type { Events } from '#src/events/events.ts';
import type { Clock } from '#src/kit/clock.ts';
import { uuidV5 } from '#src/kit/ids.ts';
import type { Log } from '#src/kit/log.ts';
import { isDataError, sqlState } from '#src/store/db.ts';
import { together } from '#src/store/message.ts';
import { splitInHalves } from './assign-lanes.ts';
import { isUnavailable, withDeadline } from './deadline.ts';
import { createNotes, type Note, type NoteSet } from './notes.ts';
import { addWarnings, countOnce, enterSets, talliesStatement, tallyOf } from './warnings.ts';

/** The events room's store: one transaction per call, and one for points of heatmaps. */
export type EventStore = Pick<Events, 'store' | 'storeHeatmap'>;

/** Result of one event: an outcome of the store, or the reason for a drop. */
export type WriteOutcome = AppendOutcome | 'unstorable';

/** How a batch is written. */
export interface WritePolicy {
  timeoutMs: number;
  /** False for replays: their duplicates are mostly our own, as when a file is read again. */
  countsCopies: boolean;
  /** Records the drop of an event that cannot be stored. */
  noteDropped(set: NoteSet): Promise<void>;
}

export interface BatchCounts {
  batches: number;
  batchedEvents: number;
  stored: number;
  duplicates: number;
  unstorable: number;
  lastBatchMs: number;
}

export interface BatchStore {
  /**
   * Stores a batch; refused data is halved, in the order of time, until the bad event is alone.
   *
   * @throws when the database is away or we are at fault
   */
  store(events: FinishedEvent[], notes: NoteSet, policy: WritePolicy): Promise<WriteOutcome[]>;
  /** Since the start. */
  readonly counts: Readonly<BatchCounts>;
}

export interface BatchStoreParts {
  pool: Pool;
  events: EventStore;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** Called with notes whose only event could not be stored: no transaction was committed that could contain them. */
  onUnwritten(set: NoteSet): void;
}

/** Writers can deadlock; PostgreSQL aborts one of them, which retries. */
const MAX_TRIES = 3;
const RETRY_STATES = new Set(['40001', '40P01']);
/** For this long after a commit, and for so many events, an internal error is attributed to the event. */
const BLAMELESS_MS = 60_000;
const MAX_DROPPED_IN_A_ROW = 20;
export const NO_NOTES: NoteSet = { id: '', notes: [] };

export function createBatchStore({ pool, events, clock, log, onUnwritten }: BatchStoreParts): BatchStore {
  const counts: BatchCounts = {
    batches: 0,
    batchedEvents: 0,
    stored: 0,
    duplicates: 0,
    unstorable: 0,
    lastBatchMs: 0,
  };
  let lastCommitMs = Number.NEGATIVE_INFINITY;
  let droppedInARow = 0;

  async function store(batch: FinishedEvent[], notes: NoteSet, policy: WritePolicy): Promise<WriteOutcome[]> {
    try {
      return await transact(batch, notes, policy);
    } catch (error) {
      if (!isSuspect(error)) throw error;
      if (batch.length === 0) throw error;
      if (batch.length === 1) {
        await dropAlone(batch[0] as FinishedEvent, error, policy);
        onUnwritten(notes);
        return ['unstorable'];
      }
      const outcomes = new Array<WriteOutcome>(batch.length);
      let said = notes;
      for (const places of splitInHalves(batch)) {
        const own = places.map((place) => batch[place] as FinishedEvent);
        const its = await store(own, said, policy);
        for (const [at, outcome] of its.entries()) outcomes[places[at] as number] = outcome;
        said = NO_NOTES;
      }
      return outcomes;
    }
  }

  /**
   * True when the events may have caused the error. An internal error is attributed to an event only while others are being stored:
   * otherwise a bug would drop every event, one by one.
   */
  function isSuspect(error: unknown): boolean {
    if (isDataError(error)) return true;
    if (isUnavailable(error) || sqlState(error) !== null) return false;
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

  async function transact(batch: FinishedEvent[], notes: NoteSet, policy: WritePolicy): Promise<AppendOutcome[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await withDeadline(attempt(batch, notes, policy), policy.timeoutMs);
      } catch (error) {
        if (tries >= MAX_TRIES || !RETRY_STATES.has(sqlState(error) ?? '')) throw error;
      }
    }
  }

  /** An abandoned transaction may have been committed: the id of the notes, inserted with them, shows it. */
  async function attempt(all: FinishedEvent[], set: NoteSet, policy: WritePolicy): Promise<AppendOutcome[]> {
    const rows = all.filter(({ event }) => event !== HEATMAP);
    // First: what follows stores a copy of an event as none.
    if (all.some(({ heatmap }) => heatmap !== undefined)) await events.storeHeatmap(all);
    const outcomes = await attemptRows(rows, set, policy);
    if (rows.length === all.length) return outcomes;
    let next = 0;
    return all.map(({ event }) => (event === HEATMAP ? 'stored' : (outcomes[next++] ?? 'stored')));
  }

  async function attemptRows(
    batch: FinishedEvent[],
    set: NoteSet,
    { countsCopies }: WritePolicy,
  ): Promise<AppendOutcome[]> {
    const startedMs = clock.elapsed();
    const { notes } = set;
    if (batch.length === 0) {
      if (notes.length > 0) await countOnce(pool, [set], clock.now());
      return [];
    }
    const { outcomes } = await events.store(batch, async (client, { outcomes, warnings }) => {
      const all = warnings.length === 0 ? notes : [...notes, ...warnings.map(asNote)];
      const entered = notes.length === 0 ? null : enterSets(client, [set], clock.now());
      await together([entered, addWarnings(client, all)]);
      const tallies = tallyOf(batch, outcomes, all);
      return talliesStatement(countsCopies ? tallies : tallies.filter(({ outcome }) => outcome !== 'duplicate'));
    });
    noteCommit(batch.length, outcomes, clock.elapsed() - startedMs);
    return outcomes;
  }

  function noteCommit(events: number, outcomes: AppendOutcome[], ms: number): void {
    counts.batches++;
    counts.batchedEvents += events;
    const duplicates = outcomes.reduce((sum, outcome) => sum + (outcome === 'duplicate' ? 1 : 0), 0);
    counts.duplicates += duplicates;
    counts.stored += outcomes.length - duplicates;
    counts.lastBatchMs = ms;
    lastCommitMs = clock.elapsed();
    droppedInARow = 0;
  }

  return { store, counts };
}

function asNote({ projectId, reason, at, sample }: IngestWarning): Note {
  return { projectId, reason, isDrop: false, times: 1, at, sample };
}
