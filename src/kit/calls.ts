/** Two threads of one process ask each other by message. What is passed and answered must be data; of errors ours stay ours. */
import type { MessagePort, Worker } from 'node:worker_threads';
import { AppError, type AppErrorOptions, type ErrorCode, unavailable } from './errors.ts';

/** One end: the worker itself, or the `parentPort` within it. */
export type End = Worker | MessagePort;

/** Handlers by name. */
export type Answers = Record<string, (...asked: never[]) => unknown>;

export interface Line<Theirs extends Answers> {
  /** @throws what the answer threw; AppError `unavailable` once the other end is gone */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    ...asked: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>;
  /** The other end is gone: nothing is answered any more. */
  cut(): void;
}

interface CallRequest {
  id: number;
  name: string;
  asked: never[];
}

interface CallResponse {
  id: number;
  result?: unknown;
  failure?: Failure;
}

/** An error as data. */
export interface Failure {
  code: ErrorCode;
  message: string;
  options: AppErrorOptions;
}

interface Waiting {
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** @param answers what the other end may ask */
export function openLine<Theirs extends Answers>(end: End, answers: Answers): Line<Theirs> {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let isCut = false;

  async function answer({ id, name, asked }: CallRequest): Promise<void> {
    try {
      const known = answers[name];
      if (known === undefined) throw new AppError('internal', `Internal: no handler for ${name}.`);
      say({ id, result: await known(...asked) });
    } catch (error) {
      // Also that what was answered is no data.
      say({ id, failure: failureOf(error) });
    }
  }

  function say(said: CallResponse): void {
    if (!isCut) end.postMessage(said);
  }

  function take({ id, result, failure }: CallResponse): void {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) asker?.resolve(result as never);
    else asker?.reject(errorOf(failure));
  }

  const hear = (message: CallRequest | CallResponse) => {
    if ('name' in message) void answer(message);
    else take(message);
  };
  (end as MessagePort).on('message', hear);
  return {
    ask(name, ...asked) {
      return new Promise((resolve, reject) => {
        if (isCut) return reject(gone());
        const id = ++last;
        waiting.set(id, { resolve, reject });
        end.postMessage({ id, name, asked });
      });
    },
    cut() {
      isCut = true;
      for (const { reject } of waiting.values()) reject(gone());
      waiting.clear();
    },
  };
}

function gone(): AppError {
  return unavailable('Part of the server is restarting. Try again in a moment.', 1);
}

export function errorOf({ code, message, options }: Failure): AppError {
  return new AppError(code, message, options);
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof AppError)) {
    return { code: 'internal', message: error instanceof Error ? error.message : String(error), options: {} };
  }
  const { code, message, field, retryAfterSec } = error;
  const options = {
    ...(field === undefined ? {} : { field }),
    ...(retryAfterSec === undefined ? {} : { retryAfterSec }),
  };
  return { code, message, options };
}
