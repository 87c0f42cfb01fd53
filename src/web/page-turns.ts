/**
 * How pages share the one event loop with everything else that is answered, events above all: fifty pages that are asked for together, whose
 * answers come together, or whose time is over together are drawn one by one, and between them the sockets are read.
 */
import { setImmediate as comesRound } from 'node:timers/promises';
import { createTurns } from '#src/kit/turns.ts';

export interface PageTurns {
  /** From the first look at an address to the first markup: a few pages at once. The others wait; who waits for the database gives way. */
  begin<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Drawing, as far as it goes in one go: one page at a time. The turn ends when React, woken by the step, has drawn. */
  draw(step: () => void): Promise<void>;
  /**
   * For the answers of one page: resolves when the page may take over what has come. Those that come until then are taken over two at a time.
   */
  answers(): () => Promise<void>;
}

/** Pages that begin at the same time. One that waits for the database leaves the processor to another. */
const PLACES = 2;
/** As long as the first byte waits for critical queries (ssr.tsx). */
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
      /** Those that the next step is for; null: it has begun. */
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
