/** The SQL of chunks: which there are, what is to be sealed, and the rows themselves as COPY gives them. */
import type { ClientBase } from 'pg';
import { noteSealed, sealedEpoch } from '#src/events/sealing.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import type { ReadingRules } from '#src/kit/reading/reader.ts';
import { readingSettings } from '#src/projects/contract.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { chunkKinds, GROUPS_MARK } from '../contract.ts';
import type { EncodedChunk } from './encode.ts';
import type { ColumnBytes } from './format.ts';
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
  /** Properties without a separate column; null: any may be. */
  rare: string[] | null;
  /** How they are packed; null: an earlier version left them out. */
  packedBits: number | null;
}

const chunkColumns = sql`id, kind, unit, level, rows, ${ms('min_ts')} as "minTs", ${ms('max_ts')} as "maxTs", rare, packed_bits as "packedBits"`;

/** True when the chunk, written by an earlier version, may lack this property. */
export function lacksProperty({ rare, packedBits }: Pick<Chunk, 'rare' | 'packedBits'>, name: string): boolean {
  return packedBits === null && (rare === null || rare.includes(name));
}

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

/** A stale unit, or, of kind `GROUPS_MARK`, stale readings of a group kind. */
export interface Mark {
  kind: number;
  unit: number;
  /** Number of the newest mark. */
  last: number;
}

/** The state that a query reads first. */
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
  /** Highest chunk number and number of chunks: together they change with every added or removed chunk, since numbers only rise. */
  lastChunk: number | null;
  chunks: number;
  /** The project's rules for reading values. */
  reading: ReadingRules;
}

export async function outlineOf(client: ClientBase, projectId: number): Promise<Outline> {
  const [row] = await query<Omit<Outline, 'reading'> & { settings: unknown }>(
    client,
    sql`select ${seenSql}, (select sealed from ingest_epochs) as sealed, (select current from ingest_epochs) as current,
               (select coalesce(md5(string_agg(id::text, ',' order by id)), '')
                  from stale_units where project_id = ${projectId} and kind <> ${GROUPS_MARK}::smallint) as marked,
               (select coalesce(json_agg(m), '[]')
                  from (select kind, unit, max(id) as last from stale_units where project_id = ${projectId} group by 1, 2) as m
               ) as marks,
               (select max(old_person) from person_overrides where project_id = ${projectId}) as "mostMerged",
               (select max(id) from chunks where project_id = ${projectId}) as "lastChunk",
               (select count(*) from chunks where project_id = ${projectId}) as chunks,
               (select settings from projects where id = ${projectId}) as settings`,
  );
  const { settings, ...outline } = row as NonNullable<typeof row>;
  return { ...outline, reading: readingSettings.parse(settings ?? {}) };
}

/** Units with stale chunks, and their marks. */
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

/** Deletes all group marks except the newest. */
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

/** Blocks of visits with events of these epochs. */
export function touchedBlocks(client: ClientBase, after: number, until: number): Promise<Unit[]> {
  return query(
    client,
    sql`select project_id as "projectId", ${chunkKinds.sessions}::int as kind, (session_id / ${SESSION_BLOCK}::int)::int as unit
          from events
         where epoch > ${after} and epoch <= ${until} and session_id is not null
         group by 1, 3`,
  );
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
    sql`insert into chunks (project_id, kind, unit, level, rows, min_ts, max_ts, rare, packed_bits, bytes, sealed_at,
                            property_rows)
        values (${projectId}, ${kind}, ${unit}, ${level}, ${chunk.rows}, ${sql.time(chunk.minTs)}, ${sql.time(chunk.maxTs)},
                ${chunk.rare}, ${chunk.packedBits}::smallint, ${bytes}, ${sql.time(now)},
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

/** Everything sealed is forgotten but dropped days, and not what is marked: all rows are to be sealed again. */
export async function forgetAll(client: ClientBase): Promise<void> {
  await client.query('begin');
  const [kept] = await query(client, sql`select 1 as one from dropped_days limit 1`);
  if (kept === undefined) await query(client, sql`truncate chunk_columns, chunks`);
  else await forgetStoredDays(client);
  await noteSealed(client, 0);
  await client.query('commit');
}

async function forgetStoredDays(client: ClientBase): Promise<void> {
  const isKept = sql`(chunks.kind = ${EVENTS}::smallint and exists (
    select from dropped_days where dropped_days.project_id = chunks.project_id and dropped_days.day = chunks.unit))`;
  await query(
    client,
    sql`delete from chunk_columns using chunks
         where chunks.project_id = chunk_columns.project_id and chunks.id = chunk_columns.chunk_id and not ${isKept}`,
  );
  await query(client, sql`delete from chunks where not ${isKept}`);
}

/** How many events wait to be sealed (`atMost` when it is more), and when the newest chunk was made. */
export async function unsealed(
  client: ClientBase,
  atMost: number,
): Promise<{ waiting: number; sealedAt: number | null }> {
  // A value instead of a subquery, so that the planner sees that few rows are later.
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

/** True of chunks whose rows are stored. */
const isStored = sql`not exists (
  select from dropped_days where dropped_days.project_id = chunks.project_id and dropped_days.day = chunks.unit)`;

/** Days of which something was sealed since they were put together, and whose rows are stored. */
export function daysInPieces(client: ClientBase): Promise<DayOfChunks[]> {
  return query(
    client,
    sql`select project_id as "projectId", unit, (count(*) filter (where level = 1))::int as small,
               coalesce(sum(rows) filter (where level = 1), 0)::int as "smallRows", sum(rows)::int as rows
          from chunks
         where kind = ${chunkKinds.events}::smallint and ${isStored}
         group by 1, 2
        having count(*) filter (where level = 1) > 0 and count(*) > 1`,
  );
}

/** Days with chunks of an earlier version without rare properties, newest first. */
export function daysLackingProperties(client: ClientBase, limit: number): Promise<Unit[]> {
  return query(
    client,
    sql`select project_id as "projectId", kind, unit from chunks
         where kind = ${chunkKinds.events}::smallint and packed_bits is null and rare is distinct from '{}' and ${isStored}
         group by 1, 2, 3
         order by unit desc
         limit ${limit}`,
  );
}

/** A time, or the first or last of several, as ms: the driver's own reading of times is slow. */
function ms(column: string, of?: 'min' | 'max'): Sql {
  const time =
    of === undefined ? sql.id(column) : of === 'min' ? sql`min(${sql.id(column)})` : sql`max(${sql.id(column)})`;
  return sql`(extract(epoch from ${time}) * 1000)::float8`;
}

function asBuffer(bytes: ColumnBytes): Buffer {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}

/** Time zone and decimal separator of the project. */
export async function readLocale(
  on: Queryable,
  projectId: number,
): Promise<{ timeZone: string; decimal: DecimalSeparator }> {
  const [row] = await query<{ timeZone: string; decimal: string | null }>(
    on,
    sql`select time_zone as "timeZone", settings ->> 'decimalSeparator' as decimal from projects where id = ${projectId}`,
  );
  return { timeZone: row?.timeZone ?? 'UTC', decimal: row?.decimal === 'comma' ? 'comma' : 'point' };
}

/** Events of a day (or its unsealed part): number, and times of the first and last, ms. */
export interface EventDay {
  events: number;
  first: number;
  last: number;
}

/** At most so many unsealed events are looked at one by one: sealing is seldom further behind. */
const MAX_UNSEALED_READ = 100_000;

/**
 * Days with events from a time on, ascending; a day can occur twice. Sealed days are not read: their chunks have the number of
 * rows, of which some may have been deleted since.
 */
export async function eventDays(on: Queryable, projectId: number, from: number): Promise<EventDay[]> {
  // A value instead of a subquery, so that the planner sees that few rows are later.
  const sealed = await sealedEpoch(on);
  return query<EventDay>(
    on,
    sql`select sum(rows)::float8 as events, ${ms('min_ts', 'min')} as first, ${ms('max_ts', 'max')} as last
          from chunks
         where project_id = ${projectId} and kind = ${EVENTS}::smallint and min_ts >= ${sql.time(from)}
         group by unit
         union all
        select count(*)::float8, ${ms('ts', 'min')}, ${ms('ts', 'max')}
          from (select ts from events
                 where project_id = ${projectId} and epoch > ${sealed} and ts >= ${sql.time(from)}
                 limit ${MAX_UNSEALED_READ}) as tail
         group by floor(extract(epoch from ts) / 86400)
         order by first`,
  );
}

/** Times of a project's first events, or of the first ones from a time on, ascending, ms. Read by index; of dropped days, the first of each of their chunks. */
export async function firstTimes(on: Queryable, projectId: number, limit: number, from?: number): Promise<number[]> {
  const later = from === undefined ? sql`true` : sql`ts >= ${sql.time(from)}`;
  const rows = await query<{ ts: number }>(
    on,
    sql`select ts from events where project_id = ${projectId} and ${later} order by ts limit ${limit}`,
  );
  const dropped = await query<{ ts: number }>(
    on,
    sql`select min_ts as ts from chunks
         where project_id = ${projectId} and kind = ${EVENTS}::smallint and not ${isStored}
           and ${from === undefined ? sql`true` : sql`min_ts >= ${sql.time(from)}`}
         order by min_ts limit ${limit}`,
  );
  const times = [...dropped, ...rows].map(({ ts }) => ts);
  return times.sort((one, other) => one - other).slice(0, limit);
}

/** Whether the sealed events of all projects are at least this many. */
export async function areSealed(on: Queryable, events: number): Promise<boolean> {
  const [row] = await query<{ enough: boolean }>(
    on,
    sql`select coalesce(sum(rows), 0) >= ${events} as enough from chunks where kind = ${EVENTS}::smallint`,
  );
  return row?.enough === true;
}

/** Projects with at least so many sealed events, those with the most first. */
export async function largestProjects(on: Queryable, most: number, events: number): Promise<number[]> {
  const rows = await query<{ project: number }>(
    on,
    sql`select project_id as project from chunks where kind = ${EVENTS}::smallint
         group by 1 having sum(rows) >= ${events} order by sum(rows) desc, 1 limit ${most}`,
  );
  return rows.map(({ project }) => project);
}

/** Number of events before or from a time on, up to a limit. Dropped ones count by their chunks. */
export async function countEvents(
  on: Queryable,
  projectId: number,
  when: { from: number } | { until: number },
  limit: number,
): Promise<number> {
  const within = 'from' in when ? sql`ts >= ${sql.time(when.from)}` : sql`ts < ${sql.time(when.until)}`;
  const [row] = await query<{ count: number }>(
    on,
    sql`select count(*)::int as count
          from (select from events where project_id = ${projectId} and ${within} order by ts limit ${limit}) as found`,
  );
  const isWithin = 'from' in when ? sql`min_ts >= ${sql.time(when.from)}` : sql`max_ts < ${sql.time(when.until)}`;
  const [dropped] = await query<{ count: number }>(
    on,
    sql`select coalesce(sum(rows), 0)::float8 as count from chunks
         where project_id = ${projectId} and kind = ${EVENTS}::smallint and not ${isStored} and ${isWithin}`,
  );
  return Math.min(limit, (row?.count ?? 0) + (dropped?.count ?? 0));
}
