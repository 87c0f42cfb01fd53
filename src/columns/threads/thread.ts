/** A thread of the columns: takes one task after the other. An entry of the build; imports nothing but this room and the kit. */
import { constants, getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { type Failure, failureOf } from '#src/kit/calls.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import { AppError } from '#src/kit/errors.ts';
import { type CancelFlag, underFlag } from './cancelling.ts';
import { movable, perform, type Task } from './tasks.ts';
import { warmUp } from './warm-up.ts';

export interface TaskResponse {
  id: number;
  result?: unknown;
  /** One of our errors, as data. */
  failure?: Failure;
  error?: unknown;
  /** Nobody waited for it any more: it was not begun, or not finished. */
  isCancelled?: boolean;
}

/** A task for a thread; null: a round of practice. */
export interface TaskRequest {
  id: number;
  task: Task | null;
  flag: CancelFlag | null;
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

parentPort?.on('message', ({ id, task, flag }: TaskRequest) => {
  try {
    if (task === null) {
      warmUp();
      parentPort?.postMessage({ id });
      return;
    }
    const result = underFlag(flag, () => perform(task));
    parentPort?.postMessage({ id, result }, movable(result));
  } catch (error) {
    if (error instanceof Cancelled) parentPort?.postMessage({ id, isCancelled: true });
    else parentPort?.postMessage(error instanceof AppError ? { id, failure: failureOf(error) } : { id, error });
  }
});
