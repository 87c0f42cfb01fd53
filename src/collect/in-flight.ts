/**
 * Admission control: limits on requests and bytes in flight, the decoding queue, and the number of large bodies
 * processed at a time. Decided before a body is read.
 */
import type { IncomingMessage } from 'node:http';
import { AppError } from '#src/kit/errors.ts';

/** Limits of what is in flight. */
export interface InFlightLimits {
  /** Bodies in flight, as sent and as decoded, over all requests. */
  inFlightBytes: number;
  inFlightRequests: number;
  /** JSON that is decoded or being stored: further bodies wait as they were sent, a tenth of the size. */
  decodedBytes: number;
  /** Large bodies being decoded or stored at once; not counted in `decodedBytes`. */
  largeAtOnce: number;
  /** One body as sent. */
  bodyBytes: number;
}

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
  /** Resolves when a large request may proceed. Large requests have a queue of their own, so small ones do not wait for them. */
  largeTurn(): Promise<void>;
  /** Gives everything back; once. */
  release(): void;
}

export interface InFlight {
  /**
   * Admits a request.
   *
   * @throws rate_limited when too much is in flight (the body was not read), too_large by Content-Length
   */
  admit(request: Pick<IncomingMessage, 'headers'>): Ticket;
  counts(): { requests: number; bytes: number };
}

export function createInFlight(limits: InFlightLimits): InFlight {
  let requests = 0;
  let bytes = 0;
  /** Bytes of requests being decoded, and the queue. */
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

  function admit(request: Pick<IncomingMessage, 'headers'>): Ticket {
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

  return { admit, counts: () => ({ requests, bytes }) };
}

function overload(): AppError {
  return new AppError('rate_limited', 'Server overloaded. Retry in a moment.', { retryAfterSec: 5 });
}

/** The refusal of a body of more than `limitBytes` as sent. */
export function tooLarge(limitBytes: number): AppError {
  return new AppError('too_large', `Request body exceeds ${Math.floor(limitBytes / 1024 / 1024)} MiB.`);
}
