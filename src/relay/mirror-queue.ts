/** The table `relay_queue`: one row per waiting request, partitioned by day of receipt. */
import { dayMs } from '#src/kit/zone.ts';
import type { ForwardRequest, RelayQueueStatus } from './contract.ts';
import { NOBODY } from './counts.ts';
import type { MirrorDeps } from './mirror.ts';
import type { QueuedRequest, WindowOutcome } from './mirror-delivery.ts';
import { told } from './problems.ts';

export interface Queue {
  insert(request: ForwardRequest): Promise<void>;
  /** The oldest requests, all of them due; empty when the very oldest still has to wait. */
  nextWindow(): Promise<QueuedRequest[]>;
  settle(outcome: WindowOutcome): Promise<void>;
  tendPartitions(): Promise<void>;
  status(): Promise<Omit<RelayQueueStatus, 'skipped'>>;
  /** Bytes that wait, as last counted plus what came since. */
  knownBytes(): number;
}

const WINDOW = 16;
/** Rows per insert statement. */
const GROUP = 200;
const DAYS_AHEAD = 2;
/** How long refused requests are kept to be looked at. */
const DEAD_DAYS = 14;
const RECOUNT_MS = 10_000;

interface Counted {
  requests: number;
  bytes: string;
  /** Milliseconds, as every timestamp of these connections. */
  oldestAt: number | null;
  refused: number;
  lastAt: number | null;
  lastReason: string | null;
}

interface Waiting {
  request: ForwardRequest;
  resolve(): void;
  reject(error: unknown): void;
}

export function createQueue({ write, log, clock }: MirrorDeps): Queue {
  let waiting: Waiting[] = [];
  let isInserting = false;
  let bytes = 0;
  let countedAt = Number.NEGATIVE_INFINITY;

  /** Whatever waits goes into the next statement: order is kept, and many small requests cost few commits. */
  async function insertWaiting(): Promise<void> {
    isInserting = true;
    while (waiting.length > 0) {
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
    isInserting = false;
  }

  /** Another process may deliver: what it took away is not known here until it is counted. */
  function recountIfOld(): void {
    if (clock.elapsed() - countedAt <= RECOUNT_MS) return;
    countedAt = clock.elapsed();
    count().catch((error: unknown) => log.debug({ err: error }, 'the relay queue could not be counted'));
  }

  async function count(): Promise<Omit<RelayQueueStatus, 'skipped'>> {
    const { rows } = await write.query<Counted>(
      `select count(*) filter (where refused is null) as requests,
         coalesce(sum(octet_length(body)) filter (where refused is null), 0) as bytes,
         min(received_at) filter (where refused is null) as "oldestAt",
         count(*) filter (where refused is not null) as refused,
         max(next_attempt_at) filter (where refused is not null) as "lastAt",
         (array_agg(refused order by next_attempt_at desc) filter (where refused is not null))[1] as "lastReason"
       from relay_queue`,
    );
    const { requests, oldestAt, refused, lastAt, lastReason, ...counted } = rows[0] as Counted;
    bytes = Number(counted.bytes);
    countedAt = clock.elapsed();
    const lastRefusal = lastAt === null ? null : told({ at: lastAt, message: lastReason ?? '' });
    return { requests, bytes, oldestAt, refused, lastRefusal };
  }

  async function tendPartitions(): Promise<void> {
    const today = Math.floor(clock.now() / dayMs);
    for (let day = today; day <= today + DAYS_AHEAD; day++) {
      const from = dayText(day);
      try {
        await write.query(
          `create table if not exists ${partitionName(from)} partition of relay_queue for values from ('${from}') to ('${dayText(day + 1)}')`,
        );
      } catch (error) {
        // Rows of that day are in the default partition already: they stay and leave from there.
        log.warn({ err: error, day: from }, 'a partition of the relay queue could not be made');
      }
    }
    await dropOld(today);
  }

  async function dropOld(today: number): Promise<void> {
    await write.query(`delete from relay_queue where refused is not null and day < $1::date`, [
      dayText(today - DEAD_DAYS),
    ]);
    const { rows } = await write.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'relay_queue'::regclass and c.relname ~ '^relay_queue_\\d{8}$' order by 1`,
    );
    for (const { name } of rows) {
      if (name >= partitionName(dayText(today))) continue;
      const { rowCount } = await write.query(`select 1 from ${name} limit 1`);
      if (rowCount === 0) await write.query(`drop table if exists ${name}`);
    }
  }

  return {
    insert(request) {
      return new Promise((resolve, reject) => {
        recountIfOld();
        waiting.push({ request, resolve, reject });
        if (!isInserting) void insertWaiting();
      });
    },
    async nextWindow() {
      recountIfOld();
      const { rows } = await write.query<QueuedRequest & { isDue: boolean }>(
        `select day::text as day, id, method, path, headers, body, attempts, next_attempt_at <= $1 as "isDue"
         from relay_queue where refused is null order by day, id limit $2`,
        [new Date(clock.now()), WINDOW],
      );
      return rows[0]?.isDue ? rows.filter(({ isDue }) => isDue) : [];
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
    },
    tendPartitions,
    status: count,
    knownBytes: () => bytes,
  };
}

function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function partitionName(day: string): string {
  return `relay_queue_${day.replaceAll('-', '')}`;
}
