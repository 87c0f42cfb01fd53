/** Keeps the rows of Live up to date: subscribes while the tab is seen, and holds rows back while someone reads. */
import { useSubscription } from '@trpc/tanstack-react-query';
import { useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import type { LiveFilter, LiveSnapshot } from '#src/events/contract.ts';
import { reloadUnlessLeaving } from '#views/kit/SignOut.tsx';
import { isRefusal, useTrpc } from '#views/trpc.ts';
import { reduceStream, type StreamState, startOf } from './stream-state.ts';

/** After a stream has ended or was refused: when to begin it again. */
const AGAIN_MS = 3_000;

export type Connection = 'connecting' | 'live' | 'lost';

export interface Stream extends StreamState {
  connection: Connection;
  /** Lets the waiting rows in. */
  release(): void;
}

/**
 * @param asked another filter is another stream
 * @param snapshot where the stream of `asked` begins
 */
export function useStream(
  asked: { project: string; filter?: LiveFilter },
  snapshot: LiveSnapshot,
  held: boolean,
): Stream {
  const trpc = useTrpc();
  const key = JSON.stringify(asked);
  const [state, dispatch] = useReducer(reduceStream, { of: key, snapshot }, startOf);
  const visible = useVisible();
  const holding = useRef(held);
  const cursor = useRef(state.cursor);
  cursor.current = state.cursor;
  const [from, setFrom] = useState(snapshot.cursor);
  if (state.of !== key) {
    setFrom(snapshot.cursor);
    dispatch({ type: 'begun', of: key, snapshot });
  }

  useEffect(() => {
    holding.current = held;
    if (!held) dispatch({ type: 'released' });
  }, [held]);

  const options = trpc.events.liveStream.subscriptionOptions({ ...asked, lastEventId: from }, { enabled: visible });
  const { status, error, reset } = useSubscription({
    ...options,
    // What arrives belongs to the stream that was asked, also when another is asked already.
    subscribe: (observer) =>
      options.subscribe({
        ...observer,
        onData(message) {
          dispatch({ type: 'arrived', of: key, update: message.data, held: holding.current });
          observer.onData?.(message);
        },
      }),
  });

  // Coming back to the tab goes on from the last row, not from where the page began.
  useEffect(() => {
    if (!visible) return () => setFrom(cursor.current);
    return undefined;
  }, [visible]);

  // Not ours to see any more: the page is reloaded, and the server decides what it shows.
  useEffect(() => {
    if (isRefusal(error)) reloadUnlessLeaving();
  }, [error]);

  const over = visible && (status === 'idle' || status === 'error');
  useEffect(() => {
    if (!over) return;
    const timer = setTimeout(() => {
      setFrom(cursor.current);
      reset();
    }, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [over, reset]);

  return {
    ...state,
    connection: status === 'pending' ? 'live' : over || error ? 'lost' : 'connecting',
    release: () => dispatch({ type: 'released' }),
  };
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Whether the tab is seen; not on the server, which subscribes to nothing. */
function useVisible(): boolean {
  return useSyncExternalStore(
    subscribeToVisibility,
    () => document.visibilityState === 'visible',
    () => false,
  );
}
