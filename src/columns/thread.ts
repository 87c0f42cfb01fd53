/** A thread of the columns: takes one task after the other. An entry of the build; imports nothing but this room and the kit. */
import { parentPort } from 'node:worker_threads';
import { movable, perform, type Task } from './tasks.ts';

parentPort?.on('message', ({ id, task }: { id: number; task: Task }) => {
  try {
    const result = perform(task);
    parentPort?.postMessage({ id, result }, movable(result));
  } catch (error) {
    parentPort?.postMessage({ id, error });
  }
});
