/** The days of the mirror's queue: their partitions, and the end of what the upstream refused. */
import type { Pool } from 'pg';
import type { Log } from '#src/kit/log.ts';
import { dayMs } from '#src/kit/zone.ts';
import { sqlState } from '#src/store/db.ts';

const DAYS_AHEAD = 2;
/** How long refused requests are kept to be looked at. */
const DEAD_DAYS = 14;
/** Refused requests that go with one statement: some ten milliseconds. */
const PAGE = 500;
/** Queueing a request waits behind a waiter for the lock: then days that are over go an hour later. */
const LOCK_TIMEOUT_MS = 300;
const LOCK_NOT_AVAILABLE = '55P03';

/** About what a request takes besides its body and its path. */
const ROW_BYTES = 1_000;
/** Size of a refused request in bytes, in SQL and here. */
export const REFUSED_BYTES = `(octet_length(body) + octet_length(path) + ${ROW_BYTES})`;
export function refusedBytes({ body, path }: { body: Uint8Array; path: string }): number {
  return body.length + Buffer.byteLength(path) + ROW_BYTES;
}

/** Creates the partitions of the next days, and drops finished ones. */
export async function maintainQueueDays(write: Pool, log: Log, now: number): Promise<void> {
  const today = Math.floor(now / dayMs);
  for (let day = today; day <= today + DAYS_AHEAD; day++) {
    const from = dayText(day);
    try {
      await write.query(
        `create table if not exists ${partitionName(from)} partition of relay_queue for values from ('${from}') to ('${dayText(day + 1)}')`,
      );
    } catch (error) {
      // Rows of that day are in the default partition already: they stay and leave from there.
      log.warn({ err: error, day: from }, 'failed to create a relay queue partition');
    }
  }
  const deadBefore = dayText(today - DEAD_DAYS);
  const { rows } = await write.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'relay_queue'::regclass and c.relname ~ '^relay_queue_\\d{8}$' order by 1`,
  );
  for (const { name } of rows) {
    if (name >= partitionName(dayText(today))) break;
    const kept = name < partitionName(deadBefore) ? 'where refused is null' : '';
    await dropWithout(write, log, name, kept);
  }
  await forgetRefused(write, { before: deadBefore });
}

/**
 * Drops a partition unless it has such rows. Checked again under a lock, because rows may have been queued meanwhile.
 * The whole queue is locked, in the common lock order.
 */
async function dropWithout(write: Pool, log: Log, name: string, kept: string): Promise<void> {
  const held = `select 1 from ${name} ${kept} limit 1`;
  if ((await write.query(held)).rowCount !== 0) return;
  const client = await write.connect();
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('lock table only relay_queue in access exclusive mode');
    if ((await client.query(held)).rowCount === 0) await client.query(`drop table ${name}`);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    log.debug({ partition: name }, 'relay queue partition in use; kept for now');
  }
}

interface Gone {
  day: string;
  id: string;
  bytes: number;
}

/**
 * Refused requests go, the oldest first, a page at a time: those received before a day, or until so many bytes are gone.
 * @returns how many went, and what they took
 */
export async function forgetRefused(
  write: Pool,
  which: { before: string } | { bytes: number },
): Promise<{ requests: number; bytes: number }> {
  const before = 'before' in which ? which.before : 'infinity';
  const wanted = 'bytes' in which ? which.bytes : Number.MAX_SAFE_INTEGER;
  const gone = { requests: 0, bytes: 0 };
  for (let last: Pick<Gone, 'day' | 'id'> = { day: '-infinity', id: '0' }; gone.bytes < wanted; ) {
    const { rows } = await write.query<Gone>(
      `with oldest as materialized (
         select day, id, sum(bytes) over (order by day, id) as total, bytes
           from (select day, id, ${REFUSED_BYTES} as bytes from relay_queue
                  where refused is not null and day >= $1::date and (day, id) > ($1::date, $2::bigint) and day < $3::date
                  order by day, id limit ${PAGE}) as page),
       wanted as materialized (select * from oldest where total - bytes < $4::bigint),
       gone as (delete from relay_queue q using wanted w where q.day = w.day and q.id = w.id)
       select day::text as day, id, bytes from wanted order by day, id`,
      [last.day, last.id, before, wanted - gone.bytes],
    );
    gone.requests += rows.length;
    for (const { bytes } of rows) gone.bytes += bytes;
    if (rows.length < PAGE) break;
    last = rows.at(-1) as Gone;
  }
  return gone;
}

function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function partitionName(day: string): string {
  return `relay_queue_${day.replaceAll('-', '')}`;
}
