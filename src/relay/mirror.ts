/**
 * The mirror's queue: stored requests wait in `relay_queue` until the upstream accepts them. They are sent in
 * FIFO order, a window at a time; a window ends when every request has a response. 2xx deletes; other 4xx moves the request
 * to the dead list with its reason; everything else is retried with backoff while later requests pass, and so are 401, 403 and
 * 404, which settings may cause. When no request of a window is accepted, the upstream is unavailable, and the whole queue waits.
 */
import type { Pool } from 'pg';
import type { Clock } from '#src/kit/clock.ts';
import { unavailable } from '#src/kit/errors.ts';
import type { Log } from '#src/kit/log.ts';
import type { ForwardRequest, RelayQueueStatus } from './contract.ts';
import type { RelayCounts } from './counts.ts';
import { deliverWindow, waitMs } from './mirror-delivery.ts';
import { createQueue } from './mirror-queue.ts';
import { QUEUE_FULL } from './problems.ts';
import type { Upstream } from './upstream.ts';

export interface Mirror {
  /**
   * Queues a request. Resolves when it is safe: in the table, or with `keep` while the database is away. A full queue skips it,
   * counted and shown: what we store here does not depend on the upstream.
   */
  enqueue(request: ForwardRequest): Promise<void>;
  /** Keeps a request where it waits while the database is away. @throws unavailable where there is no such place */
  putAside(request: ForwardRequest): Promise<void>;
  /** Queues a request that waited elsewhere. @throws while the database is away */
  insert(request: ForwardRequest): Promise<void>;
  /** Sends what is due, until `signal` fires or `forMs` are over. Only one process at a time may be in here. */
  deliver(signal: AbortSignal, forMs: number): Promise<{ delivered: number }>;
  /** Lets all that was refused wait again. @returns how many requests that are */
  retryRefused(): Promise<number>;
  /** Makes the partitions of the next days and drops those that hold nothing undelivered. */
  tendPartitions(): Promise<void>;
  /** `skipped` is counted with everything else. */
  status(): Promise<Omit<RelayQueueStatus, 'skipped'>>;
}

export interface MirrorDeps {
  write: Pool;
  log: Log;
  clock: Clock;
}

/** Maximum size of the queue: about 100,000 requests of 10 kB. */
const MAX_BYTES = 1024 * 1024 * 1024;
const POLL_MS = 1000;

export function createMirror(
  deps: MirrorDeps,
  upstream: Upstream,
  counts: Pick<RelayCounts, 'count' | 'problem'>,
  keep?: (request: ForwardRequest) => Promise<void>,
): Mirror {
  const { log, clock } = deps;
  const queue = createQueue(deps);
  /** Windows in a row of which the upstream took nothing, and until when it is left alone for that. */
  let failures = 0;
  let quietUntil = Number.NEGATIVE_INFINITY;

  return {
    async enqueue(request) {
      if (queue.knownBytes() + request.body.length > MAX_BYTES) {
        counts.count('skipped');
        counts.problem(QUEUE_FULL);
        return;
      }
      try {
        await queue.insert(request);
      } catch (error) {
        if (!keep) throw error;
        log.debug({ err: error }, 'upstream request spooled');
        await keep(request);
      }
    },
    async putAside(request) {
      if (!keep) throw unavailable('Database unavailable. Retry in a moment.', 5);
      await keep(request);
    },
    insert: (request) => queue.insert(request),
    async deliver(signal, forMs) {
      const until = clock.elapsed() + forMs;
      let delivered = 0;
      while (!signal.aborted && clock.elapsed() < until) {
        const window = clock.elapsed() < quietUntil ? [] : await queue.nextWindow();
        if (window.length === 0) {
          await rest(Math.min(POLL_MS, until - clock.elapsed()), signal);
          continue;
        }
        const outcome = await deliverWindow(upstream, window, signal);
        // Requests aborted by our own shutdown do not count against the upstream.
        await queue.settle(signal.aborted ? { ...outcome, postponed: [] } : outcome);
        if (outcome.isWorking) failures = 0;
        else if (!signal.aborted) quietUntil = clock.elapsed() + waitMs(failures++, outcome.askedMs);
        delivered += outcome.delivered.length;
        if (outcome.problem !== null) counts.problem(outcome.problem);
      }
      return { delivered };
    },
    retryRefused() {
      quietUntil = Number.NEGATIVE_INFINITY;
      return queue.retryRefused();
    },
    tendPartitions: () => queue.tendPartitions(),
    status: () => queue.status(),
  };
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, Math.max(ms, 0));
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end);
  });
}
