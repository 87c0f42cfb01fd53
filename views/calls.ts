/**
 * How a call reaches the server, in tRPC's way of asking: queries are GET with the input as JSON in `input`, mutations POST a JSON
 * body, calls of one tick go in one request (`batch=1`, paths joined by commas), values in superjson's format. Written out
 * here because the client package costs every page 9 kB (docs/decisions/0006-own-call-transport.md). Subscriptions, which
 * are its larger part, are left to it, and loaded when the first is needed. Within the server: src/web/page-queries.ts.
 */
import { type ErrorCode, errorTable } from '#src/kit/errors.ts';

/** What a screen's calls are carried out by. They reject with `CallError`. */
export interface Calls {
  query(path: string, input: unknown): Promise<unknown>;
  mutation(path: string, input: unknown): Promise<unknown>;
  subscription(path: string, input: unknown, observer: SubscriptionObserver): { unsubscribe(): void };
}

/** The listeners that `useSubscription` of @trpc/tanstack-react-query passes. */
export interface SubscriptionObserver {
  onError?(error: Error): void;
  [listener: `on${string}`]: ((...values: never[]) => void) | undefined;
}

/** Why a call failed: a code of the server, or no answer at all, or one that made no sense. */
export type FailureCode = ErrorCode | 'network' | 'unreadable';

export interface FailureData {
  appCode: FailureCode;
  field?: string | undefined;
  retryAfterSec?: number | undefined;
  requestId?: string | undefined;
}

export class CallError extends Error {
  readonly data: FailureData;

  constructor(message: string, data: FailureData, cause?: unknown) {
    super(message, { cause });
    this.name = 'CallError';
    this.data = data;
  }
}

/** What tests pass instead of the browser's own. */
export interface CallOptions {
  url?: string;
  fetch?: typeof globalThis.fetch;
}

type Kind = 'query' | 'mutation';

interface Waiting {
  path: string;
  input: unknown;
  resolve(value: unknown): void;
  reject(error: CallError): void;
}

/** Longer addresses are refused by some proxies; a batch that would pass this is split. */
const longestAddress = 7_000;

export function createCalls({ url = '/api/trpc', fetch = globalThis.fetch }: CallOptions = {}): Calls {
  const waiting: Record<Kind, Waiting[]> = { query: [], mutation: [] };

  function call(kind: Kind, path: string, input: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (waiting[kind].push({ path, input, resolve, reject }) === 1) setTimeout(() => sendAll(kind), 0);
    });
  }

  function sendAll(kind: Kind): void {
    let batch: Waiting[] = [];
    for (const each of waiting[kind].splice(0)) {
      if (kind === 'query' && addressOf(url, [...batch, each]).length > longestAddress) {
        send(kind, batch);
        batch = [];
      }
      batch.push(each);
    }
    send(kind, batch);
  }

  function send(kind: Kind, batch: Waiting[]): void {
    if (batch.length === 0) return;
    const answers = ask(kind, batch);
    for (const [index, { resolve, reject }] of batch.entries()) {
      answers.then((list) => unpack(list[index])).then(resolve, reject);
    }
  }

  /** One request. @returns an answer for each call. @throws CallError when there is none at all */
  async function ask(kind: Kind, batch: Waiting[]): Promise<unknown[]> {
    let text: string;
    try {
      const response = await fetch(...requestOf(url, kind, batch));
      text = await response.text();
    } catch (cause) {
      throw new CallError('The server could not be reached', { appCode: 'network' }, cause);
    }
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch (cause) {
      throw unreadable(cause);
    }
    return Array.isArray(answer) ? answer : batch.map(() => answer);
  }

  return {
    query: (path, input) => call('query', path, input),
    mutation: (path, input) => call('mutation', path, input),
    subscription(path, input, observer) {
      let isWanted = true;
      let subscription: { unsubscribe(): void } | null = null;
      import('./subscriptions.ts').then(
        ({ subscribe }) => {
          if (isWanted) subscription = subscribe(url, path, input, observer);
        },
        (cause: Error) => observer.onError?.(cause),
      );
      return {
        unsubscribe() {
          isWanted = false;
          subscription?.unsubscribe();
        },
      };
    },
  };
}

function requestOf(url: string, kind: Kind, batch: Waiting[]): [string, RequestInit] {
  if (kind === 'query') return [addressOf(url, batch), {}];
  const headers = { 'Content-Type': 'application/json' };
  return [`${pathsOf(url, batch)}?batch=1`, { method: 'POST', headers, body: inputsOf(batch) }];
}

function addressOf(url: string, batch: Waiting[]): string {
  return `${pathsOf(url, batch)}?batch=1&input=${encodeURIComponent(inputsOf(batch))}`;
}

function pathsOf(url: string, batch: Waiting[]): string {
  return `${url}/${batch.map(({ path }) => path).join(',')}`;
}

/** Inputs are JSON values (the contracts say so), which superjson writes as they are; only "no input" needs a note. */
function inputsOf(batch: Waiting[]): string {
  const packed = batch.map(({ input: json }, index) => [
    index,
    json === undefined ? { json: null, meta: { values: ['undefined'] } } : { json },
  ]);
  return JSON.stringify(Object.fromEntries(packed));
}

interface Packed {
  json: unknown;
  /** Present when a value was none that JSON has. */
  meta?: unknown;
}

/** The value of one answer. @throws CallError for a refusal, and for what is no answer */
async function unpack(answer: unknown): Promise<unknown> {
  const { result, error } = (answer ?? {}) as { result?: { data?: Packed }; error?: unknown };
  if (error !== undefined) throw failureIn(error);
  const packed = result?.data;
  if (typeof packed !== 'object' || packed === null || !('json' in packed)) throw unreadable();
  if (packed.meta === undefined) return packed.json;
  try {
    const { default: superjson } = await import('superjson');
    return superjson.deserialize(packed as Parameters<typeof superjson.deserialize>[0]);
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** What tRPC's error formatter wrote (src/trpc/procedure.ts), or the error page of the HTTP layer (src/web/errors.ts). */
function failureIn(error: unknown): CallError {
  const { json, code, message, requestId } = (error ?? {}) as Record<string, unknown>;
  if (typeof json === 'object' && json !== null) {
    const shape = json as { message?: unknown; data?: Partial<FailureData> };
    if (isCode(shape.data?.appCode)) return new CallError(String(shape.message), shape.data as FailureData);
  }
  if (!isCode(code)) return unreadable();
  return new CallError(String(message), { appCode: code, requestId: String(requestId) });
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && code in errorTable;
}

/** The answer is another program's error page, half an answer, or of another version. */
function unreadable(cause?: unknown): CallError {
  return new CallError('Unable to transform response from server', { appCode: 'unreadable' }, cause);
}
