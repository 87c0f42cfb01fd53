/**
 * How many events have which property. What is in no group was counted when it was sealed; rows are only read of what is not sealed, or
 * out of date. What is in groups is counted by group, from columns, and each group's properties are looked up once.
 */

import type { ClientBase } from 'pg';
import { type GroupKind, groupKinds } from '#src/events/contract.ts';
import { isDroppedDay } from '#src/events/dropped.ts';
import { AppError } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import { query, sql } from '#src/store/sql.ts';
import { gather } from '../snapshot/gather.ts';
import type { GatheredChunk } from '../snapshot/gathered-chunk.ts';
import * as queries from '../storage/chunk-sql.ts';
import { openColumn } from '../storage/format.ts';
import type { Span } from '../storage/span.ts';
import type { AnswerParts } from './answer-parts.ts';

const kinds = Object.keys(groupKinds) as GroupKind[];

/** So many rows that no chunk has counted are read. More come by a flood of names: reading them takes the longer the longer their values are. */
const MAX_ROWS_READ = 20_000;

/** Events by property, of whole days (UTC); null when counting times out or needs more than `mostRowsRead` rows: names are useful without counts. @param names properties to count */
export async function queryPropertyRows(
  parts: AnswerParts,
  projectId: number,
  days: { first: number; last: number },
  names: readonly string[],
): Promise<Map<string, number> | null> {
  try {
    return await countRows(parts, projectId, days, names);
  } catch (error) {
    if (error instanceof AppError && error.code === 'timeout') return null;
    throw error;
  }
}

/** @throws AppError `timeout` */
async function countRows(
  parts: AnswerParts,
  projectId: number,
  days: { first: number; last: number },
  names: readonly string[],
): Promise<Map<string, number> | null> {
  const span = { from: days.first * dayMs, until: (days.last + 1) * dayMs };
  parts.threads.warm();
  return parts.snapshots.withSnapshot(
    projectId,
    [],
    async (snapshot) => {
      const { client } = snapshot;
      const found = new Map<string, number>();
      const add = (rows: readonly Row[]) => {
        for (const { name, rows: count } of rows) found.set(name, (found.get(name) ?? 0) + count);
      };
      const own = await ownRows(client, projectId, span, names, parts.mostRowsRead ?? MAX_ROWS_READ);
      if (own === null) return null;
      add(own);
      const wanted = {
        projectId,
        spans: [span],
        eventColumns: kinds,
        properties: [],
        sessionColumns: [],
        toEndOfVisits: false,
      };
      const { events } = await gather({ ...parts, snapshot, client }, wanted);
      for (const kind of kinds) add(await groupRows(client, projectId, kind, countByGroup(events, kind), names));
      return found;
    },
    parts.ending,
  );
}

interface Row {
  name: string;
  rows: number;
}

async function ownRows(
  client: ClientBase,
  projectId: number,
  { from, until }: Span,
  names: readonly string[],
  mostRows: number,
): Promise<Row[] | null> {
  const { sealed, marks } = await queries.outlineOf(client, projectId);
  const [first, last] = [from / dayMs, until / dayMs - 1];
  const sealedDays = await query<{ unit: number; rows: number; isCounted: boolean }>(
    client,
    sql`select unit, sum(rows)::float8 as rows, bool_and(property_rows is not null) as "isCounted" from chunks
         where project_id = ${projectId} and kind = ${queries.EVENTS}::smallint and unit between ${first} and ${last}
         group by unit`,
  );
  const stale = marks.filter(({ kind, unit }) => kind === queries.EVENTS && unit >= first && unit <= last);
  const uncounted = sealedDays.filter(({ isCounted }) => !isCounted);
  const days = [...new Set([...stale, ...uncounted].map(({ unit }) => unit))];
  for (const day of days) if (await isDroppedDay(client, projectId, day)) return null;
  const { waiting } = await queries.unsealed(client, mostRows + 1);
  const rowsRead = uncounted.reduce((sum, { rows }) => sum + rows, waiting);
  if (rowsRead > mostRows) return null;
  // Most rows of a flood of names have none of these, and need not be taken apart.
  const hasAny = sql`events.properties ?| ${names}::text[]`;
  return query<Row>(
    client,
    sql`select name, sum(rows)::float8 as rows
          from (
            select counted.key as name, counted.value::float8 as rows
              from chunks, jsonb_each_text(property_rows) as counted
             where project_id = ${projectId} and kind = ${queries.EVENTS}::smallint
               and unit between ${first} and ${last} and unit <> all(${days}::int[])
            union all
            select own.key, 1
              from events, jsonb_each(properties) as own
             where project_id = ${projectId} and ts >= ${sql.time(from)} and ts < ${sql.time(until)}
               and epoch > ${sealed} and ${hasAny} and jsonb_typeof(own.value) <> 'null'
            union all
            select own.key, 1
              from unnest(${days}::int[]) as day (unit)
              join events on project_id = ${projectId}
                and ts >= to_timestamp(day.unit * 86400.0) and ts < to_timestamp((day.unit + 1) * 86400.0)
                and epoch <= ${sealed},
              jsonb_each(properties) as own
             where ${hasAny} and jsonb_typeof(own.value) <> 'null'
          ) as counted
         where name = any(${names}::text[])
         group by name`,
  );
}

/** Events by number of their group. */
function countByGroup(chunks: readonly GatheredChunk[], kind: GroupKind): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { columns } of chunks) {
    const bytes = columns[kind];
    if (bytes === undefined) continue;
    const { codes, numbers } = openColumn(bytes);
    const own = new Uint32Array(numbers?.length ?? 0);
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      own[code] = (own[code] as number) + 1;
    }
    own.forEach((count, code) => {
      const number = numbers?.[code] ?? 0;
      if (number !== 0) counts.set(number, (counts.get(number) ?? 0) + count);
    });
  }
  return counts;
}

async function groupRows(
  client: ClientBase,
  projectId: number,
  kind: GroupKind,
  counts: ReadonlyMap<number, number>,
  names: readonly string[],
): Promise<Row[]> {
  if (counts.size === 0) return [];
  return query<Row>(
    client,
    sql`select property.key as name, sum(counted.rows)::float8 as rows
          from unnest(${[...counts.keys()]}::int[], ${[...counts.values()]}::int[]) as counted (number, rows)
          join property_groups as g
            on g.project_id = ${projectId} and g.kind = ${groupKinds[kind]}::smallint and g.number = counted.number,
          jsonb_each(g.properties) as property
         where jsonb_typeof(property.value) <> 'null' and property.key = any(${names}::text[])
         group by 1`,
  );
}
