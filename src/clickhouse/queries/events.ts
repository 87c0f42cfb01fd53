/** What the queries of a project read: its events with their persons after merges. */
import type { Knex } from 'knex';
import type { Scope } from '#src/columns/columns.ts';
import { placeConditions } from '#src/columns/filters/date-times.ts';
import { eventMarks } from '#src/events/contract.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { type ReadingRules, rulesIn } from '#src/kit/reading/reader.ts';
import { zoneOf } from '#src/kit/zone.ts';
import { projectSettings } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from '../connection.ts';
import { plain } from '../target.ts';

/** What this engine does not answer: the other one does. */
export class Unsupported extends Error {}

export interface QueryParts {
  db: Knex;
  house: ClickhouseConnection;
  projectId: number;
  reading: ReadingRules;
  /** Filters mean what they do for single events, of which more is known than is counted. */
  ofRows?: boolean;
  /** Conditions that were asked of PostgreSQL for this query, by what they say and their span: its statements have the same ones. */
  conditions: Map<string, Promise<Sql>>;
}

export interface Span {
  from: number;
  until: number;
}

/** The parts and the query, with the dates of its conditions as the project's clocks show them. */
export async function inProject<Query extends { projectId: number; decimal?: DecimalSeparator }>(
  db: Knex,
  house: ClickhouseConnection,
  asked: Query,
): Promise<{ parts: QueryParts; ready: Query }> {
  const { projectId } = asked;
  const [row] = await query<{ timeZone: string; settings: unknown }>(
    db,
    sql`select time_zone as "timeZone", settings from projects where id = ${projectId}`,
  );
  if (row === undefined) throw new Unsupported('project');
  const settings = projectSettings.parse(row.settings);
  const decimal = settings.decimalSeparator ?? 'point';
  const ready = { ...placeConditions(asked, { zone: zoneOf(row.timeZone), decimal }), decimal };
  return { parts: { db, house, projectId, reading: rulesIn(settings), conditions: new Map() }, ready };
}

/** A table of ClickHouse. */
export function tableSql({ house }: Pick<QueryParts, 'house'>, name: string): Sql {
  return plain(`${house.database}.${name}`);
}

/** The person of an event, after merges. */
export const person = sql`if(merged.new_person = 0, events.person, merged.new_person)`;

const DAY_MS = 86_400_000;

/** Events of a span that fulfil a condition, as `events`. @param join of what the query reads besides */
export function fromEvents(parts: QueryParts, span: Span, kept: Sql, join: Sql = sql.empty): Sql {
  const { projectId } = parts;
  return sql`from ${tableSql(parts, 'events')} as events
    left any join (select old_person, new_person from ${tableSql(parts, 'person_overrides')} final where project_id = ${projectId}) as merged
      on merged.old_person = events.person
    ${join}
   where events.project_id = ${projectId} and ts >= ${span.from} and ts < ${span.until} and ${inDays(span)}
     and ${kept}`;
}

/** The same of a query that selects no more of events than is said: merges are joined only where persons are named. */
export function fromEventsAlone(
  parts: QueryParts,
  span: Span,
  kept: Sql,
  { join = sql.empty, selected = [] }: { join?: Sql | undefined; selected?: readonly Sql[] } = {},
): Sql {
  const names = ({ parts: texts }: Sql) => texts.some((text) => text.includes('merged.'));
  if ([kept, join, ...selected].some(names)) return fromEvents(parts, span, kept, join);
  const { projectId } = parts;
  return sql`from ${tableSql(parts, 'events')} as events ${join}
   where events.project_id = ${projectId} and ts >= ${span.from} and ts < ${span.until} and ${inDays(span)}
     and ${kept}`;
}

/** True of the events of the days (UTC) of a span: rows are ordered by them. Both round towards 1970. */
export function inDays({ from, until }: Span): Sql {
  return sql`intDiv(ts, ${DAY_MS}) >= ${Math.trunc(from / DAY_MS)} and intDiv(ts, ${DAY_MS}) <= ${Math.trunc(until / DAY_MS)}`;
}

const both = eventMarks.bot | eventMarks.internal;

/** True of events that are neither bots' nor internal. */
export const plainTraffic = sql`bitAnd(marks, ${both}) = 0`;
export const isBot = sql`bitAnd(marks, ${both}) = ${eventMarks.bot}`;
export const isInternal = sql`bitAnd(marks, ${both}) = ${both}`;

/** True of the events whose traffic counts. */
export function trafficSql(include: Scope['include'] = []): Sql {
  const [bots, internal] = [include.includes('bots'), include.includes('internal')];
  if (include.length === 0) return sql`bitAnd(marks, ${eventMarks.bot}) = 0`;
  return bots && internal ? sql`1` : sql`bitAnd(marks, ${both}) <> ${bots ? both : eventMarks.bot}`;
}

/** SQL: number of the bucket of a moment between edges, from 1 on. */
export function bucketOf(edges: readonly number[], moment: Sql): Sql {
  const begins = edges.slice(0, Math.max(edges.length - 1, 1));
  return stretchOf(
    begins,
    begins.map((_, at) => at + 1),
    moment,
  );
}

/** SQL: number of the stretch in which a moment lies. @param begins of the stretches, ascending; of several at one moment the first counts */
export function stretchOf(begins: readonly number[], numbers: readonly number[], moment: Sql): Sql {
  const numberAt = new Map<number, number>();
  for (const [at, begin] of begins.entries()) if (!numberAt.has(begin)) numberAt.set(begin, numbers[at] as number);
  const mapping = sql`${[...numberAt.keys()]}, ${[...numberAt.values()]}`;
  return sql`toInt64(transform(toInt64(roundDown(${moment}, ${[...begins]})), ${mapping}, 0))`;
}
