/** The statements of the table `relay_queue`: one row per waiting request, partitioned by day of receipt. */
import type { Pool } from 'pg';
import type { ForwardRequest } from './contract.ts';
import { NOBODY } from './counts.ts';
import { REFUSED_BYTES } from './mirror-days.ts';
import type { QueuedRequest, WindowOutcome } from './mirror-delivery.ts';

/** Counts of the queue. */
export interface QueueCounts {
  requests: number;
  bytes: string;
  /** Milliseconds, as every timestamp of these connections. */
  oldestAt: number | null;
  refused: number;
  refusedBytes: string;
  lastAt: number | null;
  lastReason: string | null;
}

/** Queues requests in this order. */
export async function insertRequests(write: Pool, requests: readonly ForwardRequest[]): Promise<void> {
  await write.query(
    `insert into relay_queue (received_at, day, method, path, headers, body, project_id, next_attempt_at)
     select t, (t at time zone 'UTC')::date, m, p, h::jsonb, b, project, t
     from unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::int[])
       with ordinality as waiting (t, m, p, h, b, project, place)
     order by place`,
    [
      requests.map(({ receivedAt }) => new Date(receivedAt)),
      requests.map(({ method }) => method),
      requests.map(({ path }) => path),
      requests.map(({ headers }) => JSON.stringify(headers)),
      requests.map(({ body }) => Buffer.from(body)),
      // Absent in records of earlier versions.
      requests.map(({ projectId }) => projectId ?? null),
    ],
  );
}

/** Requests that are due, oldest first. */
export async function readDue(write: Pool, { now, most }: { now: number; most: number }): Promise<QueuedRequest[]> {
  const { rows } = await write.query<QueuedRequest>(
    `select day::text as day, id, method, path, headers, body, attempts
     from relay_queue where refused is null and next_attempt_at <= $1 order by day, id limit $2`,
    [new Date(now), most],
  );
  return rows;
}

/** Stores the results of requests. */
export async function settleRequests(
  write: Pool,
  { delivered, refused, postponed }: WindowOutcome,
  now: number,
): Promise<void> {
  const failed = [
    ...refused.map(({ request, reason }) => ({ request, reason, at: now })),
    ...postponed.map(({ request, afterMs }) => ({ request, reason: null, at: now + afterMs })),
  ];
  // Counted by the statement that changes the queue, so that both stay consistent after a crash.
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
}

/** Lets the oldest that were refused wait again. @returns how many */
export async function requeueRefused(write: Pool, { now, most }: { now: number; most: number }): Promise<number> {
  const { rowCount } = await write.query(
    `update relay_queue q set refused = null, attempts = 0, next_attempt_at = $1
       from (select day, id from relay_queue where refused is not null order by day, id limit $2) as refused
      where q.day = refused.day and q.id = refused.id`,
    [new Date(now), most],
  );
  return rowCount ?? 0;
}

export async function countQueue(write: Pool): Promise<QueueCounts> {
  const { rows } = await write.query<QueueCounts>(
    `select count(*) filter (where refused is null) as requests,
       coalesce(sum(octet_length(body)) filter (where refused is null), 0) as bytes,
       min(received_at) filter (where refused is null) as "oldestAt",
       count(*) filter (where refused is not null) as refused,
       coalesce(sum(${REFUSED_BYTES}) filter (where refused is not null), 0) as "refusedBytes",
       max(next_attempt_at) filter (where refused is not null) as "lastAt",
       (array_agg(refused order by next_attempt_at desc) filter (where refused is not null))[1] as "lastReason"
     from relay_queue`,
  );
  return rows[0] as QueueCounts;
}
