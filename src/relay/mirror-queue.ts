/** The queue of the mirror in the table `relay_queue` (`queries.ts`), and about how much waits in it. */
import type { Deps } from '#src/store/deps.ts';
import type { ForwardRequest, RelayQueueStatus } from './contract.ts';
import { forgetRefused, maintainQueueDays, refusedBytes } from './mirror-days.ts';
import type { QueuedRequest, WindowOutcome } from './mirror-delivery.ts';
import { toRelayProblem } from './problems.ts';
import { countQueue, insertRequests, readDue, requeueRefused, settleRequests } from './queries.ts';

export interface Queue {
  insert(request: ForwardRequest): Promise<void>;
  /** The oldest of those that are due: one that has to wait again does not hold up what came after it. */
  nextWindow(): Promise<QueuedRequest[]>;
  settle(outcome: WindowOutcome): Promise<void>;
  /** Lets all that was refused wait again. @returns how many requests that are */
  retryRefused(): Promise<number>;
  tendPartitions(): Promise<void>;
  status(): Promise<Omit<RelayQueueStatus, 'skipped'>>;
  /** Bytes that wait, as last counted plus what came since. */
  knownBytes(): number;
}

const WINDOW = 16;
/** Rows per insert statement. */
const GROUP = 200;
/** Rows per statement that lets refused ones wait again: some hundred milliseconds. */
const RETRIED = 5_000;
const RECOUNT_MS = 10_000;
/** Maximum size of refused requests; beyond it the oldest are deleted … */
const MAX_REFUSED_BYTES = 128 * 1024 * 1024;
/** … down to this part. From this part on, the status says that the oldest may be missing. */
const LEFT_OF_REFUSED = 7 / 8;
const FULL_FROM = 3 / 4;

interface Waiting {
  request: ForwardRequest;
  resolve(): void;
  reject(error: unknown): void;
}

/** @param mostRefused bytes, instead of `MAX_REFUSED_BYTES` */
export function createQueue(
  { write, log, clock }: Pick<Deps, 'write' | 'log' | 'clock'>,
  mostRefused = MAX_REFUSED_BYTES,
): Queue {
  let waiting: Waiting[] = [];
  let isWorking = false;
  let wantsCount = false;
  let bytes = 0;
  let refusedSoFar = 0;
  let countedAt = Number.NEGATIVE_INFINITY;

  /**
   * All waiting requests go into the next statement: order is kept, and many small requests need few commits. Counts run between two
   * statements, so that it is known which requests they include.
   */
  async function work(): Promise<void> {
    isWorking = true;
    while (wantsCount || waiting.length > 0) {
      if (wantsCount) {
        wantsCount = false;
        await recount();
        continue;
      }
      const group = waiting.slice(0, GROUP);
      waiting = waiting.slice(GROUP);
      try {
        await insertRequests(
          write,
          group.map(({ request }) => request),
        );
        for (const { request, resolve } of group) {
          bytes += request.body.length;
          resolve();
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isWorking = false;
  }

  /** Another process may deliver: what it took away is not known here until it is counted. */
  function recountIfOld(): void {
    if (clock.elapsed() - countedAt <= RECOUNT_MS) return;
    countedAt = clock.elapsed();
    wantsCount = true;
    if (!isWorking) void work();
  }

  /** Never throws. */
  async function recount(): Promise<void> {
    try {
      const counted = await countQueue(write);
      bytes = Number(counted.bytes);
      refusedSoFar = Number(counted.refusedBytes);
    } catch (error) {
      log.debug({ err: error }, 'failed to count the relay queue');
    }
  }

  /** Keeps what was refused within its bound. Never throws: it is tried again with the next refusal. */
  async function boundRefused(): Promise<void> {
    if (refusedSoFar <= mostRefused) return;
    try {
      const counted = await countQueue(write);
      refusedSoFar = Number(counted.refusedBytes);
      if (refusedSoFar <= mostRefused) return;
      const gone = await forgetRefused(write, { bytes: Math.ceil(refusedSoFar - mostRefused * LEFT_OF_REFUSED) });
      refusedSoFar -= gone.bytes;
      log.warn(gone, 'rejected upstream requests over limit; oldest deleted');
    } catch (error) {
      log.warn({ err: error }, 'failed to delete excess rejected upstream requests');
    }
  }

  return {
    insert(request) {
      return new Promise((resolve, reject) => {
        recountIfOld();
        waiting.push({ request, resolve, reject });
        if (!isWorking) void work();
      });
    },
    async nextWindow() {
      recountIfOld();
      return readDue(write, { now: clock.now(), most: WINDOW });
    },
    async settle(outcome) {
      const { delivered, refused, postponed } = outcome;
      if (delivered.length + refused.length + postponed.length === 0) return;
      await settleRequests(write, outcome, clock.now());
      for (const { body } of delivered) bytes = Math.max(0, bytes - body.length);
      for (const { request } of refused) refusedSoFar += refusedBytes(request);
      if (refused.length > 0) await boundRefused();
    },
    async retryRefused() {
      let requests = 0;
      for (let found = RETRIED; found === RETRIED; requests += found) {
        found = await requeueRefused(write, { now: clock.now(), most: RETRIED });
      }
      countedAt = Number.NEGATIVE_INFINITY;
      return requests;
    },
    tendPartitions: () => maintainQueueDays(write, log, clock.now()),
    async status() {
      const { requests, oldestAt, refused, lastAt, lastReason, ...counted } = await countQueue(write);
      const lastRefusal = lastAt === null ? null : toRelayProblem({ at: lastAt, message: lastReason ?? '' });
      const isRefusedFull = Number(counted.refusedBytes) >= mostRefused * FULL_FROM;
      return { requests, bytes: Number(counted.bytes), oldestAt, refused, isRefusedFull, lastRefusal };
    },
    knownBytes: () => bytes,
  };
}
