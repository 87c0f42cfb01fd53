/**
 * Tabs of one browser share its session. When a page of another reader loads in one of them, or the session has ended, what the others show
 * is not their reader's any more: they load again. Browser only.
 */
import type { QueryClient } from '@tanstack/react-query';
import { reloadUnlessLeaving } from './kit/SignOut.tsx';
import { failureOf } from './trpc.ts';

/** @param reader of this page; null: signed out */
export function watchSession(reader: string | null, queryClient: QueryClient): void {
  const channel = new BroadcastChannel('luneta-session');
  channel.onmessage = ({ data }) => {
    if (data !== reader) reloadUnlessLeaving();
  };
  channel.postMessage(reader);
  if (reader === null) return;
  queryClient.getQueryCache().subscribe(({ query, type }) => {
    const { status, error } = query.state;
    if (type === 'updated' && status === 'error' && failureOf(error).code === 'unauthenticated') reloadUnlessLeaving();
  });
}
