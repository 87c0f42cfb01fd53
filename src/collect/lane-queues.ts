/** The lanes' queues, and the choice of a lane's next batch. */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { Note } from './notes.ts';

/** The events of one request that go one way, or a part of them when there are very many. */
export interface Piece<Outcome> {
  events: FinishedEvent[];
  notes: readonly Note[];
  sinceMs: number;
  done(outcomes: Outcome[]): void;
  failed(error: unknown): void;
}

/** The queue of one lane. */
export interface Queue<Outcome> {
  pieces: Piece<Outcome>[];
  events: number;
  /** A batch of it is being written, or about to be. */
  isBusy: boolean;
  /** The current write is slow. */
  isSlow: boolean;
}

export interface Queues<Outcome> {
  of(lane: number): Queue<Outcome>;
  put(lane: number, piece: Piece<Outcome>): void;
  /** The next batch of a lane: from its own queue and idle lanes', else from the fullest when that exceeds a batch. */
  take(own: Queue<Outcome>): { batch: Piece<Outcome>[]; givers: Queue<Outcome>[] };
  /** Events that wait. */
  waiting(): number;
  isAnyBusy(): boolean;
  isAnySlow(): boolean;
  /** True when `take` would find a batch for this idle lane. */
  hasWorkFor(lane: number): boolean;
  /** True when this queue or an idle one has pieces. */
  isLeftFor(own: Queue<Outcome>): boolean;
}

/** @param batchEvents maximum events of a batch, and of a piece */
export function createQueues<Outcome>(lanes: number, batchEvents: number): Queues<Outcome> {
  const queues = Array.from(
    { length: lanes },
    (): Queue<Outcome> => ({ pieces: [], events: 0, isBusy: false, isSlow: false }),
  );
  const of = (lane: number) => queues[lane] as Queue<Outcome>;

  return {
    of,
    put(lane, piece) {
      const queue = of(lane);
      queue.pieces.push(piece);
      queue.events += piece.events.length;
    },
    take(own) {
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
    },
    waiting() {
      let events = 0;
      for (const queue of queues) events += queue.events;
      return events;
    },
    isAnyBusy: () => queues.some(({ isBusy }) => isBusy),
    isAnySlow: () => queues.some(({ isSlow }) => isSlow),
    hasWorkFor(lane) {
      const { isBusy, pieces } = of(lane);
      return !isBusy && (pieces.length > 0 || queues.some(({ events }) => events > batchEvents));
    },
    isLeftFor: (own) => queues.some((each) => each.pieces.length > 0 && (each === own || !each.isBusy)),
  };
}

/** Moves what there is room for to the batch; gives the room that is left. */
function takeFrom<Outcome>(queue: Queue<Outcome>, room: number, batch: Piece<Outcome>[]): number {
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
