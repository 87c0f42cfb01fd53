/** The thread that reads source maps: one task after the other. An entry of the build. */
import { parentPort } from 'node:worker_threads';
import { createTracer, type MapTask } from './tracer.ts';

const tracer = createTracer();

parentPort?.on('message', ({ id, task }: { id: number; task: MapTask }) => {
  try {
    parentPort?.postMessage({ id, result: tracer.perform(task) });
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).message });
  }
});

// The first message: it listens.
parentPort?.postMessage({ ready: true });
