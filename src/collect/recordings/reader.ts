/** Has recordings opened by a thread, a few at a time. A step that takes too long ends the thread; the next one starts another. */
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Line, openLine } from '#src/kit/calls.ts';
import { busy } from '#src/kit/errors.ts';
import { isLate } from '#src/kit/late.ts';
import { createTurns } from '#src/kit/turns.ts';
import type { OpenedRecording, RecordingOpener } from './open-recording.ts';

type Incoming = Omit<Parameters<RecordingOpener['open']>[0], 'request'>;
type Finish = (
  task: Omit<Parameters<RecordingOpener['finish']>[0], 'request'>,
) => Promise<ReturnType<RecordingOpener['finish']>>;

export interface RecordingReader {
  /**
   * Opens a request in its turn, and keeps it open while `use` works. The memory of the body may move to the thread.
   *
   * @throws AppError `invalid`, `too_large`, `unauthenticated` without a token, `busy` when it takes too long, `unavailable`; and what `use` throws
   */
  withOpened<Result>(
    incoming: Incoming,
    use: (opened: OpenedRecording, finish: Finish) => Promise<Result>,
  ): Promise<Result>;
  stop(): Promise<void>;
}

interface OpenThread {
  worker: Worker;
  line: Line<RecordingOpener>;
}

const MAX_HEAP_MB = 512;
/** Of one step. A request of 20 MB takes a second. */
const TIMEOUT_MS = 15_000;
/** The thread ends after so long without a request, and frees its memory. */
const REST_MS = 60_000;
/** Requests that are open at a time: each may hold some 50 MB. */
const PLACES = 4;

export function createRecordingReader(): RecordingReader {
  const turns = createTurns({ longMs: TIMEOUT_MS, places: PLACES });
  let thread: OpenThread | null = null;
  let rest: NodeJS.Timeout | undefined;
  let open = 0;
  let last = 0;

  async function end(ending = thread): Promise<void> {
    clearTimeout(rest);
    if (thread === ending) thread = null;
    ending?.line.cut();
    await ending?.worker.terminate();
  }

  function start(): OpenThread {
    const worker = new Worker(threadFile(), { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    const started: OpenThread = { worker, line: openLine<RecordingOpener>(worker, {}) };
    const gone = () => void end(started);
    worker.on('error', gone).on('exit', gone);
    worker.unref();
    return started;
  }

  async function inTime<Result>(used: OpenThread, step: Promise<Result>): Promise<Result> {
    if (!(await isLate(step, TIMEOUT_MS))) return step;
    void end(used);
    throw busy('Recording not read in time. Retry in a moment.');
  }

  return {
    withOpened: (incoming, use) =>
      turns.take(async () => {
        clearTimeout(rest);
        thread ??= start();
        const used = thread;
        const { line } = used;
        const request = ++last;
        open++;
        try {
          const opened = await inTime(used, line.ask('open', { ...incoming, request }));
          return await use(opened, (task) => inTime(used, line.ask('finish', { ...task, request })));
        } finally {
          line.ask('drop', request).catch(() => undefined); // with its thread, its memory is gone
          if (--open === 0) rest = setTimeout(() => void end(), REST_MS).unref();
        }
      }),
    stop: () => end(),
  };
}

function threadFile(): string {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  if (here.endsWith('.ts')) return `${folder}/recording-thread.ts`;
  return `${basename(folder) === 'chunks' ? dirname(folder) : folder}/recording-thread.js`;
}
