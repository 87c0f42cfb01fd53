/**
 * Data that travels inside a page: both ends of it. The server announces every query of the page in the first bytes
 * (settled ones with their data) and writes late values between pieces of markup, just before the markup that
 * used them. The browser turns announcements into promises, so that no query is asked twice, and holds late values
 * until the shell has hydrated: applied earlier they would change what the shell shows, and it would not match its HTML.
 *
 * On the page: `self.__q=[[boot, message…]]`, then `self.__q.push([message…])`. Only values that are JSON travel.
 */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Boot } from './settings.ts';
import { type Failure, failureOf, StreamedError } from './trpc.ts';

type Message =
  /** Settled before it was written. */
  | { k: QueryKey; d: unknown }
  /** Announced: its value or failure follows under the number. */
  | { k: QueryKey; i: number }
  | { i: number; d: unknown }
  /** Failed. The code crosses, the text does not. */
  | { i: number; e: Failure['code'] }
  /** Nothing more follows: why what is open will not come. */
  | { z: Failure['code'] };

/** The first element of the page's queue, and what later pieces push. */
export type Batch = (Message | { b: Boot })[];

/**
 * JSON that is safe inside a script element, whatever the data holds. There it is read as JavaScript, in which a member called
 * `__proto__` is a member only when its name is computed.
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/[<>&\u2028\u2029]/g, escapeCharacter)
    .replace(/([{,])"__proto__":/g, '$1["__proto__"]:');
}

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The server's end: follows queries, and knows what has not been written about them yet. */
export interface Announcer {
  /** Writes about a query from now on; a failure as its code. */
  follow(key: QueryKey, value: Promise<unknown>): void;
  /** What the page does not know yet; empty when there is nothing new. */
  drain(): Message[];
  /** Queries that have not settled. */
  readonly open: number;
}

interface Followed {
  key: QueryKey;
  number: number;
  announced: boolean;
  state: 'open' | 'done' | 'failed';
  value: unknown;
}

/**
 * Makes the server's end for one page.
 *
 * @param onSettled called whenever a query has settled
 */
export function createAnnouncer(onSettled: () => void): Announcer {
  let count = 0;
  let open = 0;
  let unwritten: Followed[] = [];

  return {
    follow(key, value) {
      const query: Followed = { key, number: count++, announced: false, state: 'open', value: undefined };
      open += 1;
      unwritten.push(query);
      const settle = (state: 'done' | 'failed', result: unknown) => {
        query.state = state;
        query.value = result;
        open -= 1;
        if (query.announced) unwritten.push(query);
        onSettled();
      };
      value.then(
        (data) => settle('done', data),
        (error) => settle('failed', failureOf(error).code),
      );
    },
    drain() {
      const messages = unwritten.flatMap(describe);
      unwritten = [];
      return messages;
    },
    get open() {
      return open;
    },
  };
}

function describe(query: Followed): Message[] {
  const { key: k, number: i, state, value } = query;
  if (state === 'done') return [query.announced ? { i, d: value } : { k, d: value }];
  const announcement: Message[] = query.announced ? [] : [{ k, i }];
  query.announced = true;
  return state === 'failed' ? [...announcement, { i, e: value as Failure['code'] }] : announcement;
}

declare global {
  interface Window {
    /** The page's queue; `push` is replaced once the browser's end is attached. */
    __q?: Batch[];
  }
}

/**
 * The browser's end. Puts into the query client what the page brought so far and takes what still comes.
 *
 * @returns a function to call when the shell has hydrated: it lets late values in
 */
export function attach(queryClient: QueryClient, page: Pick<Document, 'readyState' | 'addEventListener'>): () => void {
  const open = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let held: Batch[] | null = [];

  function announce(key: QueryKey, number: number): void {
    const value = new Promise((resolve, reject) => open.set(number, { resolve, reject }));
    const query = queryClient.getQueryCache().build(queryClient, queryClient.defaultQueryOptions({ queryKey: key }));
    // The first attempt is the server's; when it fails, the retries of the client's policy go over HTTP. Whether it fails
    // for good is in the query's state, where its readers find it.
    void query.fetch(undefined, { initialPromise: value }).catch(() => undefined);
  }

  function failOpen(code: Failure['code']): void {
    for (const { reject } of open.values()) reject(new StreamedError(code));
    open.clear();
  }

  function apply(batch: Batch): void {
    for (const message of batch) {
      if ('b' in message) continue;
      if ('z' in message) failOpen(message.z);
      else if ('k' in message) {
        if ('i' in message) announce(message.k, message.i);
        else queryClient.setQueryData(message.k, message.d);
      } else {
        const query = open.get(message.i);
        open.delete(message.i);
        if ('e' in message) query?.reject(new StreamedError(message.e));
        else query?.resolve(message.d);
      }
    }
  }

  function take(batch: Batch): number {
    if (held === null) apply(batch);
    else held.push(batch);
    return 0;
  }

  const [first, ...late] = window.__q ?? [];
  if (first) apply(first);
  for (const batch of late) take(batch);
  const queue: Batch[] = [];
  queue.push = take;
  window.__q = queue;
  // The end of the document is the end of the stream: what has not come by then (the server died, the connection was cut)
  // will not come.
  const ended = () => take([{ z: 'network' }]);
  if (page.readyState === 'loading') page.addEventListener('DOMContentLoaded', ended, { once: true });
  else ended();

  return () => {
    const batches = held ?? [];
    held = null;
    for (const batch of batches) apply(batch);
  };
}

/** The boot values of the page, or null where no server put any. Browser only. */
export function readBoot(): Boot | null {
  const message = window.__q?.[0]?.find((entry) => 'b' in entry);
  return message === undefined ? null : message.b;
}
