/** Subscriptions over server-sent events: 7 kB that only live screens need, so a chunk of its own. */
import { createTRPCUntypedClient, httpSubscriptionLink } from '@trpc/client';
import superjson from 'superjson';
import type { AppRouter } from '#src/router.ts';
import type { SubscriptionObserver } from './calls.ts';

let client: ReturnType<typeof createTRPCUntypedClient<AppRouter>> | null = null;

/** Begins a subscription. The browser resumes a broken stream from the id of its last message. */
export function subscribe(
  url: string,
  path: string,
  input: unknown,
  observer: SubscriptionObserver,
): { unsubscribe(): void } {
  client ??= createTRPCUntypedClient<AppRouter>({
    links: [httpSubscriptionLink<AppRouter, typeof EventSource>({ url, transformer: superjson })],
  });
  return client.subscription(path, input, observer);
}
