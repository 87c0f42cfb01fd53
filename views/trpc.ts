/**
 * Calls as the screens see them: tRPC's own client and react-query options, the policy of retries, and what a failed call means.
 * Within the server the same client asks in the process: src/web/page-queries.ts.
 */
import { QueryClient } from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  type Operation,
  splitLink,
  type TRPCClient,
  TRPCClientError,
} from '@trpc/client';
import { createTRPCContext, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import superjson from 'superjson';
import type { AppRouter } from '#src/router.ts';
import { CallError, type FailureCode, type FailureData } from './call-error.ts';

export type Client = TRPCClient<AppRouter>;

/** `trpc.<room>.<procedure>.queryOptions(input)` and so on. */
export type Trpc = TRPCOptionsProxy<AppRouter>;

const context = createTRPCContext<AppRouter>();

export const TrpcProvider = context.TRPCProvider;

export const useTrpc: () => Trpc = context.useTRPC;

/** Characters. Some proxies refuse longer addresses: a batch that would pass this is split. */
const MAX_URL_LENGTH = 7_000;

/** Length of the rest of a URL: origin, path, and the input's wrapping. */
const ADDRESS_LENGTH = 500;

/**
 * The browser's client: queries by GET, mutations by POST, calls of one tick in one request, subscriptions over server-sent events, values by
 * superjson.
 */
export function createClient(options: { url?: string; fetch?: typeof globalThis.fetch } = {}): Client {
  const { url = '/api/trpc' } = options;
  const http = { url, fetch: readable(options.fetch ?? globalThis.fetch), transformer: superjson };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({ url, transformer: superjson }),
        false: splitLink({
          condition: isLong,
          // The batch link refuses what is too long by itself; the server's limit for headers is 64 kB.
          true: httpBatchLink({ ...http, maxItems: 1 }),
          false: httpBatchLink({ ...http, maxURLLength: MAX_URL_LENGTH }),
        }),
      }),
    ],
  });
}

/** A query that fills an address alone. */
function isLong({ type, input }: Operation): boolean {
  if (type !== 'query' || input === undefined) return false;
  return encodeURIComponent(JSON.stringify(input)).length > MAX_URL_LENGTH - ADDRESS_LENGTH;
}

const UNREADABLE = 'Unable to transform response from server';

/** Non-JSON responses (a proxy's error page, a truncated response) fail like other invalid tRPC responses. */
function readable(fetch: typeof globalThis.fetch): NonNullable<Parameters<typeof httpBatchLink>[0]['fetch']> {
  return async (input, init) => {
    const response = await fetch(input, init as RequestInit);
    const text = await response.text();
    return {
      ok: response.ok,
      async json(): Promise<unknown> {
        try {
          return JSON.parse(text);
        } catch (cause) {
          throw new Error(UNREADABLE, { cause });
        }
      },
    };
  };
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

/** A failed query, mutation or render. */
export interface Failure extends Omit<FailureData, 'appCode'> {
  code: FailureCode;
}

/** A query that failed on the server while the page was being streamed; its text stayed there. */
export class StreamedError extends CallError {
  constructor(code: FailureCode) {
    super('failed on the server', { appCode: code });
    this.name = 'StreamedError';
  }
}

export function failureOf(error: unknown): Failure {
  const data = dataOf(error);
  if (data !== null) {
    const { code, field, retryAfterSec, requestId } = data;
    return { code, field, retryAfterSec, requestId };
  }
  if (!(error instanceof TRPCClientError)) return { code: 'internal' };
  if (error.cause instanceof CallError) return failureOf(error.cause);
  // Nothing came, or nothing that could be read; of subscriptions: the stream could not be opened, or broke.
  return { code: error.message === UNREADABLE ? 'unreadable' : 'network' };
}

/** The server's data of a failed call. */
function dataOf(error: unknown): Failure | null {
  if (!(error instanceof CallError || error instanceof TRPCClientError)) return null;
  const data = error.data as FailureData | null | undefined;
  if (data?.appCode === undefined) return null;
  const { appCode: code, ...rest } = data;
  return { code, ...rest };
}

/** True when the caller has no access, or has lost it; also of a stream, whose client has errors of its own. */
export function isRefusal(error: unknown): boolean {
  const code = dataOf(error)?.code;
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
