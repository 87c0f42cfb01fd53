/** A thread of the columns: takes one task after the other. An entry of the build; imports nothing but this room and the kit. */
import { constants, getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { type Failure, failureOf } from '#src/kit/calls.ts';
import { AppError } from '#src/kit/errors.ts';
import { movable, perform, type Task } from './tasks.ts';
import { warmUp } from './warm-up.ts';

export interface TaskResponse {
  id: number;
  result?: unknown;
  /** One of our errors, as data. */
  failure?: Failure;
  error?: unknown;
}

/** Nice steps of query threads behind their process: ingestion and requests in the main thread have priority. */
const BEHIND = 19;

// Here it is the thread that is meant; elsewhere it would be the whole process.
if (process.platform === 'linux' && parentPort !== null)
  setPriority(Math.min(getPriority() + BEHIND, constants.priority.PRIORITY_LOW));

/*
 * V8's quick compiler puts a loop's function into the one that calls it, and there the loop stays as it made it: the better compiler gets only
 * functions that are called often, and each of these is called once for a chunk. Alone, loops get the better one, twice as fast.
 */
setFlagsFromString('--no-maglev-inlining');

parentPort?.on('message', ({ id, task }: { id: number; task: Task | null }) => {
  try {
    if (task === null) {
      warmUp();
      parentPort?.postMessage({ id });
      return;
    }
    const result = perform(task);
    parentPort?.postMessage({ id, result }, movable(result));
  } catch (error) {
    parentPort?.postMessage(error instanceof AppError ? { id, failure: failureOf(error) } : { id, error });
  }
});
