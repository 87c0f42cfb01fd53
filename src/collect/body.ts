/**
 * Reading request bodies as raw bytes, within bounds: what may be in flight (`in-flight.ts`), how large one body may be, and how slowly it
 * may come (`pace.ts`). A parser in front would break most of the encodings that clients use, so this is the only reader on `/ingest`.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';
import { createInFlight, type InFlightLimits, type Ticket, tooLarge } from './in-flight.ts';
import { type BodyTransfer, createPaceWatch, type PaceLimits } from './pace.ts';

export interface BodyLimits extends InFlightLimits, PaceLimits {
  /** Bytes of a refused body that are read and discarded … */
  restBytes: number;
  /** ... for so long, and while no pause is longer than this, ... */
  restMs: number;
  restPauseMs: number;
  /** … for this many requests at once. */
  restsAtOnce: number;
}

export const defaultBodyLimits: BodyLimits = {
  inFlightBytes: 64 * 1024 * 1024,
  inFlightRequests: 1_000,
  // Several times the capacity of both writer lanes.
  decodedBytes: 16 * 1024 * 1024,
  // One is finished while the other is written.
  largeAtOnce: 2,
  bodyBytes: 25 * 1024 * 1024,
  timeoutMs: 20_000,
  slowestBytesPerSecond: 8 * 1024,
  hardLimitMs: 120_000,
  restBytes: 32 * 1024 * 1024,
  restMs: 10_000,
  restPauseMs: 2_000,
  restsAtOnce: 64,
};

export interface BodyReader {
  /**
   * Admits a request.
   *
   * @throws rate_limited when too much is in flight (the body was not read), too_large by Content-Length
   */
  admit(request: IncomingMessage): Ticket;
  /**
   * The whole body of an admitted request, or null when the client went away.
   *
   * @throws too_large, timeout (the client sends too slowly)
   */
  read(request: IncomingMessage, ticket: Ticket): Promise<Buffer | null>;
  /** Reads to the end and keeps nothing; true when the end was reached. Same limits. */
  drain(request: IncomingMessage, ticket: Ticket): Promise<boolean>;
  /**
   * Discards the rest of the body of an answered request. Closing the connection earlier resets it, and many clients then
   * never see the response. Never rejects, and is bounded in bytes and time.
   */
  forgetRest(request: IncomingMessage): Promise<void>;
  inFlight(): { requests: number; bytes: number };
  stop(): void;
}

export function createBodyReader(clock: Clock, limits: BodyLimits = defaultBodyLimits): BodyReader {
  const inFlight = createInFlight(limits);
  const pace = createPaceWatch(clock, limits);
  let forgetting = 0;
  /** @param whole makes the result of a complete body; an aborted one gives null */
  function consume<Whole>(
    request: IncomingMessage,
    ticket: Ticket,
    take: (chunk: Buffer) => void,
    whole: () => Whole,
  ): Promise<Whole | null> {
    const announced = request.headers['content-length'] !== undefined;
    return new Promise((resolve, reject) => {
      /** The listeners stay: a complete request emits nothing more, and an aborted one is freed with its connection. */
      let isOver = false;
      const arrival: BodyTransfer = {
        startedMs: clock.elapsed(),
        receivedBytes: 0,
        giveUp: () => fail(new AppError('timeout', 'Request timed out: body received too slowly.')),
      };
      const end = (isComplete: boolean) => {
        isOver = true;
        pace.delete(arrival);
        resolve(isComplete ? whole() : null);
      };
      const fail = (error: AppError) => {
        isOver = true;
        pace.delete(arrival);
        request.on('error', () => request.destroy()); // the rest is discarded, and so are its errors
        reject(error);
      };
      const onData = (chunk: Buffer) => {
        if (isOver) return;
        arrival.receivedBytes += chunk.length;
        if (arrival.receivedBytes > limits.bodyBytes) return fail(tooLarge(limits.bodyBytes));
        try {
          if (!announced) ticket.hold(chunk.length);
        } catch (error) {
          return fail(error as AppError);
        }
        take(chunk);
      };
      const onClose = () => end(false);
      request.on('data', onData).on('end', () => end(true));
      request.on('close', onClose).on('error', onClose);
      pace.add(arrival);
    });
  }

  async function forgetRest(request: IncomingMessage): Promise<void> {
    if (request.complete || request.destroyed || forgetting >= limits.restsAtOnce) return;
    forgetting++;
    let left = limits.restBytes;
    const timers: NodeJS.Timeout[] = [];
    await new Promise<void>((resolve) => {
      const pause = setTimeout(resolve, limits.restPauseMs);
      timers.push(pause, setTimeout(resolve, limits.restMs));
      request.on('data', (chunk: Buffer) => {
        pause.refresh();
        left -= chunk.length;
        if (left < 0) resolve();
      });
      for (const ending of ['end', 'close', 'error']) request.on(ending, () => resolve());
    });
    for (const timer of timers) clearTimeout(timer);
    forgetting--;
  }

  return {
    admit: inFlight.admit,
    read(request, ticket) {
      const chunks: Buffer[] = [];
      return consume(
        request,
        ticket,
        (chunk) => chunks.push(chunk),
        () => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
      );
    },
    async drain(request, ticket) {
      const isWhole = await consume(
        request,
        ticket,
        () => {},
        () => true,
      );
      return isWhole ?? false;
    },
    forgetRest,
    inFlight: inFlight.counts,
    stop: pace.stop,
  };
}
