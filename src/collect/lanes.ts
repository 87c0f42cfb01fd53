/**
 * Who writes what next. Each lane has a queue of its own and takes everything that waits there, at most a batch, into one transaction. Another
 * lane begins only when some hundred events wait: until then the one that is at work takes what is in the others' queues too,
 * since a transaction costs as much as dozens of events.
 *
 * Under little load a request waits for its own commit alone. Where many come at a time, a lane gives those that are on their way a few
 * milliseconds since it began last, so that they share a commit.
 *
 * All events of a device, or of an id without one, go the same way: two transactions that change the same person or visit would wait for each
 * other's commit, and in traffic where the same people come again and again nearly all would. A lane that has nothing to do takes
 * from another that is at work only when that has more than a batch waiting.
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { Note } from './notes.ts';
import { wayOf, waysOf } from './ways.ts';

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
}

/** A batch of so many requests says that more are on their way ... */
const CROWD = 4;
/** ... and they are given this long since it was begun, ... */
const PACE_MS = 8;
/** ... unless so many events wait that more would not make them much cheaper. Then another lane begins, too. */
const WORTHWHILE_EVENTS = 200;

export function createLanes<Outcome>({
  lanes,
  batchEvents,
  elapsed,
  write,
  rest,
}: LanesParts<Outcome>): Lanes<Outcome> {
  const queues = Array.from({ length: lanes }, (): Queue<Outcome> => ({ pieces: [], events: 0, isBusy: false }));
  const whenIdle: (() => void)[] = [];
  const worthwhile = Math.min(WORTHWHILE_EVENTS, batchEvents + 1);
  let begunMs = Number.NEGATIVE_INFINITY;
  let isCrowded = false;
  /** Ends the wait of a lane for those that are on their way. */
  let hurry: (() => void) | null = null;

  async function add(events: FinishedEvent[], notes: readonly Note[]): Promise<Outcome[]> {
    const ways = waysOf(events, lanes);
    const first = wayOf(events[0], lanes);
    if (ways === null && events.length <= batchEvents) {
      const written = enqueue(first, events, notes);
      begin(first);
      return written;
    }
    const outcomes = new Array<Outcome>(events.length);
    const writes: Promise<void>[] = [];
    for (let lane = 0; lane < lanes; lane++) {
      const own = placesOf(lane, events.length, ways ?? [], first);
      for (let from = 0; from < own.length; from += batchEvents) {
        const places = own.slice(from, from + batchEvents);
        const part = places.map((place) => events[place] as FinishedEvent);
        const written = enqueue(lane, part, writes.length === 0 ? notes : []);
        writes.push(
          written.then((its) => {
            for (const [at, place] of places.entries()) outcomes[place] = its[at] as Outcome;
          }),
        );
      }
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
    if (hurry !== null && waiting() >= worthwhile) hurry();
  }

  function beginOthers(): void {
    for (let lane = 0; lane < lanes && waiting() >= worthwhile; lane++) {
      const { isBusy, events } = queues[lane] as Queue<Outcome>;
      if (!isBusy && (events > 0 || queues.some((queue) => queue.events > batchEvents))) void run(lane);
    }
  }

  async function run(lane: number): Promise<void> {
    const queue = queues[lane] as Queue<Outcome>;
    queue.isBusy = true;
    for (;;) {
      for (;;) {
        if (isWorthWaiting()) await othersCome();
        beginOthers();
        const idle = queues.filter(({ isBusy }) => !isBusy);
        const batch = take(queue, idle);
        if (batch.length === 0) break;
        begunMs = elapsed();
        isCrowded = batch.length >= CROWD;
        // What is taken for them is written before anything else of theirs.
        for (const each of idle) each.isBusy = true;
        await write(batch);
        for (const each of idle) each.isBusy = false;
      }
      await rest();
      if (queues.every((each) => each.pieces.length === 0 || (each !== queue && each.isBusy))) break;
    }
    queue.isBusy = false;
    if (queues.every(({ isBusy }) => !isBusy)) for (const idle of whenIdle.splice(0)) idle();
  }

  function isWorthWaiting(): boolean {
    return isCrowded && hurry === null && begunMs + PACE_MS > elapsed() && waiting() < worthwhile;
  }

  async function othersCome(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, begunMs + PACE_MS - elapsed());
      hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    hurry = null;
  }

  /** What a lane writes next: of its own and those that are idle, else of the fullest when that has more than it can take at once. */
  function take(own: Queue<Outcome>, idle: readonly Queue<Outcome>[]): Piece<Outcome>[] {
    const batch: Piece<Outcome>[] = [];
    let room = takeFrom(own, batchEvents, batch);
    for (const queue of idle) room = takeFrom(queue, room, batch);
    const fullest = queues.reduce((most, queue) => (queue.events > most.events ? queue : most));
    if (batch.length === 0 && fullest.events > batchEvents) takeFrom(fullest, batchEvents, batch);
    return batch;
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
      if (queues.some(({ isBusy }) => isBusy)) await new Promise<void>((resolve) => whenIdle.push(resolve));
    },
  };
}

/** Places of the events that go through a lane; without ways all go through one. */
function placesOf(lane: number, count: number, ways: readonly number[], all: number): number[] {
  const places: number[] = [];
  for (let place = 0; place < count; place++) if ((ways[place] ?? all) === lane) places.push(place);
  return places;
}
