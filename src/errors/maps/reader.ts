/** Gives tasks to the thread that reads source maps. A task that takes too long ends the thread; the next one starts another. */
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { MapResult, MapTask } from './tracer.ts';

export interface MapReader {
  /** @throws Error for what is no source map, or takes too long or too much memory to read */
  run(task: MapTask): Promise<MapResult>;
  stop(): Promise<void>;
}

const MAX_HEAP_MB = 256;
const TIMEOUT_MS = 2_000;
/** The thread ends after so long without a task, and frees its memory. */
const REST_MS = 60_000;

export function createMapReader({ timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}): MapReader {
  let worker: Started | null = null;
  let rest: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let id = 0;

  async function end(): Promise<void> {
    clearTimeout(rest);
    const ending = worker;
    worker = null;
    await ending?.thread.terminate();
  }

  async function runNow(task: MapTask): Promise<MapResult> {
    clearTimeout(rest);
    worker ??= start();
    const started = worker;
    const current = started.thread;
    // A busy machine may take longer to start a thread than a map may take.
    await started.ready;
    const own = ++id;
    return new Promise<MapResult>((resolve, reject) => {
      const timer = setTimeout(() => fail(new Error('reading the source map takes too long')), timeoutMs);
      const onMessage = (answer: { id: number; result?: MapResult; error?: string }) => {
        if (answer.id !== own) return;
        done();
        if (answer.result !== undefined) resolve(answer.result);
        else reject(new Error(answer.error ?? 'source map not read'));
      };
      const fail = (error: Error) => {
        done();
        if (worker === started) worker = null;
        void current.terminate();
        reject(error);
      };
      const onExit = () => fail(new Error('reading the source map takes too much memory'));
      const done = () => {
        clearTimeout(timer);
        current.off('message', onMessage).off('error', fail).off('exit', onExit);
        rest = setTimeout(() => void end(), REST_MS).unref();
      };
      current.on('message', onMessage).on('error', fail).on('exit', onExit);
      current.postMessage({ id: own, task });
    });
  }

  return {
    run(task) {
      // One at a time: the limit is that of one task.
      const next = last.then(() => runNow(task));
      last = next.catch(() => undefined);
      return next;
    },
    stop: end,
  };
}

interface Started {
  thread: Worker;
  /** Once it listens, or has failed. */
  ready: Promise<void>;
}

function start(): Started {
  const thread = new Worker(threadFile(), { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  thread.unref();
  // Heard by each task; without one there is nobody to tell.
  thread.on('error', () => undefined);
  const ready = new Promise<void>((resolve) => {
    thread.once('message', () => resolve());
    thread.once('exit', () => resolve());
  });
  return { thread, ready };
}

function threadFile(): string {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  if (here.endsWith('.ts')) return `${folder}/map-thread.ts`;
  return `${basename(folder) === 'chunks' ? dirname(folder) : folder}/map-thread.js`;
}
