/** A FIFO queue with limited concurrency. Long work releases its slot: it continues, and the next starts beside it. */

export interface Turns {
  /** Runs the work in its turn; immediately when the queue is empty. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface TurnsOptions {
  /** Work that takes longer releases its slot, ms. */
  longMs: number;
  /** How many have their turn at the same time. */
  places?: number;
  /** Yields to the event loop between two runs, so that pending input is read first. */
  aside?: boolean;
}

export function createTurns({ longMs, places = 1, aside = false }: TurnsOptions): Turns {
  const waiting: (() => void)[] = [];
  let free = places;

  function begin(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async take(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let hasPassed = false;
      const pass = () => {
        if (hasPassed) return;
        hasPassed = true;
        if (aside) setImmediate(begin);
        else begin();
      };
      const timer = setTimeout(pass, longMs);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        pass();
      }
    },
  };
}
