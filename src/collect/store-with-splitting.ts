/** Stores events that are replayed: together they may be more than a transaction has time for, at every attempt. */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { Log } from '#src/kit/log.ts';
import { splitInHalves } from './assign-lanes.ts';
import { isTooSlow } from './deadline.ts';

export interface SplittingParts {
  /** Stores all of them in a transaction. */
  store(events: FinishedEvent[]): Promise<unknown>;
  /** Rejects while the database does not answer. */
  ask(): Promise<unknown>;
  log: Pick<Log, 'warn'>;
}

/** In halves, where they take too long and the database answers. @throws what `store` or `ask` does */
export async function storeWithSplitting(events: FinishedEvent[], parts: SplittingParts): Promise<void> {
  const { store, ask, log } = parts;
  try {
    await store(events);
  } catch (error) {
    if (!isTooSlow(error) || events.length < 2) throw error;
    await ask();
    log.warn({ err: error, events: events.length }, 'storing spooled events timed out; splitting the batch');
    for (const places of splitInHalves(events)) {
      const some = places.map((place) => events[place] as FinishedEvent);
      await storeWithSplitting(some, parts);
    }
  }
}
