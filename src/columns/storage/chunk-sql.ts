/** The SQL of chunks: which there are, what is to be sealed, and the rows themselves as COPY gives them. */
import type { ClientBase } from 'pg';
import { noteSealed, sealedEpoch } from '#src/events/sealing.ts';
import { dayMs } from '#src/kit/zone.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { chunkKinds, GROUPS_MARK } from '../contract.ts';
import type { ColumnBytes, EncodedChunk } from './encode.ts';
import { type Seen, seenSql } from './seen.ts';

export const EVENTS = chunkKinds.events;
/** Visits are sealed by number: so many in a row. Stored: never change it. */
export const SESSION_BLOCK = 8192;

/** A chunk as it is listed. */
export interface Chunk {
  id: number;
  kind: number;
  unit: number;
  level: number;
  rows: number;
  minTs: number;
  maxTs: number;
  rare: string[] | null;
}

const chunkColumns = sql`id, kind, unit, level, rows, ${ms('min_ts')} as "minTs", ${ms('max_ts')} as "maxTs", rare`;

export function chunksOf(client: ClientBase, projectId: number): Promise<Chunk[]> {
  return query(client, sql`select ${chunkColumns} from chunks where project_id = ${projectId} order by kind, unit, id`);
}

export function chunksOfUnit(client: ClientBase, projectId: number, kind: number, unit: number): Promise<Chunk[]> {
  return query(
    client,
    sql`select ${chunkColumns} from chunks
         where project_id = ${projectId} and kind = ${kind}::smallint and unit = ${unit}
         order by id`,
  );
}

export interface Unit {
  projectId: number;
  kind: number;
  unit: number;
}

/** What is out of date: chunks of a unit, or, of kind `GROUPS_MARK`, what was read of a kind of groups. */
export interface Mark {
  kind: number;
  unit: number;
  /** Number of the newest mark. */
  last: number;
}

/** What a question has to know first. */
export interface Outline extends Seen {
  /** Rows of later epochs are not sealed. */
  sealed: number;
  /** The epoch in which rows are written. */
  current: number;
  /** Differs whenever another mark of events or visits came or went. */
  marked: string;
  marks: Mark[];
  /** The highest number of a person that was merged into another; null without one. */
  mostMerged: number | null;
  /** Of the chunks, the highest number and how many there are: together they differ whenever one came or went, since numbers only rise. */
  lastChunk: number | null;
  chunks: number;
}

export async function outlineOf(client: ClientBase, projectId: number): Promise<Outline> {
  const [row] = await query<Outline>(
    client,
    sql`select ${seenSql}, (select sealed from ingest_epochs) as sealed, (select current from ingest_epochs) as current,
               (select coalesce(md5(string_agg(id::text, ',' order by id)), '')
                  from stale_units where project_id = ${projectId} and kind <> ${GROUPS_MARK}::smallint) as marked,
               (select coalesce(json_agg(m), '[]')
                  from (select kind, unit, max(id) as last from stale_units where project_id = ${projectId} group by 1, 2) as m
               ) as marks,
               (select max(old_person) from person_overrides where project_id = ${projectId}) as "mostMerged",
               (select max(id) from chunks where project_id = ${projectId}) as "lastChunk",
               (select count(*) from chunks where project_id = ${projectId}) as chunks`,
  );
  return row as Outline;
}

/** Units whose chunks are out of date, and the numbers of the marks that say so. */
export function allStaleUnits(client: ClientBase): Promise<StaleUnit[]> {
  return query(
    client,
    sql`select project_id as "projectId", kind, unit, json_agg(id) as marks from stale_units
         where kind <> ${GROUPS_MARK}::smallint
         group by project_id, kind, unit
         order by project_id, kind, unit`,
  );
}

export interface StaleUnit extends Unit {
  marks: number[];
}

/** Of the marks of groups the newest tells enough. */
export async function forgetOldGroupMarks(client: ClientBase): Promise<void> {
  await query(
    client,
    sql`delete from stale_units as old using stale_units as newer
         where old.kind = ${GROUPS_MARK}::smallint and newer.kind = old.kind
           and newer.project_id = old.project_id and newer.unit = old.unit and newer.id > old.id`,
  );
}

/** Takes away these marks, and none that have come since. */
export async function unmark(client: ClientBase, { projectId, marks }: StaleUnit): Promise<void> {
  await query(client, sql`delete from stale_units where project_id = ${projectId} and id = any(${marks}::bigint[])`);
}

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
 * know: a million times the same character is stored in a few kilobytes.
 */
const rowBytes = sql`
  greatest(${MIN_ROW_BYTES}::int, case when pg_column_compression(properties) is null then pg_column_size(properties)
                                       else octet_length(properties::text) end)`;

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

/** Blocks of visits whose events are of these epochs. */
export function touchedBlocks(client: ClientBase, after: number, until: number): Promise<Unit[]> {
  return query(
    client,
    sql`select project_id as "projectId", ${chunkKinds.sessions}::int as kind, (session_id / ${SESSION_BLOCK}::int)::int as unit
          from events
         where epoch > ${after} and epoch <= ${until} and session_id is not null
         group by 1, 3`,
  );
}

const eventFields = sql`ts, session_id, person, event, page, device, source, geo, flags, elements, marks`;

/** Which rows of a project to copy out. */
export interface RowsWanted {
  projectId: number;
  /** `[from, until)`; without it, whenever they happened. */
  span?: { from: number; until: number };
  /** Of epochs after this. */
  after?: number;
  /** Of epochs up to this. */
  upTo?: number;
  /** Days that are left out. */
  exceptDays?: readonly number[];
  /** Of those, the ones from this one on, ... */
  first?: Place | undefined;
  /** ... and before this one, in the order of `eventRows`. */
  end?: Place | undefined;
  /** Which of the properties that are in no group come along. */
  properties: 'all' | readonly string[];
}

/** Where an event stands among those of its project. Times as texts, which lose nothing of them. */
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
export function eventRows(wanted: RowsWanted): Sql {
  return sql`
    select ${eventFields}, ${someProperties(wanted.properties)}
      from events
     where ${isWanted(wanted)}
     order by ${eventOrder}`;
}

/** Pairs that PostgreSQL's function takes at most. */
const MAX_PAIRS = 50;

/** Those of a row's properties that are wanted, and not the rest, which anyone can make long. */
function someProperties(wanted: RowsWanted['properties']): Sql {
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

function isWanted({ projectId, span, after, upTo, exceptDays = [], first, end }: RowsWanted): Sql {
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
export function placesOfShares(client: ClientBase, wanted: RowsWanted, bytesOfShare: number): Promise<Place[]> {
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

/** Adds a chunk with its columns. */
export async function insertChunk(
  client: ClientBase,
  { projectId, kind, unit }: Unit,
  level: number,
  chunk: EncodedChunk,
  now: number,
): Promise<void> {
  const bytes = [...chunk.columns.values()].reduce((sum, column) => sum + column.length, 0);
  const [row] = await query<{ id: number }>(
    client,
    sql`insert into chunks (project_id, kind, unit, level, rows, min_ts, max_ts, rare, bytes, sealed_at,
                            property_rows)
        values (${projectId}, ${kind}, ${unit}, ${level}, ${chunk.rows}, ${sql.time(chunk.minTs)}, ${sql.time(chunk.maxTs)},
                ${chunk.rare}, ${bytes}, ${sql.time(now)},
                ${chunk.propertyRows === null ? null : JSON.stringify(chunk.propertyRows)}::jsonb)
        returning id`,
  );
  const { id } = row as { id: number };
  for (const columns of inStatements([...chunk.columns])) {
    const rows = columns.map(
      ([name, column]) => sql`(${projectId}::int, ${id}::bigint, ${name}, ${asBuffer(column)}::bytea)`,
    );
    await query(client, sql`insert into chunk_columns (project_id, chunk_id, name, bytes) values ${sql.join(rows)}`);
  }
}

/** So many bytes of columns go in one statement, or one column: the driver copies them all in one go. */
const BYTES_OF_STATEMENT = 262_144;

function inStatements<Column extends readonly [string, Uint8Array]>(columns: readonly Column[]): Column[][] {
  const statements: Column[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    bytes += column[1].length;
    if (bytes > BYTES_OF_STATEMENT) {
      statements.push([]);
      bytes = column[1].length;
    }
    statements.at(-1)?.push(column);
  }
  return statements;
}

export async function deleteChunks(client: ClientBase, projectId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await query(
    client,
    sql`delete from chunk_columns where project_id = ${projectId} and chunk_id = any(${ids}::bigint[])`,
  );
  await query(client, sql`delete from chunks where project_id = ${projectId} and id = any(${ids}::bigint[])`);
}

/** Everything sealed is forgotten, but not what is marked: all rows are to be sealed again. */
export async function forgetAll(client: ClientBase): Promise<void> {
  await client.query('begin');
  await query(client, sql`truncate chunk_columns, chunks`);
  await noteSealed(client, 0);
  await client.query('commit');
}

/** How many events wait to be sealed (`atMost` when it is more), and when the newest chunk was made. */
export async function unsealed(
  client: ClientBase,
  atMost: number,
): Promise<{ waiting: number; sealedAt: number | null }> {
  // As a value, not as a query within the query: the planner has to see that hardly any row is later.
  const sealed = await sealedEpoch(client);
  const [row] = await query<{ waiting: number; sealedAt: number | null }>(
    client,
    sql`select (select count(*)::int from (select 1 from events where epoch > ${sealed} limit ${atMost}) as tail) as waiting,
               (select max(sealed_at) from chunks where level = 1) as "sealedAt"`,
  );
  return row as { waiting: number; sealedAt: number | null };
}

export interface DayOfChunks {
  projectId: number;
  unit: number;
  /** Chunks that hold what one sealing found, and their rows. */
  small: number;
  smallRows: number;
  rows: number;
}

/** Days of which something was sealed since they were put together. */
export function daysInPieces(client: ClientBase): Promise<DayOfChunks[]> {
  return query(
    client,
    sql`select project_id as "projectId", unit, (count(*) filter (where level = 1))::int as small,
               coalesce(sum(rows) filter (where level = 1), 0)::int as "smallRows", sum(rows)::int as rows
          from chunks
         where kind = ${chunkKinds.events}::smallint
         group by 1, 2
        having count(*) filter (where level = 1) > 0 and count(*) > 1`,
  );
}

/** A time as ms: the driver's own reading of times is slow. */
function ms(column: string): Sql {
  return sql`(extract(epoch from ${sql.id(column)}) * 1000)::float8`;
}

function onDay(day: number): Sql {
  return sql`ts >= ${sql.time(day * dayMs)} and ts < ${sql.time((day + 1) * dayMs)}`;
}

function asBuffer(bytes: ColumnBytes): Buffer {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}

/** From the rows, by their index: the first may be out of order. */
/** Where the project's days begin and end. */
export async function timeZoneOf(on: Queryable, projectId: number): Promise<string> {
  const [row] = await query<{ timeZone: string }>(
    on,
    sql`select time_zone as "timeZone" from projects where id = ${projectId}`,
  );
  return row?.timeZone ?? 'UTC';
}

export async function firstEvent(on: Queryable, projectId: number): Promise<number | null> {
  const [row] = await query<{ ts: number }>(
    on,
    sql`select ts from events where project_id = ${projectId} order by ts limit 1`,
  );
  return row?.ts ?? null;
}
