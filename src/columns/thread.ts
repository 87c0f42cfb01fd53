/** A thread of the columns: takes one task after the other. An entry of the build; imports nothing but this room and the kit. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { practise } from './practice.ts';
import { movable, perform, type Task } from './tasks.ts';

/** Who sends events is not to wait for who looks at numbers: when both want a processor, the thread that answers requests gets it. */
const BEHIND = 19;

// Here it is the thread that is meant; elsewhere it would be the whole process.
if (process.platform === 'linux' && parentPort !== null) setPriority(BEHIND);

parentPort?.on('message', ({ id, task }: { id: number; task: Task | null }) => {
  try {
    if (task === null) {
      practise();
      parentPort?.postMessage({ id });
      return;
    }
    const result = perform(task);
    parentPort?.postMessage({ id, result }, movable(result));
  } catch (error) {
    parentPort?.postMessage({ id, error });
  }
});
