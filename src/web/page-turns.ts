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
   * For the answers of one page: resolves when the page may take over what has come. Those that come until then are taken over together.
   */
  answers(): () => Promise<void>;
}

/** Pages that begin at the same time. One that waits for the database leaves the processor to another. */
const PLACES = 2;
/** As long as the first byte waits for critical queries (ssr.tsx). */
const BEGINNING_MS = 100;
/** No step takes as long: drawing a page takes some ms. */
const STEP_MS = 1_000;

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
      let next: Promise<void> | null = null;
      return () => {
        next ??= new Promise((resolve, reject) => {
          const step = () => {
            next = null;
            resolve();
          };
          draw(step).catch(reject);
        });
        return next;
      };
    },
  };
}
