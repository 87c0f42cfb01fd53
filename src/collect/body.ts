/**
 * Reading request bodies as raw bytes, within bounds: how many requests and bytes may be in flight at once (decided before a
 * body is read), how large one body may be, and how slowly it may come. A parser in front would break most of the encodings
 * that clients use, so this is the only reader on `/ingest`.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';

export interface BodyLimits {
  /** Bodies in flight, as sent and as decoded, over all requests. */
  inFlightBytes: number;
  inFlightRequests: number;
  /** JSON that is decoded or being stored: further bodies wait as they were sent, a tenth of the size. */
  decodedBytes: number;
  /** Large bodies that are decoded or being stored at once; they do not count among the decoded bytes. */
  largeAtOnce: number;
  /** One body as sent. */
  bodyBytes: number;
  /** A body must be complete within this time ... */
  patienceMs: number;
  /** ... or keep arriving at this rate, for at most `hardLimitMs`. */
  slowestBytesPerSecond: number;
  hardLimitMs: number;
  /** Of the rest of a body that was refused so much is read and forgotten, ... */
  restBytes: number;
  /** ... for so long, and while no pause is longer than this, ... */
  restMs: number;
  restPauseMs: number;
  /** ... of so many requests at once. */
  restsAtOnce: number;
}

export const defaultBodyLimits: BodyLimits = {
  inFlightBytes: 64 * 1024 * 1024,
  inFlightRequests: 1_000,
  // Several times what both lanes of the writer take at once.
  decodedBytes: 16 * 1024 * 1024,
  // One is finished while the other is written.
  largeAtOnce: 2,
  bodyBytes: 25 * 1024 * 1024,
  patienceMs: 20_000,
  slowestBytesPerSecond: 8 * 1024,
  hardLimitMs: 120_000,
  restBytes: 32 * 1024 * 1024,
  restMs: 10_000,
  restPauseMs: 2_000,
  restsAtOnce: 64,
};

/** A request's share of what may be in flight. */
export interface Ticket {
  /**
   * Counts bytes that the request holds besides its body.
   *
   * @throws rate_limited when that is too much with all others: a small body may become a large one
   */
  hold(bytes: number): void;
  /** Resolves when it is the request's turn to be decoded: in order, and while not too much is decoded already. Undefined: it is. */
  turn(): Promise<void> | undefined;
  /** Resolves when it is the turn of a request whose body is large, among the large ones: the small ones do not wait for it any more. */
  largeTurn(): Promise<void>;
  /** Gives everything back; once. */
  release(): void;
}

export interface BodyReader {
  /**
   * Lets a request in.
   *
   * @throws rate_limited when too much is in flight (nothing of the body was read), too_large when the body says that it is
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
   * What is left of the body of a request that was answered already. A connection that is closed before is reset, and many clients then
   * never see their answer. Never rejects, keeps nothing, and ends within bounds, whoever sends.
   */
  forgetRest(request: IncomingMessage): Promise<void>;
  inFlight(): { requests: number; bytes: number };
  stop(): void;
}

interface Reading {
  startedMs: number;
  receivedBytes: number;
  giveUp(): void;
}

const CHECK_EVERY_MS = 2_000;

export function createBodyReader(clock: Clock, limits: BodyLimits = defaultBodyLimits): BodyReader {
  const reading = new Set<Reading>();
  let requests = 0;
  let bytes = 0;
  let forgetting = 0;
  let watch: NodeJS.Timeout | null = null;
  /** What requests hold that had their turn, and those that wait for it. */
  let decoded = 0;
  let waiting: (() => void)[] = [];
  let large = 0;
  const largeWaiting: (() => void)[] = [];

  /** One at a time: how much it holds is known once it is decoded, and then the next may come in. */
  function letNextIn(): void {
    if (waiting.length === 0 || decoded >= limits.decodedBytes) return;
    const [next, ...rest] = waiting;
    waiting = rest;
    next?.();
  }

  function takeLargePlace(): Promise<void> {
    if (large >= limits.largeAtOnce) return new Promise((resolve) => largeWaiting.push(resolve));
    large++;
    return Promise.resolve();
  }

  /** The place goes to the next one. */
  function leaveLargePlace(): void {
    const next = largeWaiting.shift();
    if (next === undefined) large--;
    else next();
  }

  function admit(request: IncomingMessage): Ticket {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
    if (requests >= limits.inFlightRequests || bytes + announced > limits.inFlightBytes) {
      throw overload();
    }
    let held = Number.isFinite(announced) ? announced : 0;
    let open = true;
    /** Bytes held since the turn. */
    let turned: number | null = null;
    let largePlace: Promise<void> | null = null;
    requests++;
    bytes += held;
    return {
      turn() {
        if (decoded < limits.decodedBytes && waiting.length === 0) {
          turned = 0;
          return;
        }
        return new Promise<void>((resolve) => waiting.push(resolve)).then(() => {
          turned = 0;
        });
      },
      hold(more) {
        if (!open) return;
        held += more;
        bytes += more;
        if (turned !== null) {
          turned += more;
          decoded += more;
          letNextIn();
        }
        // Alone it is welcome: what one may become is limited where it is decoded.
        if (bytes > limits.inFlightBytes && requests > 1) throw overload();
      },
      largeTurn() {
        if (largePlace !== null) return largePlace;
        decoded -= turned ?? 0;
        turned = null;
        letNextIn();
        largePlace = takeLargePlace();
        return largePlace;
      },
      release() {
        if (!open) return;
        open = false;
        requests--;
        bytes -= held;
        decoded -= turned ?? 0;
        letNextIn();
        if (largePlace !== null) leaveLargePlace();
      },
    };
  }

  /** @param whole what comes of it once all of it was taken; null comes of one that was broken off */
  function consume<Whole>(
    request: IncomingMessage,
    ticket: Ticket,
    take: (chunk: Buffer) => void,
    whole: () => Whole,
  ): Promise<Whole | null> {
    const announced = request.headers['content-length'] !== undefined;
    return new Promise((resolve, reject) => {
      /** The listeners stay on: a request that was read says nothing more, and one that was given up goes with its connection. */
      let isOver = false;
      const state: Reading = {
        startedMs: clock.elapsed(),
        receivedBytes: 0,
        giveUp: () => fail(new AppError('timeout', 'Request timed out: body received too slowly.')),
      };
      const end = (isComplete: boolean) => {
        isOver = true;
        reading.delete(state);
        resolve(isComplete ? whole() : null);
      };
      const fail = (error: AppError) => {
        isOver = true;
        reading.delete(state);
        request.on('error', () => request.destroy()); // what still arrives is of no interest, nor how it ends
        reject(error);
      };
      const onData = (chunk: Buffer) => {
        if (isOver) return;
        state.receivedBytes += chunk.length;
        if (state.receivedBytes > limits.bodyBytes) return fail(tooLarge(limits.bodyBytes));
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
      reading.add(state);
      watch ??= setInterval(cutOffSlow, CHECK_EVERY_MS).unref();
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

  function cutOffSlow(): void {
    const nowMs = clock.elapsed();
    for (const state of reading) {
      const ms = nowMs - state.startedMs;
      if (ms < limits.patienceMs) continue;
      if (ms > limits.hardLimitMs || (state.receivedBytes * 1000) / ms < limits.slowestBytesPerSecond) state.giveUp();
    }
    if (reading.size === 0 && watch) {
      clearInterval(watch);
      watch = null;
    }
  }

  return {
    admit,
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
    inFlight: () => ({ requests, bytes }),
    stop() {
      if (watch) clearInterval(watch);
      watch = null;
    },
  };
}

function overload(): AppError {
  return new AppError('rate_limited', 'Server overloaded. Retry in a moment.', { retryAfterSec: 5 });
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('too_large', `Request body exceeds ${Math.floor(limitBytes / 1024 / 1024)} MiB.`);
}
