/**
 * One request, streamed to the upstream and back. Nothing is decoded and nothing waits for its end: the body leaves as it
 * arrives. The first part of it is remembered, so that a refused or reset connection can be tried once more; events carry
 * a uuid, by which an upstream knows the second copy.
 */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#src/kit/errors.ts';
import { headersForClient } from './headers.ts';
import { describeStatus } from './problems.ts';
import type { Upstream } from './upstream.ts';

/** Milliseconds. */
export const relayLimits = {
  /** To a connection, waiting for a free one included. */
  connectMs: 3000,
  /** From the end of the request to the answer's head. */
  firstByteMs: 10_000,
  /** Between two pieces of a body, in either direction. */
  idleMs: 30_000,
  /** From the answer's head to its end: what drips is cut off. */
  answerMs: 60_000,
  bodyBytes: 64 * 1024 * 1024,
  /** How much of a body is remembered for the second try. */
  rememberBytes: 256 * 1024,
};
export type RelayLimits = typeof relayLimits;

/** The client sends or reads too slowly: no fault of the upstream's. Answered 408, while there is something to answer. */
export class ClientTooSlow extends AppError {
  constructor(message: string) {
    super('timeout', message);
  }
}

/**
 * Resolves to true when the answer was passed on, to false when the client hung up before. Rejects with AppError when the upstream
 * failed; `res.headersSent` tells whether it did so before its answer or in the middle of it.
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
    /** Since when the client has yet to read what was passed on; null while it keeps up. */
    let clientFullSince: number | null = null;
    /** How long it has kept us waiting before, in all. */
    let clientFullMs = 0;
    let timer: NodeJS.Timeout | undefined;
    let wholeAnswer: NodeJS.Timeout | undefined;

    function limit(ms: number, what: string): void {
      clearTimeout(timer);
      timer = setTimeout(() => finish(new AppError('timeout', `The upstream ${what}.`)), ms);
    }

    /** For the next piece of the body: from the client, or, when there is one already, for the upstream to take it. */
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

    /** For the next piece of the answer: from the upstream, or, when there is one already, for the client to take it. */
    function limitAnswer(): void {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const isClients = clientFullSince !== null;
        finish(whoseAnswer(isClients, 'stopped sending its response', 'The client did not read the response.'));
      }, limits.idleMs);
    }

    function whoseAnswer(isClients: boolean, upstreams: string, clients: string): AppError {
      return isClients ? new ClientTooSlow(clients) : new AppError('timeout', `The upstream ${upstreams}.`);
    }

    /** Whether we wait for the client at this moment, or have done so for more than half of the answer. */
    function isClientSlower(): boolean {
      return clientFullSince !== null || clientFullMs > limits.answerMs / 2;
    }

    function finish(error?: AppError, isClientGone = false): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearTimeout(wholeAnswer);
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
        limitUpload();
        req.resume();
      });
      current.on('response', passOn);
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

    function passOn(answer: IncomingMessage): void {
      const { statusCode = 502 } = answer;
      // A client that followed it would leave us for a host that nobody set.
      if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) {
        finish(new AppError('upstream', describeStatus(statusCode)));
        return;
      }
      hasAnswer = true;
      wholeAnswer = setTimeout(
        () => finish(whoseAnswer(isClientSlower(), 'responded too slowly', 'The client read the response too slowly.')),
        limits.answerMs,
      );
      limitAnswer();
      res.writeHead(statusCode, headersForClient(answer.headers));
      res.flushHeaders();
      answer.on('data', (chunk: Buffer) => {
        const isClientFull = !res.write(chunk);
        if (isClientFull) clientFullSince ??= performance.now();
        limitAnswer();
        if (!isClientFull) return;
        answer.pause();
        res.once('drain', () => {
          clientFullMs += performance.now() - (clientFullSince ?? performance.now());
          clientFullSince = null;
          limitAnswer();
          answer.resume();
        });
      });
      answer.on('end', () => {
        res.end();
        finish();
      });
      const onBroken = (cause: unknown) =>
        finish(
          new AppError('upstream', 'The upstream closed the connection before the response was complete.', { cause }),
        );
      answer.on('error', onBroken);
      answer.on('aborted', () => onBroken(undefined));
    }

    req.on('data', onData).on('end', onEnd);
    res.on('close', onClientGone);
    attempt();
  });
}
