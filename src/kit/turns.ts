/** One after the other, or a few at once, in the order of asking. What takes long gives way: it goes on, and the next begins beside it. */

export interface Turns {
  /** Does the work when it is its turn; at once when nobody is before it. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface TurnsOptions {
  /** What takes longer does not hold up the others, ms. */
  longMs: number;
  /** How many have their turn at the same time. */
  places?: number;
  /** Between one's end and the next one's beginning the event loop comes round: whatever has arrived meanwhile is read first. */
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
