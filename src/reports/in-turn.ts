/** Parts of a report, one after the other: a report has time, and screens wait for the same engine. */
import { AppError } from '#src/kit/errors.ts';

export interface Failed {
  failure: unknown;
  name: string;
}

/** What each gives, or why it failed. @throws for an outage, which concerns all */
export async function inTurn<Part>(
  jobs: readonly { name: string; run(): Promise<Part> }[],
): Promise<(Part | Failed)[]> {
  const done: (Part | Failed)[] = [];
  for (const { name, run } of jobs) {
    try {
      done.push(await run());
    } catch (failure) {
      if (failure instanceof AppError && failure.code === 'unavailable') throw failure;
      done.push({ failure, name });
    }
  }
  return done;
}
