/**
 * Schedules page rendering on the event loop, so that other requests, above all events, are not blocked: pages that are requested
 * together, or ready together, are rendered one by one, with I/O in between.
 */
import { setImmediate as comesRound } from 'node:timers/promises';
import { createTurns } from '#src/kit/turns.ts';

export interface PageTurns {
  /** The phase from routing to the first markup, for a few pages at once. Others queue; a page that waits for the database releases its slot. */
  begin<Result>(work: () => Promise<Result>): Promise<Result>;
  /** One synchronous rendering step, one page at a time. The turn ends when React, scheduled by the step, has rendered. */
  draw(step: () => void): Promise<void>;
  /**
   * For the query results of one page: resolves when the page may process results. Those that arrive until then are processed two at a time.
   */
  answers(): () => Promise<void>;
}

/** Pages that begin at the same time. One that waits for the database leaves the processor to another. */
const PLACES = 2;
/** Equals the wait of the first byte for critical queries (ssr.tsx), ms. */
const BEGINNING_MS = 100;
/** No step takes as long: drawing a page takes some ms. */
const STEP_MS = 1_000;
/** Answers that are taken over in one step: drawing what has waited for one of them takes some ms. */
const TOGETHER = 2;

export function createPageTurns(): PageTurns {
  const beginnings = createTurns({ longMs: BEGINNING_MS, places: PLACES, aside: true });
  const steps = createTurns({ longMs: STEP_MS, aside: true });

  function draw(step: () => void): Promise<void> {
    return steps.take(async () => {
      step();
      await comesRound();
    });
  }

  return {
    begin: beginnings.take,
    draw,
    answers() {
      /** Results of the next step; null: it has started. */
      let next: { step: Promise<void>; answers: number } | null = null;
      return () => {
        if (next !== null && next.answers < TOGETHER) {
          next.answers += 1;
          return next.step;
        }
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const own = { step: promise, answers: 1 };
        next = own;
        draw(() => {
          if (next === own) next = null;
          resolve();
        }).catch(reject);
        return promise;
      };
    },
  };
}
