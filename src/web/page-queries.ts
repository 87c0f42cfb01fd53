/**
 * The queries of one page, run in the process: no HTTP, no transformer, and for the screen's own queries no
 * query observers either (a caller and a plain `setQueryData` cost a third).
 */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client';
import { type AnyTRPCRouter, callTRPCProcedure, type TRPCError } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '#src/router.ts';
import type { Context } from '#src/trpc/context.ts';
import type { Client } from '#views/trpc.ts';

/** A tRPC client that runs queries by a function. Rendering uses neither mutations nor subscriptions. */
export function createPageClient(query: (path: string, input: unknown) => Promise<unknown>): Client {
  const link: TRPCLink<AppRouter> =
    () =>
    ({ op: { type, path, input } }) =>
      observable((observer) => {
        if (type === 'subscription') return;
        const value =
          type === 'query' ? query(path, input) : Promise.reject(new Error('Rendering a page must not run mutations'));
        value.then(
          (data) => {
            observer.next({ result: { type: 'data', data } });
            observer.complete();
          },
          (error: Error) => observer.error(TRPCClientError.from(error)),
        );
      });
  return createTRPCClient<AppRouter>({ links: [link] });
}

/** For a page without data. */
export const noClient: Client = createPageClient(() => Promise.reject(new Error('This page has no queries')));

/** Tracks a query from its start, so that its result is sent to the page. */
export type Follow = (key: QueryKey, value: Promise<unknown>) => void;

export interface PageQueries {
  /** For components on the server: their own queries are tracked, too. */
  client: Client;
  /** Starts a query that the screen announces. */
  start(key: QueryKey, critical: boolean): void;
  /** Resolves when all critical queries have settled, or after `limitMs`. */
  critical(limitMs: number): Promise<void>;
  /**
   * Puts what has settled into the query client, and what has not as a promise that is kept after `drawn`: what the first bytes do not
   * say may not be in the markup that comes with them.
   */
  fill(queryClient: QueryClient, drawn: Promise<void>): void;
}

interface Started {
  key: QueryKey;
  critical: boolean;
  value: Promise<unknown>;
  settled: { data: unknown } | null;
}

/**
 * @param withoutText the error that the page may see, for one that a procedure threw
 * @param turn resolves when the page may take an answer over
 */
export function createPageQueries(
  router: AnyTRPCRouter,
  ctx: Context,
  follow: Follow,
  withoutText: (error: TRPCError) => Error,
  turn: () => Promise<void>,
): PageQueries {
  const started: Started[] = [];

  async function ask(path: string, input: unknown): Promise<unknown> {
    try {
      const call = { router, path, getRawInput: async () => input, ctx, type: 'query', batchIndex: 0 } as const;
      return await callTRPCProcedure({ ...call, signal: ctx.signal });
    } catch (error) {
      throw withoutText(error as TRPCError);
    } finally {
      await turn();
    }
  }

  return {
    client: createPageClient((path, input) => {
      const value = ask(path, input);
      follow(keyOf(path, input), value);
      return value;
    }),
    start(key, critical) {
      const { path, input } = partsOf(key);
      const value = ask(path, input);
      const query: Started = { key, critical, value, settled: null };
      started.push(query);
      follow(key, value);
      value.then(
        (data) => {
          query.settled = { data };
        },
        // Tracked elsewhere: the page gets the error code, the log the rest.
        () => undefined,
      );
    },
    async critical(limitMs) {
      const waiting = started.filter((query) => query.critical && query.settled === null);
      if (waiting.length === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      await Promise.race([Promise.allSettled(waiting.map(({ value }) => value)), limit]);
      clearTimeout(timer);
    },
    fill(queryClient, drawn) {
      for (const { key, value, settled } of started) {
        if (settled) queryClient.setQueryData(key, settled.data);
        else void queryClient.prefetchQuery({ queryKey: key, queryFn: () => drawn.then(() => value) });
      }
    },
  };
}

/** The key under which @trpc/tanstack-react-query keeps the answer to a query. */
function keyOf(path: string, input: unknown): QueryKey {
  return [path.split('.'), { ...(input === undefined ? {} : { input }), type: 'query' }];
}

/** Path and input of a query key. */
function partsOf(key: QueryKey): { path: string; input: unknown } {
  const [path, rest] = key as [string[], { input?: unknown } | undefined];
  return { path: path.join('.'), input: rest?.input };
}
