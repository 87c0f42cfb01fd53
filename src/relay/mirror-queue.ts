/** The table `relay_queue`: one row per waiting request, partitioned by day of receipt. */
import type { ForwardRequest, RelayQueueStatus } from './contract.ts';
import { NOBODY } from './counts.ts';
import type { MirrorDeps } from './mirror.ts';
import { forgetRefused, maintainQueueDays, REFUSED_BYTES, refusedBytes } from './mirror-days.ts';
import type { QueuedRequest, WindowOutcome } from './mirror-delivery.ts';
import { toRelayProblem } from './problems.ts';

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
/** What was refused may fill this much; then the oldest of it goes, ... */
const MAX_REFUSED_BYTES = 128 * 1024 * 1024;
/** ... until this part of it is left. From the other on it is said that the oldest may be gone. */
const LEFT_OF_REFUSED = 7 / 8;
const FULL_FROM = 3 / 4;

interface Counted {
  requests: number;
  bytes: string;
  /** Milliseconds, as every timestamp of these connections. */
  oldestAt: number | null;
  refused: number;
  refusedBytes: string;
  lastAt: number | null;
  lastReason: string | null;
}

interface Waiting {
  request: ForwardRequest;
  resolve(): void;
  reject(error: unknown): void;
}

/** @param mostRefused bytes, instead of `MAX_REFUSED_BYTES` */
export function createQueue({ write, log, clock }: MirrorDeps, mostRefused = MAX_REFUSED_BYTES): Queue {
  let waiting: Waiting[] = [];
  let isWorking = false;
  let wantsCount = false;
  let bytes = 0;
  let refusedSoFar = 0;
  let countedAt = Number.NEGATIVE_INFINITY;

  /**
   * Whatever waits goes into the next statement: order is kept, and many small requests cost few commits. Counting is between two of them:
   * nobody could tell otherwise which of them were in the count.
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
      const requests = group.map(({ request }) => request);
      const times = requests.map(({ receivedAt }) => new Date(receivedAt));
      try {
        await write.query(
          `insert into relay_queue (received_at, day, method, path, headers, body, project_id, next_attempt_at)
           select t, (t at time zone 'UTC')::date, m, p, h::jsonb, b, project, t
           from unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::int[])
             with ordinality as waiting (t, m, p, h, b, project, place)
           order by place`,
          [
            times,
            requests.map(({ method }) => method),
            requests.map(({ path }) => path),
            requests.map(({ headers }) => JSON.stringify(headers)),
            requests.map(({ body }) => Buffer.from(body)),
            // What an earlier version kept on disk does not say it.
            requests.map(({ projectId }) => projectId ?? null),
          ],
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
      const counted = await count();
      bytes = Number(counted.bytes);
      refusedSoFar = Number(counted.refusedBytes);
    } catch (error) {
      log.debug({ err: error }, 'failed to count the relay queue');
    }
  }

  async function count(): Promise<Counted> {
    const { rows } = await write.query<Counted>(
      `select count(*) filter (where refused is null) as requests,
         coalesce(sum(octet_length(body)) filter (where refused is null), 0) as bytes,
         min(received_at) filter (where refused is null) as "oldestAt",
         count(*) filter (where refused is not null) as refused,
         coalesce(sum(${REFUSED_BYTES}) filter (where refused is not null), 0) as "refusedBytes",
         max(next_attempt_at) filter (where refused is not null) as "lastAt",
         (array_agg(refused order by next_attempt_at desc) filter (where refused is not null))[1] as "lastReason"
       from relay_queue`,
    );
    return rows[0] as Counted;
  }

  /** Keeps what was refused within its bound. Never throws: it is tried again with the next refusal. */
  async function boundRefused(): Promise<void> {
    if (refusedSoFar <= mostRefused) return;
    try {
      const counted = await count();
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
      const { rows } = await write.query<QueuedRequest>(
        `select day::text as day, id, method, path, headers, body, attempts
         from relay_queue where refused is null and next_attempt_at <= $1 order by day, id limit $2`,
        [new Date(clock.now()), WINDOW],
      );
      return rows;
    },
    async settle({ delivered, refused, postponed }) {
      const now = clock.now();
      const failed = [
        ...refused.map(({ request, reason }) => ({ request, reason, at: now })),
        ...postponed.map(({ request, afterMs }) => ({ request, reason: null, at: now + afterMs })),
      ];
      if (delivered.length + failed.length === 0) return;
      // Counted by the statement that changes the queue: neither without the other, whenever the process ends.
      await write.query(
        `with delivered as (
           delete from relay_queue q using unnest($1::date[], $2::bigint[]) as done (day, id)
            where q.day = done.day and q.id = done.id returning 1),
         failed as (
           update relay_queue q set refused = f.reason, attempts = attempts + 1, next_attempt_at = f.at
             from unnest($3::date[], $4::bigint[], $5::text[], $6::timestamptz[]) as f (day, id, reason, at)
            where q.day = f.day and q.id = f.id returning 1)
         insert into relay_counts as nobody (process, passed, failed, skipped, began_at, touched_at)
         select $7, (select count(*) from delivered), (select count(*) from failed), 0, $8, $8
         on conflict (process) do update
           set passed = nobody.passed + excluded.passed, failed = nobody.failed + excluded.failed`,
        [
          delivered.map(({ day }) => day),
          delivered.map(({ id }) => id),
          failed.map(({ request }) => request.day),
          failed.map(({ request }) => request.id),
          failed.map(({ reason }) => reason),
          failed.map(({ at }) => new Date(at)),
          NOBODY,
          new Date(now),
        ],
      );
      for (const { body } of delivered) bytes = Math.max(0, bytes - body.length);
      for (const { request } of refused) refusedSoFar += refusedBytes(request);
      if (refused.length > 0) await boundRefused();
    },
    async retryRefused() {
      let requests = 0;
      for (let found = RETRIED; found === RETRIED; requests += found) {
        const { rowCount } = await write.query(
          `update relay_queue q set refused = null, attempts = 0, next_attempt_at = $1
             from (select day, id from relay_queue where refused is not null order by day, id limit $2) as refused
            where q.day = refused.day and q.id = refused.id`,
          [new Date(clock.now()), RETRIED],
        );
        found = rowCount ?? 0;
      }
      countedAt = Number.NEGATIVE_INFINITY;
      return requests;
    },
    tendPartitions: () => maintainQueueDays(write, log, clock.now()),
    async status() {
      const { requests, oldestAt, refused, lastAt, lastReason, ...counted } = await count();
      const lastRefusal = lastAt === null ? null : toRelayProblem({ at: lastAt, message: lastReason ?? '' });
      const isRefusedFull = Number(counted.refusedBytes) >= mostRefused * FULL_FROM;
      return { requests, bytes: Number(counted.bytes), oldestAt, refused, isRefusedFull, lastRefusal };
    },
    knownBytes: () => bytes,
  };
}
