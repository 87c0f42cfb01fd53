/**
 * Schedules writes. Each lane has a queue and writes all of it, at most a batch, in one transaction. A second
 * lane starts only when some hundred events wait: until then the busy lane also takes from the others' queues,
 * because a transaction costs as much as dozens of events.
 *
 * A batch that arrives during a slow write does not wait for it, unless its device is part of that write.
 *
 * Under low load a request waits only for its own commit. Under high load a lane waits a few milliseconds from its last start
 * so that requests share a commit (group commit).
 *
 * All events of a device, or of an id without one, use the same lane: two transactions that change the same person or visit would wait for
 * each other's commit. An idle lane takes from a busy one only when that has more than a batch waiting.
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import { assignLanes, dependsOnOrder, laneOf, orderByTime } from './assign-lanes.ts';
import { createQueues, type Piece } from './lane-queues.ts';
import type { Note } from './notes.ts';

export interface Lanes<Outcome> {
  /** Resolves when all events are written, with one outcome each. @throws the first failed part's error, after all parts have settled */
  add(events: FinishedEvent[], notes: readonly Note[]): Promise<Outcome[]>;
  /** Events that wait for a lane. */
  waiting(): number;
  /** Resolves when nothing waits and nothing is being written. */
  idle(): Promise<void>;
}

export interface LanesParts<Outcome> {
  lanes: number;
  batchEvents: number;
  /** ms, for `sinceMs`. */
  elapsed(): number;
  /** Writes a batch and answers its pieces. Must not throw. */
  write(batch: Piece<Outcome>[]): Promise<void>;
  /** Called when a lane has nothing left to do. Must not throw. */
  rest(): Promise<void>;
}

/** Minimum requests of a batch that make a lane wait for more … */
const GROUP_COMMIT_MIN = 4;
/** ... and they are given this long since it was begun, ... */
const PACE_MS = 8;
/** … unless this many events wait: more would not make a commit much cheaper. Then another lane starts, too. */
const WORTHWHILE_EVENTS = 200;
/** Nor do others wait for one that has been at work for so long: it may wait for a lock. */
const LONG_MS = 50;

export function createLanes<Outcome>({
  lanes,
  batchEvents,
  elapsed,
  write,
  rest,
}: LanesParts<Outcome>): Lanes<Outcome> {
  const queues = createQueues<Outcome>(lanes, batchEvents);
  const onIdle: (() => void)[] = [];
  const worthwhile = Math.min(WORTHWHILE_EVENTS, batchEvents + 1);
  let begunMs = Number.NEGATIVE_INFINITY;
  let isCrowded = false;
  /** Ends a lane's wait for more requests. */
  let flushNow: (() => void) | null = null;

  function add(events: FinishedEvent[], notes: readonly Note[]): Promise<Outcome[]> {
    const ways = assignLanes(events, lanes);
    const first = laneOf(events[0], lanes);
    if (ways !== null || events.length > batchEvents) return addInParts(events, notes, ways, first);
    const written = enqueue(first, events, notes);
    begin(first);
    return written;
  }

  async function addInParts(
    events: FinishedEvent[],
    notes: readonly Note[],
    ways: ReturnType<typeof assignLanes>,
    first: number,
  ): Promise<Outcome[]> {
    const outcomes = new Array<Outcome>(events.length);
    let unsaid = notes;
    const writePart = async (lane: number, places: readonly number[]) => {
      const part = places.map((place) => events[place] as FinishedEvent);
      const written = enqueue(lane, part, unsaid);
      unsaid = [];
      for (const [at, outcome] of (await written).entries()) outcomes[places[at] as number] = outcome;
    };
    // Parts of a large request are written in sequence: order may matter, and small requests can pass between them.
    const isLarge = events.length > batchEvents;
    const writeInOrder = async (lane: number, parts: readonly number[][]) => {
      for (const [index, part] of parts.entries()) {
        const writing = writePart(lane, part);
        if (index > 0) begin(lane);
        await writing;
      }
    };
    const order = isLarge && dependsOnOrder(events) ? orderByTime(events) : [...events.keys()];
    const writes: Promise<void>[] = [];
    for (let lane = 0; lane < lanes; lane++) {
      const parts = inParts(
        order.filter((place) => (ways?.[place] ?? first) === lane),
        batchEvents,
      );
      if (isLarge) writes.push(writeInOrder(lane, parts));
      else for (const part of parts) writes.push(writePart(lane, part));
    }
    begin(first);
    for (const result of await Promise.allSettled(writes)) if (result.status === 'rejected') throw result.reason;
    return outcomes;
  }

  function enqueue(lane: number, events: FinishedEvent[], notes: readonly Note[]): Promise<Outcome[]> {
    return new Promise((done, failed) => {
      queues.put(lane, { events, notes, sinceMs: elapsed(), done, failed });
    });
  }

  /** One lane, if none is at work; further ones when much waits. */
  function begin(lane: number): void {
    if (!queues.isAnyBusy()) void run(lane);
    beginOthers();
    if (flushNow !== null && queues.waiting() >= worthwhile) flushNow();
  }

  function beginOthers(): void {
    const isOneSlow = queues.isAnySlow();
    for (let lane = 0; lane < lanes && (queues.waiting() >= worthwhile || isOneSlow); lane++) {
      if (queues.hasWorkFor(lane)) void run(lane);
    }
  }

  async function run(lane: number): Promise<void> {
    const queue = queues.of(lane);
    queue.isBusy = true;
    for (;;) {
      for (;;) {
        if (isWorthWaiting()) await othersCome();
        beginOthers();
        const { batch, givers } = queues.take(queue);
        if (batch.length === 0) break;
        begunMs = elapsed();
        isCrowded = batch.length >= GROUP_COMMIT_MIN;
        // Pieces taken from other lanes are written before those lanes continue.
        for (const each of givers) each.isBusy = true;
        const timer = setTimeout(() => {
          queue.isSlow = true;
          beginOthers();
        }, LONG_MS);
        await write(batch);
        clearTimeout(timer);
        queue.isSlow = false;
        for (const each of givers) each.isBusy = false;
      }
      await rest();
      if (!queues.isLeftFor(queue)) break;
    }
    queue.isBusy = false;
    if (!queues.isAnyBusy()) for (const idle of onIdle.splice(0)) idle();
  }

  function isWorthWaiting(): boolean {
    return isCrowded && flushNow === null && begunMs + PACE_MS > elapsed() && queues.waiting() < worthwhile;
  }

  async function othersCome(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, begunMs + PACE_MS - elapsed());
      flushNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    flushNow = null;
  }

  return {
    add,
    waiting: queues.waiting,
    async idle() {
      if (queues.isAnyBusy()) await new Promise<void>((resolve) => onIdle.push(resolve));
    },
  };
}

function inParts(places: readonly number[], most: number): number[][] {
  const parts: number[][] = [];
  for (let from = 0; from < places.length; from += most) parts.push(places.slice(from, from + most));
  return parts;
}
