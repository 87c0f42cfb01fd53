/**
 * One after the other, in the order of asking: several moments at once would read the same things several times, on as many processes of
 * PostgreSQL, which intake then waits for. Who asks for the same project meanwhile shares the moment that waits. What takes long gives way.
 */

export interface Turns {
  /** Does the work when it is its turn. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What takes longer does not hold up the others. */
const LONG_MS = 1_000;

/** @param longMs instead of `LONG_MS` */
export function createTurns(longMs = LONG_MS): Turns {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  return {
    async take(work) {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      let hasPassed = false;
      const pass = () => {
        if (hasPassed) return;
        hasPassed = true;
        const next = waiting.shift();
        if (next === undefined) isTaken = false;
        else next();
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
