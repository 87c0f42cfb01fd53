/** Tells work for a request that nobody waits for its answer any more. */

/** The part of a response that knows it. */
interface Answering {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Fires when the connection of a request is closed, at the latest after the answer. */
export function goneSignal(response: Answering): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}
