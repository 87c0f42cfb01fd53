/** Many small questions of one moment, asked as one: what comes while one is under way waits for the next. */

interface Waiting<Query, Answer> {
  asked: Query;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * @param run returns the results in the order of the queries
 * @param max maximum queries of a batch
 */
export function createBatches<Query, Answer>(
  run: (asked: Query[]) => Promise<Answer[]>,
  max = 200,
): (asked: Query) => Promise<Answer> {
  let waiting: Waiting<Query, Answer>[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      try {
        const answers = await run(batch.map(({ asked }) => asked));
        for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      // Waits for other calls in this iteration of the event loop.
      if (!isRunning) {
        isRunning = true;
        setImmediate(runAll);
      }
    });
}
