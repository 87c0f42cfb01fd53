/**
 * Long work on the one event loop, in pieces: before each piece the work asks for a breath, and when it has had some milliseconds of this
 * turn of the loop, it goes on in a later one. What has arrived meanwhile (events above all) is looked at in between.
 */

/** To be awaited between two pieces of work. Resolves at once, or when it is this work's turn; pieces go on in the order in which they asked. */
export type Breath = () => Promise<void>;

/** What all of it together may take of one turn of the loop, ms; the piece that goes beyond it is not interrupted. */
const MOST_MS = 3;

export function createBreath(mostMs = MOST_MS): Breath {
  const waiting: (() => void)[] = [];
  /** When the first piece of this turn of the loop began; null: there has been none. */
  let begunMs: number | null = null;

  function begin(): void {
    begunMs = performance.now();
    waiting.shift()?.();
    // What goes on now has the rest of this turn to itself: it runs after this function, and before the next turn.
    setImmediate(() => {
      begunMs = null;
      if (waiting.length > 0) begin();
    });
  }

  return () => {
    if (begunMs === null) {
      begin();
      return Promise.resolve();
    }
    if (waiting.length === 0 && performance.now() - begunMs < mostMs) return Promise.resolve();
    return new Promise((resolve) => waiting.push(resolve));
  };
}
