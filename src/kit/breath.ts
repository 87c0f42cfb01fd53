/**
 * Long work on the one event loop, in pieces: before each piece the work asks for a breath, and when all that ask have had some milliseconds
 * of this turn of the loop, it goes on in a later one. What has arrived meanwhile (events above all) is looked at in between.
 */

/** To be awaited before a piece of work. Pieces go on one after the other, in the order in which they asked. */
export type Breath = () => Promise<void>;

/** Budget of one event loop iteration for all work, ms; the piece that exceeds it is not interrupted. */
const MAX_MS = 3;

export function createBreath(mostMs = MAX_MS): Breath {
  const waiting: (() => void)[] = [];
  /** Someone is at work, or waits for the next turn of the loop. */
  let isGoing = false;
  /** When the first piece of this turn of the loop began; null: there has been none. */
  let begunMs: number | null = null;
  let isForNextTurn = false;

  /** The first piece of a turn of the loop goes on in any case. */
  function begin(): void {
    begunMs = performance.now();
    setImmediate(() => {
      begunMs = null;
      if (!isForNextTurn) return;
      isForNextTurn = false;
      begin();
    });
    next();
  }

  function goOn(): void {
    if (begunMs === null) begin();
    else if (performance.now() - begunMs < mostMs) next();
    else isForNextTurn = true;
  }

  function next(): void {
    waiting.shift()?.();
    // Behind all that it does before it waits for something itself.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (waiting.length > 0) goOn();
        else isGoing = false;
      }),
    );
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isGoing) return;
      isGoing = true;
      goOn();
    });
}
