/**
 * Data that travels inside a page: both ends of it. Queries are sent as TanStack Query dehydrates and hydrates them; the transport of late values is ours.
 * The server announces every query of the page in the first bytes (settled ones with their data) and writes late values between pieces of
 * markup, just before the markup that used them. The browser turns announcements into promises, so that no query runs twice, and holds
 * late values until the shell has hydrated: applied earlier they would change what the shell shows, and it would not match its HTML.
 *
 * On the page: `self.__q=[[boot, message…]]`, then `self.__q.push([message…])`. Only values that are JSON travel.
 */
import { type DehydratedState, dehydrate, hydrate, QueryClient, type QueryKey } from '@tanstack/react-query';
import { earlyParts } from './known.ts';
import type { Boot } from './settings.ts';
import { type Failure, failureOf, StreamedError } from './trpc.ts';

type Message =
  /** Queries: settled ones with their data, of the others a value or a failure follows. */
  | { s: DehydratedState }
  /** The value of an announced query, by its hash. */
  | { h: string; d: unknown }
  /** It failed. The code crosses, the text does not. */
  | { h: string; e: Failure['code'] }
  /** Ids of parts that were drawn before the answer to their query, or, when they are named again, drawn again after it: see `known.ts`. */
  | { p: string[] }
  /** Nothing more follows: why what is open will not come. */
  | { z: Failure['code'] };

type DehydratedQuery = DehydratedState['queries'][number];

/** The first element of the page's queue, and what later pieces push. */
export type Batch = (Message | { b: Boot })[];

/**
 * JSON that is safe inside a script element, for any data. There it is read as JavaScript, in which a member called
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
  /** Notes how a part was drawn. Parts count as drawn with what was known unless they are noted as early. */
  note(id: string, isEarly: boolean): void;
  /** Messages that the page has not received; empty without news. */
  drain(): Message[];
  /** Queries that have not settled. */
  readonly open: number;
}

interface Settled {
  hash: string;
  outcome: { d: unknown } | { e: Failure['code'] };
}

/**
 * Makes the server's end for one page.
 *
 * @param onSettled called whenever a query has settled
 */
export function createAnnouncer(onSettled: () => void): Announcer {
  /** Queries as the page knows them: rendering uses another client, in which some are still pending. */
  const sent = new QueryClient();
  const cache = sent.getQueryCache();
  let open = 0;
  /** Hashes of queries that the page does not know of. */
  let unannounced = new Set<string>();
  let settled: Settled[] = [];
  const early = new Set<string>();
  /** Ids of parts of which the page knows it otherwise. */
  let turned = new Set<string>();

  return {
    follow(key, value) {
      const { queryHash: hash } = cache.build(sent, { queryKey: key });
      unannounced.add(hash);
      open += 1;
      const settle = (outcome: Settled['outcome']) => {
        open -= 1;
        if ('d' in outcome && unannounced.has(hash)) sent.setQueryData(key, outcome.d);
        else settled.push({ hash, outcome });
        onSettled();
      };
      value.then(
        (d) => settle({ d }),
        (error) => settle({ e: failureOf(error).code }),
      );
    },
    note(id, isEarly) {
      if (early.has(id) === isEarly) return;
      if (isEarly) early.add(id);
      else early.delete(id);
      if (!turned.delete(id)) turned.add(id);
    },
    drain() {
      const now = unannounced;
      const messages: Message[] = turned.size === 0 ? [] : [{ p: [...turned] }];
      if (now.size > 0) messages.push({ s: dehydrate(sent, including(now)) });
      messages.push(...settled.map(({ hash: h, outcome }) => ({ h, ...outcome })));
      unannounced = new Set();
      settled = [];
      turned = new Set();
      return messages;
    },
    get open() {
      return open;
    },
  };
}

function including(hashes: ReadonlySet<string>) {
  return { shouldDehydrateQuery: ({ queryHash }: { queryHash: string }) => hashes.has(queryHash) };
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
  const open = new Map<string, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let held: Batch[] | null = [];
  function failOpen(code: Failure['code']): void {
    for (const { reject } of open.values()) reject(new StreamedError(code));
    open.clear();
  }

  function apply(batch: Batch): void {
    for (const message of batch) {
      if ('b' in message) continue;
      if ('z' in message) failOpen(message.z);
      else if ('p' in message) for (const id of message.p) earlyParts.delete(id) || earlyParts.add(id);
      else if ('s' in message) hydrate(queryClient, { ...message.s, queries: message.s.queries.map(received) });
      else {
        const query = open.get(message.h);
        open.delete(message.h);
        if ('e' in message) query?.reject(new StreamedError(message.e));
        else query?.resolve(message.d);
      }
    }
  }

  /**
   * A query as of now, by the clock of this browser: by the server's it might seem old already, and be asked once more. For one that is
   * announced, a promise of its value: the first attempt is the server's; when it fails, the retries of the client's policy go over HTTP.
   */
  function received(query: DehydratedQuery): DehydratedQuery {
    const now = Date.now();
    if (query.state.status !== 'pending') return { ...query, state: { ...query.state, dataUpdatedAt: now } };
    const promise = new Promise((resolve, reject) => open.set(query.queryHash, { resolve, reject }));
    return { ...query, dehydratedAt: now, promise };
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
