/**
 * Tabs of one browser share its session. When a page of another reader loads in one of them, or the session has ended, what the others show
 * is not their reader's any more: they load again. Browser only.
 */
import type { Query, QueryClient } from '@tanstack/react-query';
import { reloadUnlessLeaving } from './kit/SignOut.tsx';
import { failureOf } from './trpc.ts';

interface SessionParts {
  /** Of this page; null: signed out; undefined: not known yet, in the kept shell. */
  reader: string | null | undefined;
  queryClient: QueryClient;
  /** Asks the server whose session it is. */
  askReader: () => Promise<string>;
  reload?: () => void;
}

/** With fewer seconds between them, answers that something is missing are not a reason to ask again. */
const askAgainMs = 10_000;

/** @returns how to stop */
export function watchSession({
  reader,
  queryClient,
  askReader,
  reload = reloadUnlessLeaving,
}: SessionParts): () => void {
  let current = reader;
  /** Of another tab, while this one's reader is not known. */
  let heard: string | null | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const channel = new BroadcastChannel('luneta-session');
  channel.onmessage = ({ data }: { data: string | null }) => {
    if (current === undefined) heard = data;
    else if (data !== current) reload();
  };
  if (current !== undefined) channel.postMessage(current);

  /** @param found null: nobody is signed in */
  function noteReader(found: string | null): void {
    const isOther = current === undefined ? heard !== undefined && heard !== found : current !== found;
    if (isOther) return void reload();
    if (current === undefined && found !== null) channel.postMessage(found);
    current = found;
  }

  /** A project that is gone may be one that another reader does not see. */
  function noteMissing(): void {
    if (performance.now() - askedAt < askAgainMs) return;
    askedAt = performance.now();
    askReader().then(noteReader, noteFailure);
  }

  function noteFailure(error: unknown): void {
    const { code } = failureOf(error);
    if (code === 'unauthenticated') noteReader(null);
    else if (code === 'not_found' && typeof current === 'string') noteMissing();
  }

  function noteAnswer({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>): void {
    if (current === null) return;
    if (state.status === 'error') noteFailure(state.error);
    else if (state.status === 'success' && isMe(queryKey)) noteReader((state.data as { uuid: string }).uuid);
  }

  const cache = queryClient.getQueryCache();
  // What was answered before this code came.
  for (const query of cache.getAll()) noteAnswer(query);
  const unsubscribe = cache.subscribe((event) => {
    if (event.type === 'updated' && (event.action.type === 'error' || event.action.type === 'success'))
      noteAnswer(event.query);
  });
  return () => {
    unsubscribe();
    channel.close();
  };
}

/** The call that says who is signed in. */
function isMe([path]: readonly unknown[]): boolean {
  return Array.isArray(path) && path.join('.') === 'accounts.me';
}
