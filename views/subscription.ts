/**
 * A subscription for as long as a component is there: `useSubscription(trpc.<room>.<procedure>.subscriptionOptions(input, { onData }))`.
 * `onData` is the one with which it began, so that it knows what was asked.
 */
import { hashKey } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { SubscriptionObserver } from './calls.ts';

/** What `subscriptionOptions` makes. */
export interface SubscriptionOptions<Data> {
  queryKey: readonly unknown[];
  enabled: boolean;
  // The observer's types follow from the procedure; here they only pass through.
  subscribe(observer: never): { unsubscribe(): void };
  onData?: ((data: Data) => void) | undefined;
}

/** `pending`: open, the next message may come; `idle`: not wanted, or ended by the server. */
export type SubscriptionStatus = 'idle' | 'connecting' | 'pending' | 'error';

export interface Subscription {
  status: SubscriptionStatus;
  error: unknown;
  /** Ends it and begins anew. */
  reset(): void;
}

interface Progress {
  status: SubscriptionStatus;
  error: unknown;
}

export function useSubscription<Data>(options: SubscriptionOptions<Data>): Subscription {
  const { enabled } = options;
  const key = hashKey(options.queryKey);
  const [progress, setProgress] = useState<Progress>({ status: 'idle', error: null });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another question, or another round, is another subscription
  useEffect(() => {
    if (!enabled) return setProgress({ status: 'idle', error: null });
    setProgress({ status: 'connecting', error: null });
    const observer: SubscriptionObserver = {
      onStarted: () => setProgress({ status: 'pending', error: null }),
      onData: (data: Data) => options.onData?.(data),
      onError: (error) => setProgress({ status: 'error', error }),
      onConnectionStateChange: ({ state, error }: { state: 'connecting' | 'pending' | 'idle'; error: unknown }) => {
        if (state === 'connecting') setProgress({ status: 'connecting', error });
        if (state === 'idle') setProgress({ status: 'idle', error: null });
      },
    };
    const subscription = options.subscribe(observer as never);
    return () => subscription.unsubscribe();
  }, [enabled, key, round]);

  const reset = useCallback(() => setRound((before) => before + 1), []);
  return { ...progress, reset };
}
