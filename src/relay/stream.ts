/**
 * Streams one request to the upstream and back, without decoding or buffering the body as a whole. Its first part is
 * kept, so that a refused or reset connection can be retried once; events have
 * a uuid, by which an upstream deduplicates.
 */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#src/kit/errors.ts';
import { headersForClient } from './headers.ts';
import { describeStatus } from './problems.ts';
import { passAnswer } from './stream-answer.ts';
import { ClientTooSlow, type RelayLimits, relayLimits } from './stream-limits.ts';
import type { Upstream } from './upstream.ts';

/**
 * Resolves to true when the response was passed on, to false when the client disconnected before. Rejects with AppError when the upstream
 * failed; `res.headersSent` is true when it failed during its response.
 */
export function streamThrough(
  upstream: Upstream,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  headers: Record<string, string>,
  limits: RelayLimits = relayLimits,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let target: ClientRequest;
    let remembered: Buffer[] | null = [];
    let size = 0;
    let hasEnded = false;
    let hasAnswer = false;
    let isOver = false;
    let tries = 0;
    /** The upstream has yet to read what was written. */
    let isFull = false;
    let timer: NodeJS.Timeout | undefined;
    let stopPassing: (() => void) | undefined;

    function limit(ms: number, what: string): void {
      clearTimeout(timer);
      timer = setTimeout(() => finish(new AppError('timeout', `The upstream ${what}.`)), ms);
    }

    /** Timeout of the next chunk of the body: from the client, or of the upstream taking it. */
    function limitUpload(): void {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const isClients = !hasEnded && !isFull;
        finish(
          isClients
            ? new ClientTooSlow('Request timed out: body received too slowly.')
            : new AppError('timeout', 'The upstream stopped reading the request.'),
        );
      }, limits.idleMs);
    }

    function finish(error?: AppError, isClientGone = false): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      stopPassing?.();
      req.off('data', onData).off('end', onEnd);
      res.off('close', onClientGone);
      if (error || isClientGone || !hasEnded) target.destroy();
      if (!error) {
        req.resume();
        resolve(!isClientGone);
        return;
      }
      // With the head already sent, a broken connection is the only honest way to say that the rest is missing.
      if (hasAnswer) res.destroy();
      reject(error);
    }

    function attempt(): void {
      tries++;
      target = upstream.open(req.method ?? 'GET', path, headers);
      const current = target;
      limit(limits.connectMs, 'connection timed out');
      current.on('socket', (socket) => {
        const onConnected = () => current === target && !hasAnswer && limitUpload();
        if (socket.connecting) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', onConnected);
        else onConnected();
      });
      current.on('finish', () => !hasAnswer && limit(limits.firstByteMs, 'did not respond in time'));
      current.on('drain', () => {
        isFull = false;
        if (!hasAnswer) limitUpload();
        req.resume();
      });
      current.on('response', onAnswer);
      current.on('error', (cause: NodeJS.ErrnoException) => {
        if (current !== target || hasAnswer || isOver) return;
        const isWorthAnother = cause.code === 'ECONNREFUSED' || cause.code === 'ECONNRESET' || cause.code === 'EPIPE';
        if (tries === 1 && remembered !== null && isWorthAnother) attempt();
        else finish(new AppError('upstream', 'Upstream unreachable.', { cause }));
      });
      isFull = false;
      for (const chunk of remembered ?? []) isFull = !current.write(chunk);
      if (hasEnded) current.end();
      else req.resume();
    }

    function onData(chunk: Buffer): void {
      size += chunk.length;
      if (size > limits.bodyBytes) {
        finish(new AppError('too_large', 'Request too large to forward.'));
        return;
      }
      if (remembered && size <= limits.rememberBytes) remembered.push(chunk);
      else remembered = null;
      isFull = !target.write(chunk);
      if (!hasAnswer) limitUpload();
      if (isFull) req.pause();
    }

    function onEnd(): void {
      hasEnded = true;
      target.end();
    }

    function onClientGone(): void {
      finish(undefined, true);
    }

    function onAnswer(answer: IncomingMessage): void {
      const { statusCode = 502 } = answer;
      // A redirect would send clients to a host that is not configured.
      if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) {
        finish(new AppError('upstream', describeStatus(statusCode)));
        return;
      }
      hasAnswer = true;
      clearTimeout(timer);
      res.writeHead(statusCode, headersForClient(answer.headers));
      res.flushHeaders();
      stopPassing = passAnswer(answer, res, limits, finish);
    }

    req.on('data', onData).on('end', onEnd);
    res.on('close', onClientGone);
    attempt();
  });
}
