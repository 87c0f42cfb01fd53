/**
 * The thread that draws, as the main one sees it: begun when someone first asks for a screen, begun again when it ended, ended with the
 * process. What it asks for and is asked for is listed here.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EventResult } from './collect/collect.ts';
import type { Config } from './config.ts';
import { type Answers, type Line, openLine } from './kit/calls.ts';
import type { Clock } from './kit/clock.ts';
import { unavailable } from './kit/errors.ts';
import { halfOfHeapMb } from './kit/heap.ts';
import type { JsonValue } from './kit/json.ts';
import type { Log } from './kit/log.ts';
import type { LiveReport } from './processes/processes.ts';
import type { Project } from './projects/projects.ts';
import type { RelayStatus } from './relay/contract.ts';

/** Functions of the main thread. */
export interface Main extends Answers {
  /** The process's current report of a part. */
  reportNow(part: string): LiveReport;
  ownProject(): Project | null;
  capture(events: JsonValue[], project: Project): Promise<EventResult[]>;
  projectsChanged(): void;
  jobSoon(name: string): Promise<void>;
  relayStatus(): Promise<RelayStatus>;
  spoolDir(): string | null;
}

/** Functions of the rendering thread. */
export interface Screens extends Answers {
  /** Resolves when it listens. */
  begun(): Promise<void>;
  /** How many questions wait for a connection. */
  waiting(): number;
  /** Ends open streams. */
  endStreams(): Promise<void>;
  /** Releases everything; the thread ends right after. */
  stop(): Promise<void>;
}

/** Data that the thread is started with. */
export interface ScreensData {
  config: Config;
  /** Socket to listen on. */
  address: string;
  /** Present under the watching build: the file that it writes last. */
  stamp: string | undefined;
}

export interface ScreensThread {
  /** The socket of the thread, which is started when needed. @throws AppError `unavailable` when it cannot be started */
  open(): Promise<string>;
  /** Asks it something, within a second; null: it is not there, or has no time. */
  ask(name: 'waiting'): Promise<number | null>;
  endStreams(): void;
  /** Never throws. */
  stop(): Promise<void>;
}

export interface ScreensParts {
  /** The built entry. */
  file: string;
  config: Config;
  stamp: string | undefined;
  answers: Main;
  log: Log;
  clock: Clock;
  /** Heap limit of the thread, MB; half of the process's. */
  maxHeapMb?: number;
}

/** Callers get an error while it cannot be begun. It is not tried with each request. */
const REST_MS = 1_000;
const ASK_MS = 1_000;
const FOLDER = 'luneta-screens-';
const SOCKET = 'socket';
/** Maximum path length of the socket's folder. */
const LONGEST_PLACE = 64;
/** Timeout of the shutdown, ms: mainly for mails being sent. */
const STOP_MS = 25_000;

interface Begun {
  address: string;
  line: Line<Screens>;
  /** Resolves when the thread has ended. */
  ended: Promise<void>;
  end(): Promise<unknown>;
}

export function createScreensThread(parts: ScreensParts): ScreensThread {
  const { log, clock } = parts;
  let current: Promise<Begun> | null = null;
  let restsUntil = 0;
  let isStopping = false;

  function thread(): Promise<Begun> {
    const beginning = begin(parts, (error) => {
      if (current === beginning) current = null;
      if (!isStopping) log.error({ err: error }, 'page renderer thread exited; restarting on next request');
    });
    beginning.catch((error: unknown) => {
      log.error({ err: error }, 'failed to start the page renderer thread');
      if (current === beginning) current = null;
      restsUntil = clock.elapsed() + REST_MS;
    });
    return beginning;
  }

  return {
    async open() {
      if (current === null) {
        if (isStopping || clock.elapsed() < restsUntil) throw unavailable('The page renderer is restarting.', 1);
        current = thread();
      }
      return (await current).address;
    },
    async ask(name) {
      if (current === null) return null;
      const asked = current.then(({ line }) => line.ask(name)).catch(() => null);
      return Promise.race([asked, rest(ASK_MS)]);
    },
    endStreams() {
      current?.then(({ line }) => line.ask('endStreams')).catch(() => undefined);
    },
    async stop() {
      isStopping = true;
      const begun = await current?.catch(() => null);
      if (!begun) return;
      begun.line.ask('stop').catch(() => undefined);
      await Promise.race([begun.ended, rest(STOP_MS)]);
      await begun.end();
      await begun.ended;
    },
  };
}

async function begin(
  { file, config, stamp, answers, maxHeapMb = halfOfHeapMb() }: ScreensParts,
  onEnd: (error: unknown) => void,
): Promise<Begun> {
  const { address, remove } = await privatePlace();
  const data: ScreensData = { config, address, stamp };
  const worker = new Worker(file, {
    workerData: data,
    name: 'screens',
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const line = openLine<Screens>(worker, answers);
  let error: unknown;
  worker.on('error', (thrown) => {
    error = thrown;
  });
  let hasBegun = false;
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      line.cut();
      if (hasBegun) onEnd(error);
      void remove()
        .catch(() => undefined)
        .then(resolve);
    });
  });
  try {
    await line.ask('begun');
  } catch (failure) {
    await worker.terminate();
    throw error ?? failure;
  }
  hasBegun = true;
  return { address, line, ended, end: () => worker.terminate() };
}

/** Creates a socket path that only this process's user can access. */
async function privatePlace(): Promise<{ address: string; remove(): Promise<void> }> {
  if (process.platform === 'win32') {
    return { address: `\\\\.\\pipe\\luneta-screens-${randomUUID()}`, remove: async () => undefined };
  }
  const folder = await privateFolder();
  return { address: join(folder, SOCKET), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The path of a socket may have some 100 bytes, and not every system has room for files. */
async function privateFolder(): Promise<string> {
  let failure: unknown;
  for (const place of [tmpdir(), '/tmp', '/dev/shm'].filter((each) => each.length < LONGEST_PLACE)) {
    try {
      await removeAbandoned(place);
      return await mkdtemp(join(place, FOLDER)); // 0700
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** Removes folders of killed processes, in which nothing listens. */
async function removeAbandoned(place: string): Promise<void> {
  const names = await readdir(place).catch(() => []);
  const folders = names.filter((name) => name.startsWith(FOLDER)).map((name) => join(place, name));
  for (const folder of folders) {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(join(folder, SOCKET), () => resolve('listening'));
      socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
      socket.once('connect', () => socket.destroy());
    });
    // Another user's stays.
    if (answer === 'ECONNREFUSED') await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function rest(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms).unref());
}
