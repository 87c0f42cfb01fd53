/** The body of an upstream's answer on its way to the client: as fast as the slower of the two takes it, within limits. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#src/kit/errors.ts';
import { ClientTooSlow, type RelayLimits } from './stream-limits.ts';

/**
 * Pipes a response body after its head.
 *
 * @param finish called at the end, or with the error that ended it early
 * @returns clears the timeouts
 */
export function passAnswer(
  answer: IncomingMessage,
  res: ServerResponse,
  limits: Pick<RelayLimits, 'idleMs' | 'answerMs'>,
  finish: (error?: AppError) => void,
): () => void {
  /** Since when the client has yet to read what was passed on; null while it keeps up. */
  let clientFullSince: number | null = null;
  /** How long it has kept us waiting before, in all. */
  let clientFullMs = 0;
  let idle: NodeJS.Timeout | undefined;

  const whole = setTimeout(() => {
    // True while waiting for the client, or when it caused more than half of the waiting time.
    const isClients = clientFullSince !== null || clientFullMs > limits.answerMs / 2;
    finish(tooSlow(isClients, 'responded too slowly', 'The client read the response too slowly.'));
  }, limits.answerMs);

  /** Timeout of the next chunk: from the upstream, or of the client taking it. */
  function limitPiece(): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      finish(
        tooSlow(clientFullSince !== null, 'stopped sending its response', 'The client did not read the response.'),
      );
    }, limits.idleMs);
  }

  function onDrain(): void {
    clientFullMs += performance.now() - (clientFullSince ?? performance.now());
    clientFullSince = null;
    limitPiece();
    answer.resume();
  }

  function onBroken(cause?: unknown): void {
    finish(new AppError('upstream', 'The upstream closed the connection before the response was complete.', { cause }));
  }

  answer.on('data', (chunk: Buffer) => {
    const isClientFull = !res.write(chunk);
    if (isClientFull) clientFullSince ??= performance.now();
    limitPiece();
    if (!isClientFull) return;
    answer.pause();
    res.once('drain', onDrain);
  });
  answer.on('end', () => {
    res.end();
    finish();
  });
  answer.on('error', onBroken);
  answer.on('aborted', () => onBroken());
  limitPiece();
  return () => {
    clearTimeout(whole);
    clearTimeout(idle);
  };
}

function tooSlow(isClients: boolean, upstreams: string, clients: string): AppError {
  return isClients ? new ClientTooSlow(clients) : new AppError('timeout', `The upstream ${upstreams}.`);
}
