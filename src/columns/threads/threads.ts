/**
 * Worker threads for counting, so that the main thread is never blocked: started on demand, replaced
 * on failure. Background work has a separate thread, so that no query waits for it.
 */
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Breath, createBreath } from '#src/kit/breath.ts';
import { errorOf } from '#src/kit/calls.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import { AppError } from '#src/kit/errors.ts';
import { halfOfHeapMb } from '#src/kit/heap.ts';
import { type CancelFlag, cancelFlag, raise } from './cancelling.ts';
import { movable, perform, type ResultOf, type Task } from './tasks.ts';
import type { TaskRequest, TaskResponse } from './thread.ts';

export interface Threads {
  /** Maximum concurrent tasks, at least 1. */
  readonly count: number;
  /** Before what is more than a trifle and done in place. What a thread gives to a question has waited for it. */
  readonly breathe: Breath;
  /** Memory of the task may move to the thread: it is not to be used after. */
  run<T extends Task>(task: T, where?: 'background'): Promise<ResultOf<T>>;
  /**
   * The same threads for a query: once the signal fires, its tasks that wait are dropped, and those that run end between two chunks. What
   * makes chunks is finished all the same: others may wait for it. @throws Cancelled by `run`
   */
  cancellable(signal: AbortSignal): Threads;
  /** The same for several tasks of which each builds on those before: all go to one thread, and fail once that has ended. */
  sequence(where?: 'background'): Sequence;
  /** Starts a thread if there is none. */
  warm(): void;
  /**
   * Starts all query threads and warms them up, once, while idle, since a
   * query would wait for it. Never rejects.
   */
  warmUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface Sequence {
  run<T extends Task>(task: T): Promise<ResultOf<T>>;
  /** Stops the threads; no tasks may follow. */
  end(): void;
}

/** After so many rounds of practice a thread is about as quick as it gets. */
const ROUNDS = 60;
/** Idle time before a warm-up, ms. */
const QUIET_MS = 300;
/** Idle time after which the background thread ends and frees its memory, ms. */
const REST_MS = 10_000;

export interface ThreadsOptions {
  /** Instead of `REST_MS`. */
  restMs?: number;
  /** Instead of `ROUNDS`. */
  rounds?: number;
  /** Heap limit of a thread, MB; half of the process's. Typed arrays do not count. */
  maxHeapMb?: number;
  /** Called for each task of a cancelled query that a thread did not begin, or finish; for tests. */
  onCancelled?: (() => void) | undefined;
}

interface Waiting {
  resolve(result: never): void;
  reject(error: unknown): void;
}

/**
 * @param count of threads for questions; 0: everything is done in place
 */
export function createThreads(
  count: number,
  { restMs = REST_MS, rounds = ROUNDS, maxHeapMb = halfOfHeapMb(), onCancelled }: ThreadsOptions = {},
): Threads {
  const lanes: (Lane | null)[] = Array.from({ length: count + 1 }, () => null);
  let isStopped = false;
  let practised: Promise<unknown> | null = null;
  let underWay = 0;
  /** Sequences of the background that are not at their end. */
  let sequences = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let rest: NodeJS.Timeout | undefined;
  const breathe = createBreath();

  /** The one that has the least to do. */
  function freeLane(): Lane {
    let place = 0;
    const busy = (at: number) => lanes[at]?.waiting.size ?? 0;
    for (let at = 1; at < count; at++) if (busy(at) < busy(place)) place = at;
    return laneAt(place);
  }

  function laneAt(place: number): Lane {
    const known = lanes[place];
    if (known) return known;
    const lane: Lane = new Lane(maxHeapMb, {
      onEnd() {
        if (lanes[place] === lane) lanes[place] = null;
      },
      onCancelled,
    });
    lanes[place] = lane;
    return lane;
  }

  async function answer<T extends Task>(
    task: T,
    lane = freeLane(),
    flag: CancelFlag | null = null,
  ): Promise<ResultOf<T>> {
    underWay++;
    try {
      const result = await lane.run(task, flag);
      await breathe();
      return result;
    } finally {
      underWay--;
      lastAt = performance.now();
    }
  }

  async function doBehind<T extends Task>(task: T, lane = laneAt(count)): Promise<ResultOf<T>> {
    clearTimeout(rest);
    try {
      return await lane.run(task);
    } finally {
      restLater(lane);
    }
  }

  function restLater(lane: Lane): void {
    if (sequences > 0 || lane.waiting.size > 0 || lanes[count] !== lane) return;
    clearTimeout(rest);
    rest = setTimeout(() => {
      lanes[count] = null;
      void lane.stop();
    }, restMs).unref();
  }

  function checkRunning(): void {
    if (isStopped) throw new Error('column worker threads are stopped');
  }

  function sequence(where?: 'background'): Sequence {
    checkRunning();
    if (count === 0) return { run: async (task) => perform(task) as ResultOf<typeof task>, end: () => undefined };
    let lane: Lane | null = null;
    if (where === undefined) {
      return {
        run(task) {
          lane ??= freeLane();
          return answer(task, lane);
        },
        end: () => undefined,
      };
    }
    sequences++;
    return {
      run(task) {
        lane ??= laneAt(count);
        return doBehind(task, lane);
      },
      end() {
        sequences--;
        if (lane !== null) restLater(lane);
      },
    };
  }

  async function quiet(): Promise<void> {
    for (;;) {
      const ms = underWay > 0 ? QUIET_MS : lastAt + QUIET_MS - performance.now();
      if (ms <= 0 || isStopped) return;
      await sleep(ms, undefined, { ref: false });
    }
  }

  async function warmUp(place: number): Promise<void> {
    laneAt(place);
    for (let round = 0; round < rounds; round++) {
      await quiet();
      if (isStopped) return;
      await laneAt(place).warmUp();
    }
  }

  const threads: Threads = {
    count: Math.max(1, count),
    breathe,
    async run<T extends Task>(task: T, where?: 'background') {
      checkRunning();
      if (count === 0) return perform(task) as ResultOf<T>;
      return where === undefined ? answer(task) : doBehind(task);
    },
    cancellable: (signal) =>
      cancellableThreads(threads, signal, (task, flag) => {
        checkRunning();
        return count === 0 ? threads.run(task) : answer(task, freeLane(), flag);
      }),
    sequence,
    warm() {
      if (count > 0 && !isStopped) freeLane();
    },
    async warmUp() {
      if (isStopped) return;
      const all = () => Promise.all(Array.from({ length: count }, (_, place) => warmUp(place)));
      practised ??= all().catch(() => undefined); // a thread that ended, or was not made, is replaced when it is needed
      await practised;
    },
    async stop() {
      isStopped = true;
      clearTimeout(rest);
      await Promise.all(lanes.map((lane) => lane?.stop()));
    },
  };
  return threads;
}

/** @param answer does a task on the thread that has the least to do */
function cancellableThreads(
  threads: Threads,
  signal: AbortSignal,
  answer: <T extends Task>(task: T, flag: CancelFlag) => Promise<ResultOf<T>>,
): Threads {
  const flag = cancelFlag();
  signal.addEventListener('abort', () => raise(flag), { once: true });
  return {
    ...threads,
    async run<T extends Task>(task: T, where?: 'background') {
      // Others may wait for chunks that are made of rows.
      if ('rows' in task || where !== undefined) return threads.run(task, where);
      if (signal.aborted) throw new Cancelled();
      return answer(task, flag);
    },
  };
}

interface LaneEvents {
  onEnd(): void;
  onCancelled?: (() => void) | undefined;
}

class Lane {
  readonly waiting = new Map<number, Waiting>();
  private readonly worker: Worker;
  private last = 0;
  /** Why nothing is answered any more. */
  private endedBy: unknown = null;

  constructor(maxHeapMb: number, { onEnd, onCancelled }: LaneEvents) {
    this.worker = new Worker(threadFile(), { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    this.worker.on('message', ({ id, result, error, failure, isCancelled }: TaskResponse) => {
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (this.waiting.size === 0) this.worker.unref();
      if (isCancelled) {
        onCancelled?.();
        waiting?.reject(new Cancelled());
      } else if (failure !== undefined) waiting?.reject(errorOf(failure));
      else if (error !== undefined) waiting?.reject(error);
      else waiting?.resolve(result as never);
    });
    const end = (thrown: unknown) => {
      const reason = isOutOfMemory(thrown) ? tooMuchMemory() : thrown;
      this.endedBy ??= reason;
      onEnd();
      for (const { reject } of this.waiting.values()) reject(reason);
      this.waiting.clear();
    };
    this.worker.on('error', end);
    this.worker.on('exit', () => end(new Error('column worker thread exited')));
    this.worker.unref();
  }

  run<T extends Task>(task: T, flag: CancelFlag | null = null): Promise<ResultOf<T>> {
    return this.send({ task, flag }, movable(task));
  }

  /** One round of the warm-up. */
  warmUp(): Promise<void> {
    return this.send({ task: null, flag: null }, []);
  }

  private send<Result>(request: Omit<TaskRequest, 'id'>, moved: ArrayBuffer[]): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.endedBy !== null) {
        reject(this.endedBy);
        return;
      }
      const id = ++this.last;
      this.waiting.set(id, { resolve, reject });
      this.worker.ref();
      this.worker.postMessage({ id, ...request } satisfies TaskRequest, moved);
    });
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooMuchMemory(): AppError {
  return new AppError('too_large', 'This takes more memory than there is. Choose a shorter range or fewer conditions.');
}

/** `thread.ts` beside this file, or its build output beside the server's entries. */
function threadFile(): string {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  if (here.endsWith('.ts')) return `${folder}/thread.ts`;
  return `${basename(folder) === 'chunks' ? dirname(folder) : folder}/thread.js`;
}
