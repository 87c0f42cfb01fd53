/**
 * Who writes what next. Each lane has a queue of its own and takes everything that waits there, at most a batch, into one transaction; there
 * is no timer, so under little load a request waits for its own commit, and under much load the batches grow by themselves.
 *
 * All events of a device, or of an id without one, go the same way: two transactions that change the same person or visit would wait for each
 * other's commit, and in traffic where the same people come again and again nearly all would. A lane that has nothing to do takes
 * from another only when that has more than a batch waiting.
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

export function createLanes<Outcome>({
  lanes,
  batchEvents,
  elapsed,
  write,
  rest,
}: LanesParts<Outcome>): Lanes<Outcome> {
  const queues = Array.from({ length: lanes }, () => ({ pieces: [] as Piece<Outcome>[], events: 0, isBusy: false }));
  const whenIdle: (() => void)[] = [];

  async function add(events: FinishedEvent[], notes: readonly Note[]): Promise<Outcome[]> {
    const ways = waysOf(events, lanes);
    if (ways === null && events.length <= batchEvents) return enqueue(wayOf(events[0], lanes), events, notes);
    const outcomes = new Array<Outcome>(events.length);
    const writes: Promise<void>[] = [];
    for (let lane = 0; lane < lanes; lane++) {
      const own = placesOf(lane, events.length, ways ?? [], wayOf(events[0], lanes));
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
    for (const result of await Promise.allSettled(writes)) if (result.status === 'rejected') throw result.reason;
    return outcomes;
  }

  function enqueue(lane: number, events: FinishedEvent[], notes: readonly Note[]): Promise<Outcome[]> {
    const queue = queues[lane] as (typeof queues)[number];
    return new Promise((done, failed) => {
      queue.pieces.push({ events, notes, sinceMs: elapsed(), done, failed });
      queue.events += events.length;
      if (!queue.isBusy) void run(lane);
      else if (queue.events > batchEvents) help();
    });
  }

  /** A lane that is idle takes from one that has too much. */
  function help(): void {
    const idle = queues.findIndex(({ isBusy }) => !isBusy);
    if (idle >= 0) void run(idle);
  }

  async function run(lane: number): Promise<void> {
    const queue = queues[lane] as (typeof queues)[number];
    queue.isBusy = true;
    for (;;) {
      for (let batch = take(queue); batch.length > 0; batch = take(queue)) await write(batch);
      await rest();
      if (queue.pieces.length === 0) break;
    }
    queue.isBusy = false;
    if (queues.every(({ isBusy }) => !isBusy)) for (const idle of whenIdle.splice(0)) idle();
  }

  /** What a lane writes next: of its own, else of the fullest when that has more than it can take at once. */
  function take(own: (typeof queues)[number]): Piece<Outcome>[] {
    const fullest = queues.reduce((most, queue) => (queue.events > most.events ? queue : most));
    const from = own.pieces.length > 0 || fullest.events <= batchEvents ? own : fullest;
    let events = 0;
    let pieces = 0;
    for (const piece of from.pieces) {
      if (pieces > 0 && events + piece.events.length > batchEvents) break;
      events += piece.events.length;
      pieces++;
    }
    from.events -= events;
    const batch = from.pieces.slice(0, pieces);
    from.pieces = from.pieces.slice(pieces);
    return batch;
  }

  return {
    add,
    waiting: () => queues.reduce((sum, { events }) => sum + events, 0),
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
