/**
 * Who writes what next. Each lane has a queue of its own and takes everything that waits there, at most a batch, into one transaction. Another
 * lane begins only when some hundred events wait: until then the one that is at work takes what is in the others' queues too,
 * since a transaction costs as much as dozens of events.
 *
 * A batch that came while one lane is at work for long does not wait for it either, unless its device is among what is written there.
 *
 * Under little load a request waits for its own commit alone. Where many come at a time, a lane gives those that are on their way a few
 * milliseconds since it began last, so that they share a commit.
 *
 * All events of a device, or of an id without one, go the same way: two transactions that change the same person or visit would wait for each
 * other's commit, and in traffic where the same people come again and again nearly all would. A lane that has nothing to do takes
 * from another that is at work only when that has more than a batch waiting.
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import { assignLanes, dependsOnOrder, laneOf, orderByTime } from './assign-lanes.ts';
import type { Note } from './notes.ts';

/** The events of one request that go one way, or a part of them when there are very many. */
export interface Piece<Outcome> {
  events: FinishedEvent[];
  notes: readonly Note[];
  sinceMs: number;
  done(outcomes: Outcome[]): void;
  failed(error: unknown): void;
}

export interface Lanes<Outcome> {
  /** Resolves when all of it is written; one outcome per event. @throws what the first part that failed failed with, once all are over */
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

/** What waits to go one way. */
interface Queue<Outcome> {
  pieces: Piece<Outcome>[];
  events: number;
  /** Something of it is being written, or about to be. */
  isBusy: boolean;
  /** What is being written takes long. */
  isSlow: boolean;
}

/** A batch of so many requests says that more are on their way ... */
const GROUP_COMMIT_MIN = 4;
/** ... and they are given this long since it was begun, ... */
const PACE_MS = 8;
/** ... unless so many events wait that more would not make them much cheaper. Then another lane begins, too. */
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
  const queues = Array.from(
    { length: lanes },
    (): Queue<Outcome> => ({ pieces: [], events: 0, isBusy: false, isSlow: false }),
  );
  const onIdle: (() => void)[] = [];
  const worthwhile = Math.min(WORTHWHILE_EVENTS, batchEvents + 1);
  let begunMs = Number.NEGATIVE_INFINITY;
  let isCrowded = false;
  /** Ends the wait of a lane for those that are on their way. */
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
    // Where one transaction is too small for all, they follow one another: order may matter, and small requests pass between them.
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
    const queue = queues[lane] as Queue<Outcome>;
    return new Promise((done, failed) => {
      queue.pieces.push({ events, notes, sinceMs: elapsed(), done, failed });
      queue.events += events.length;
    });
  }

  /** One lane, if none is at work; further ones when much waits. */
  function begin(lane: number): void {
    if (queues.every(({ isBusy }) => !isBusy)) void run(lane);
    beginOthers();
    if (flushNow !== null && waiting() >= worthwhile) flushNow();
  }

  function beginOthers(): void {
    const isOneSlow = queues.some(({ isSlow }) => isSlow);
    for (let lane = 0; lane < lanes && (waiting() >= worthwhile || isOneSlow); lane++) {
      const { isBusy, pieces } = queues[lane] as Queue<Outcome>;
      if (!isBusy && (pieces.length > 0 || queues.some((queue) => queue.events > batchEvents))) void run(lane);
    }
  }

  async function run(lane: number): Promise<void> {
    const queue = queues[lane] as Queue<Outcome>;
    queue.isBusy = true;
    for (;;) {
      for (;;) {
        if (isWorthWaiting()) await othersCome();
        beginOthers();
        const { batch, givers } = take(queue);
        if (batch.length === 0) break;
        begunMs = elapsed();
        isCrowded = batch.length >= GROUP_COMMIT_MIN;
        // What is taken for others is written before anything else of theirs.
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
      if (queues.every((each) => each.pieces.length === 0 || (each !== queue && each.isBusy))) break;
    }
    queue.isBusy = false;
    if (queues.every(({ isBusy }) => !isBusy)) for (const idle of onIdle.splice(0)) idle();
  }

  function isWorthWaiting(): boolean {
    return isCrowded && flushNow === null && begunMs + PACE_MS > elapsed() && waiting() < worthwhile;
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

  /** What a lane writes next: of its own and those that are idle, else of the fullest when that has more than it can take at once. */
  function take(own: Queue<Outcome>): { batch: Piece<Outcome>[]; givers: Queue<Outcome>[] } {
    const batch: Piece<Outcome>[] = [];
    let room = takeFrom(own, batchEvents, batch);
    const givers = queues.filter((queue) => {
      if (queue.isBusy || queue.pieces.length === 0) return false;
      const before = room;
      room = takeFrom(queue, room, batch);
      return room < before;
    });
    const fullest = queues.reduce((most, queue) => (queue.events > most.events ? queue : most));
    if (batch.length === 0 && fullest.events > batchEvents) takeFrom(fullest, batchEvents, batch);
    return { batch, givers };
  }

  /** Moves what there is room for to the batch; gives the room that is left. A piece is never larger than a batch. */
  function takeFrom(queue: Queue<Outcome>, room: number, batch: Piece<Outcome>[]): number {
    let left = room;
    let pieces = 0;
    for (const piece of queue.pieces) {
      if (piece.events.length > left) break;
      left -= piece.events.length;
      pieces++;
    }
    if (pieces === 0) return left;
    batch.push(...queue.pieces.slice(0, pieces));
    queue.pieces = queue.pieces.slice(pieces);
    queue.events -= room - left;
    return left;
  }

  function waiting(): number {
    let events = 0;
    for (const queue of queues) events += queue.events;
    return events;
  }

  return {
    add,
    waiting,
    async idle() {
      if (queues.some(({ isBusy }) => isBusy)) await new Promise<void>((resolve) => onIdle.push(resolve));
    },
  };
}

function inParts(places: readonly number[], most: number): number[][] {
  const parts: number[][] = [];
  for (let from = 0; from < places.length; from += most) parts.push(places.slice(from, from + most));
  return parts;
}
