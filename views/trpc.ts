/**
 * Calls as the screens see them: typed options for react-query's hooks, the policy of retries, and what a failed call means.
 * Keys and options are those of @trpc/tanstack-react-query, whose types and subscription hook are used (why not more of it: calls.ts).
 */
import { QueryClient, type QueryKey } from '@tanstack/react-query';
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { createContext, useContext } from 'react';
import type { AppRouter } from '#src/router.ts';
import { CallError, type Calls, type FailureCode, type FailureData } from './calls.ts';

/** `trpc.<room>.<procedure>.queryOptions(input)` and so on; endless lists are not offered. */
export type Trpc = TRPCOptionsProxy<AppRouter>;

export const TrpcContext = createContext<Trpc | null>(null);

export function useTrpc(): Trpc {
  const trpc = useContext(TrpcContext);
  if (trpc === null) throw new Error('useTrpc is for components inside the shell');
  return trpc;
}

/** Makes the options of every procedure, whatever its path: the types say which there are. */
export function createTrpc(calls: Calls): Trpc {
  return optionsAt([], calls) as Trpc;
}

/** A path that grows with each name, until the last name is one of `optionMakers` and is called. */
function optionsAt(path: readonly string[], calls: Calls): unknown {
  return new Proxy(noop, {
    get: (_target, name) => (typeof name === 'string' ? optionsAt([...path, name], calls) : undefined),
    apply(_target, _self, values: unknown[]) {
      const make = optionMakers[path.at(-1) ?? ''];
      if (make === undefined) throw new Error(`Calls do not offer ${path.join('.')}`);
      return make(path.slice(0, -1), values, calls);
    },
  });
}

function noop(): void {}

type OptionMaker = (path: string[], values: unknown[], calls: Calls) => unknown;

const optionMakers: Record<string, OptionMaker> = {
  queryOptions: (path, [input, options], calls) => ({
    ...(options as object),
    queryKey: keyOf(path, input),
    queryFn: () => calls.query(path.join('.'), input),
    trpc: { path: path.join('.') },
  }),
  queryKey: (path, [input]) => keyOf(path, input),
  queryFilter: (path, [input, filters]) => ({ ...(filters as object), queryKey: keyOf(path, input) }),
  pathKey: (path) => [path],
  pathFilter: (path, [filters]) => ({ ...(filters as object), queryKey: [path] }),
  mutationKey: (path) => [path],
  mutationOptions: (path, [options], calls) => ({
    ...(options as object),
    mutationKey: [path],
    mutationFn: (input: unknown) => calls.mutation(path.join('.'), input),
    trpc: { path: path.join('.') },
  }),
  subscriptionOptions: (path, [input, options], calls) => ({
    enabled: true,
    ...(options as object),
    queryKey: [path, input === undefined ? {} : { input }],
    subscribe: (observer: Parameters<Calls['subscription']>[2]) => calls.subscription(path.join('.'), input, observer),
    trpc: { path: path.join('.') },
  }),
};

/** The key of a query; the server puts data under the same. */
export function keyOf(path: readonly string[], input: unknown): QueryKey {
  return [path, { ...(input === undefined ? {} : { input }), type: 'query' }];
}

/** The browser's query client. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Above zero, or every query that came with the page would be asked again on mount.
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        retry: shouldRetry,
        retryDelay,
      },
      mutations: { retry: false },
    },
  });
}

/** What a failed query, mutation or render means. */
export interface Failure extends Omit<FailureData, 'appCode'> {
  code: FailureCode;
}

/** A query that failed on the server while the page was being streamed; its text stayed there. */
export class StreamedError extends CallError {
  constructor(code: FailureCode) {
    super('This part of the page failed on the server', { appCode: code });
    this.name = 'StreamedError';
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CallError) {
    const { appCode: code, ...rest } = error.data;
    return { code, ...rest };
  }
  // Of the subscriptions' own client: the stream could not be opened, or broke.
  return { code: error instanceof Error && error.name === 'TRPCClientError' ? 'network' : 'internal' };
}

/** True when whoever asks may not, or not any more; also of a stream, whose client has errors of its own. */
export function isRefusal(error: unknown): boolean {
  const code = (error as { data?: { appCode?: FailureCode } } | null)?.data?.appCode;
  return code === 'unauthenticated' || code === 'forbidden' || code === 'not_found';
}

const definitive: ReadonlySet<FailureCode> = new Set([
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'too_large',
]);

/** Transport and server errors three times; "too many" once, when it is over; a refusal never. */
export function shouldRetry(failures: number, error: unknown): boolean {
  const { code } = failureOf(error);
  if (definitive.has(code)) return false;
  return failures < (code === 'rate_limited' ? 1 : 3);
}

/** 1, 2, 4 s and so on up to 30 s, or what the server asked for. */
export function retryDelay(failures: number, error: unknown): number {
  const { code, retryAfterSec } = failureOf(error);
  if (code === 'rate_limited' && retryAfterSec !== undefined) return retryAfterSec * 1_000;
  return Math.min(1_000 * 2 ** failures, 30_000);
}
