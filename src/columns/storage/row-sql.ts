/** The SQL of rows that become chunks: which they are, what they weigh, and the rows themselves as COPY gives them. */
import type { ClientBase } from 'pg';
import { sealedEpoch } from '#src/events/sealing.ts';
import { dayMs } from '#src/kit/zone.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { SESSION_BLOCK } from './chunk-sql.ts';

export interface WeighedDay {
  projectId: number;
  unit: number;
  rows: number;
  /** As of `rowBytes`. */
  bytes: number;
}

/** Each row counts as at least this much, so that a limit of bytes is one of rows as well. */
export const MIN_ROW_BYTES = 512;

/**
 * Bytes that an event's own properties take when they are copied out, nearly. Compressed ones, which are few and long, have to be expanded to
 * know, which the empty path does: a million times the same character is stored in a few kilobytes. Their text would take 15 times as long.
 */
const rowBytes = sql`greatest(${MIN_ROW_BYTES}::int, pg_column_size(properties #> '{}'))`;

export interface WeighedEpoch {
  epoch: number;
  rows: number;
  /** As of `rowBytes`. */
  bytes: number;
}

/** Rows of the epochs after `after` up to `until`, by epoch, in their order. */
export function weighEpochs(client: ClientBase, after: number, until: number): Promise<WeighedEpoch[]> {
  return query(
    client,
    sql`select epoch, count(*)::int as rows, sum(${rowBytes})::float8 as bytes
          from events
         where epoch > ${after} and epoch <= ${until}
         group by epoch
         order by epoch`,
  );
}

/** Rows of the epochs after `after` up to `until`, by project and day. */
export function weighUnsealed(client: ClientBase, after: number, until: number): Promise<WeighedDay[]> {
  return query(
    client,
    sql`select project_id as "projectId", floor(extract(epoch from ts) / 86400)::int as unit, count(*)::int as rows,
               sum(${rowBytes})::float8 as bytes
          from events
         where epoch > ${after} and epoch <= ${until}
         group by 1, 2
         order by 1, 2`,
  );
}

export async function weighDay(
  client: ClientBase,
  projectId: number,
  day: number,
  upTo: number,
): Promise<Pick<WeighedDay, 'rows' | 'bytes'>> {
  const [row] = await query<Pick<WeighedDay, 'rows' | 'bytes'>>(
    client,
    sql`select count(*)::int as rows, coalesce(sum(${rowBytes}), 0)::float8 as bytes from events
         where project_id = ${projectId} and ${onDay(day)} and epoch <= ${upTo}`,
  );
  return row as Pick<WeighedDay, 'rows' | 'bytes'>;
}

/** Rows measured per step. */
const ROWS_WEIGHED = 500;

/** True when the properties of at most `atMost` unsealed events have this size: events may be few and large. */
export async function weighsMuch(client: ClientBase, atMost: number, bytes: number): Promise<boolean> {
  const sealed = await sealedEpoch(client);
  await client.query('begin');
  try {
    const { text, values } = sql`
      declare waiting no scroll cursor for
       select ${rowBytes} as bytes from events where epoch > ${sealed} limit ${atMost}`.toPg();
    await client.query(text, values);
    let sum = 0;
    for (;;) {
      const { rows } = await client.query<{ bytes: number }>(`fetch ${ROWS_WEIGHED} from waiting`);
      for (const row of rows) sum += row.bytes;
      if (sum >= bytes) return true;
      if (rows.length < ROWS_WEIGHED) return false;
    }
  } finally {
    await client.query('rollback');
  }
}

const eventFields = sql`ts, session_id, person, event, page, device, source, geo, flags, elements, marks`;

/** The rows of a project to copy out. */
export interface RowsQuery {
  projectId: number;
  /** `[from, until)`; without it, whenever they happened. */
  span?: { from: number; until: number };
  /** Only later epochs. */
  after?: number;
  /** Only epochs up to this one. */
  upTo?: number;
  /** Skipped days. */
  exceptDays?: readonly number[];
  /** Rows from this one on … */
  first?: Place | undefined;
  /** ... and before this one, in the order of `eventRows`. */
  end?: Place | undefined;
  /** Properties outside of groups to read. */
  properties: 'all' | readonly string[];
}

/** Position of an event in its project. Times as texts, which keep their precision. */
export interface Place {
  ts: string;
  epoch: number;
  receivedAt: string;
  uuid: string;
}

const eventOrder = sql`ts, epoch, received_at, uuid`;

/**
 * Events in order of time, of one moment in the order in which they were stored; fields as `encodeEvents` expects them. Chunks of a day come in
 * that order too: what is sealed later was stored later.
 */
export function eventRows(wanted: RowsQuery): Sql {
  return sql`
    select ${eventFields}, ${someProperties(wanted.properties)}
      from events
     where ${isWanted(wanted)}
     order by ${eventOrder}`;
}

/** Pairs that PostgreSQL's function takes at most. */
const MAX_PAIRS = 50;

/** Only the wanted properties of a row: the rest can be arbitrarily large. */
function someProperties(wanted: RowsQuery['properties']): Sql {
  if (wanted === 'all') return sql`properties`;
  // PostgreSQL's texts cannot hold this character, so no property has it in its name.
  const names = wanted.filter((name) => !name.includes('\0'));
  if (names.length === 0) return sql`null::jsonb`;
  const objects = Array.from({ length: Math.ceil(names.length / MAX_PAIRS) }, (_, at) => {
    const pairs = names
      .slice(at * MAX_PAIRS, (at + 1) * MAX_PAIRS)
      .map((name) => sql`${name}::text, properties -> ${name}::text`);
    return sql`jsonb_build_object(${sql.join(pairs)})`;
  });
  return sql`case when properties ?| ${names}::text[] then ${sql.join(objects, sql` || `)} end`;
}

function isWanted({ projectId, span, after, upTo, exceptDays = [], first, end }: RowsQuery): Sql {
  return sql`project_id = ${projectId}
       ${span ? sql`and ts >= ${sql.time(span.from)} and ts < ${sql.time(span.until)}` : sql.empty}
       ${after === undefined ? sql.empty : sql`and epoch > ${after}`}
       ${upTo === undefined ? sql.empty : sql`and epoch <= ${upTo}`}
       ${exceptDays.length === 0 ? sql.empty : sql`and floor(extract(epoch from ts) / 86400) <> all(${exceptDays}::int[])`}
       ${first ? sql`and ts >= ${first.ts}::timestamptz and (${eventOrder}) >= ${asRow(first)}` : sql.empty}
       ${end ? sql`and ts <= ${end.ts}::timestamptz and (${eventOrder}) < ${asRow(end)}` : sql.empty}`;
}

function asRow({ ts, epoch, receivedAt, uuid }: Place): Sql {
  return sql`(${ts}::timestamptz, ${epoch}::int, ${receivedAt}::timestamptz, ${uuid}::uuid)`;
}

/** The events at which the second and all later shares begin, each of so many bytes. */
export function placesOfShares(client: ClientBase, wanted: RowsQuery, bytesOfShare: number): Promise<Place[]> {
  return query(
    client,
    sql`select ts::text as ts, epoch, received_at::text as "receivedAt", uuid
          from (
            select ${eventOrder}, share, lag(share) over (order by ${eventOrder}) as previous
              from (
                select ${eventOrder},
                       floor((sum(bytes) over (order by ${eventOrder}) - bytes) / ${bytesOfShare}::float8)::int as share
                  from (select ${eventOrder}, ${rowBytes} as bytes from events where ${isWanted(wanted)}) as weighed
              ) as divided
          ) as ordered
         where share <> previous
         order by ${eventOrder}`,
  );
}

const sessionFields = sql`
  first_ts, (extract(epoch from last_ts - first_ts) * 1000)::int8, id, person, source, device, geo, entry_page, exit_page,
  views + screens, autocaptures, bot`;

/** Visits in order of their begin, fields as `encodeSessions` expects them. */
export function sessionRows(projectId: number, which: { block: number } | { ids: readonly number[] }): Sql {
  const wanted =
    'block' in which
      ? sql`id >= ${which.block * SESSION_BLOCK} and id < ${(which.block + 1) * SESSION_BLOCK}`
      : sql`id = any(${which.ids}::bigint[])`;
  return sql`select ${sessionFields} from sessions where project_id = ${projectId} and ${wanted} order by first_ts`;
}

function onDay(day: number): Sql {
  return sql`ts >= ${sql.time(day * dayMs)} and ts < ${sql.time((day + 1) * dayMs)}`;
}
