/**
 * Connectivity to the server, from the browser (offline) and from failed calls; while unreachable,
 * the server is polled with backoff, and when it is back the failed parts reload.
 */
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { failureOf } from '#views/trpc.ts';

export interface Connection {
  state: 'online' | 'offline' | 'unreachable';
  /** Seconds until the next attempt; 0 while one is under way. */
  seconds: number;
  tryNow(): void;
  /** Grows each time the connection comes back: what failed before is rendered again. */
  generation: number;
}

const online: Connection = { state: 'online', seconds: 0, tryNow: () => undefined, generation: 0 };
const Context = createContext<Connection>(online);

export function useConnection(): Connection {
  return useContext(Context);
}

const FIRST_WAIT = 4;
const LONGEST_WAIT = 32;

export function ConnectionProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<Connection['state']>('online');
  const [seconds, setSeconds] = useState(0);
  const wait = useRef(FIRST_WAIT);
  const [generation, setGeneration] = useState(0);

  const begin = useCallback((next: 'offline' | 'unreachable') => {
    wait.current = FIRST_WAIT;
    setState(next);
    setSeconds(FIRST_WAIT);
  }, []);

  const attempt = useCallback(async () => {
    setSeconds(0);
    const alive = await isAlive();
    if (alive) {
      setState('online');
      setGeneration((count) => count + 1);
      void queryClient.resetQueries({ predicate: (query) => query.state.status === 'error' });
      return;
    }
    wait.current = Math.min(wait.current * 2, LONGEST_WAIT);
    setSeconds(wait.current);
  }, [queryClient]);

  // The first sign: an event of the browser, or a call without an answer.
  useEffect(() => {
    const onOffline = () => begin('offline');
    const onOnline = () => void attempt();
    addEventListener('offline', onOffline);
    addEventListener('online', onOnline);
    if (!navigator.onLine) begin('offline');
    return () => {
      removeEventListener('offline', onOffline);
      removeEventListener('online', onOnline);
    };
  }, [begin, attempt]);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || state !== 'online') return;
        const { action } = event;
        const failed = action.type === 'failed' || action.type === 'error';
        if (failed && failureOf(action.error).code === 'network' && navigator.onLine) begin('unreachable');
      }),
    [queryClient, state, begin],
  );

  // One tick a second while away.
  useEffect(() => {
    if (state === 'online' || seconds === 0) return;
    const timer = setTimeout(() => (seconds === 1 ? void attempt() : setSeconds(seconds - 1)), 1_000);
    return () => clearTimeout(timer);
  }, [state, seconds, attempt]);

  const value = useMemo(
    () => ({ state, seconds, tryNow: () => void attempt(), generation }),
    [state, seconds, attempt, generation],
  );
  return <Context value={value}>{children}</Context>;
}

async function isAlive(): Promise<boolean> {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store' });
    return answer.ok;
  } catch {
    return false;
  }
}
