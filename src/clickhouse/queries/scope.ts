/**
 * What the queries of a project read: its counted events with their persons after merges, and conditions on them. What a condition means is decided by
 * PostgreSQL, once for each group, person or value; ClickHouse gets the numbers and values that fit. So both engines mean the same.
 */
import type { Knex } from 'knex';
import type { EventRule, People, PersonCriterion, Rules, Scope, SeriesRule } from '#src/columns/columns.ts';
import { type FilterCondition, type Filters, unreadProperties } from '#src/columns/contract.ts';
import { placeConditions } from '#src/columns/filters/date-times.ts';
import { ownFits, personFits, propertyGroupFits } from '#src/columns/filters/filter-sql.ts';
import { isNegation } from '#src/columns/filters/operators.ts';
import { COHORT } from '#src/columns/values.ts';
import { eventMarks, type GroupKind, groupKinds } from '#src/events/contract.ts';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { type ReadingRules, rulesIn } from '#src/kit/reading/reader.ts';
import { zoneOf } from '#src/kit/zone.ts';
import { projectSettings } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from '../connection.ts';
import { plain } from '../target.ts';
import { numberSet } from '../text.ts';

/** What this engine does not answer: the other one does. */
export class Unsupported extends Error {}

export interface QueryParts {
  db: Knex;
  house: ClickhouseConnection;
  projectId: number;
  reading: ReadingRules;
}

export interface Span {
  from: number;
  until: number;
}

/** More numbers or values are not sent with a statement. */
const MAX_NUMBERS = 200_000;
const MAX_VALUES = 50_000;

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
  return { parts: { db, house, projectId, reading: rulesIn(settings) }, ready };
}

/** The person of an event, after merges. */
export const person = sql`if(merged.new_person = 0, events.person, merged.new_person)`;

const DAY_MS = 86_400_000;

/** Counted events of a span that fulfil a condition, as `events`. */
export function fromEvents({ house, projectId }: QueryParts, { from, until }: Span, kept: Sql): Sql {
  const table = (name: string) => plain(`${house.database}.${name}`);
  return sql`from ${table('events')} as events
    left any join (select old_person, new_person from ${table('person_overrides')} final where project_id = ${projectId}) as merged
      on merged.old_person = events.person
   where events.project_id = ${projectId} and ts >= ${from} and ts < ${until}
     and intDiv(ts, ${DAY_MS}) >= ${Math.floor(from / DAY_MS)} and intDiv(ts, ${DAY_MS}) <= ${Math.floor(until / DAY_MS)}
     and ${kept}`;
}

const both = eventMarks.bot | eventMarks.internal;

/** True of the events that the scope counts. */
export async function scopeSql(parts: QueryParts, scope: Scope, span: Span): Promise<Sql> {
  const { filters, people, include = [] } = scope;
  const [bots, internal] = [include.includes('bots'), include.includes('internal')];
  const marks =
    include.length === 0
      ? sql`bitAnd(marks, ${eventMarks.bot}) = 0`
      : bots && internal
        ? sql`1`
        : sql`bitAnd(marks, ${both}) <> ${bots ? both : eventMarks.bot}`;
  const conditions = [marks];
  if (filters !== null) conditions.push(await filtersSql(parts, filters, span));
  if (people) conditions.push(await peopleSql(parts, people, span));
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** True of the events that fulfil one of the rules. */
export async function rulesSql(parts: QueryParts, rules: Rules, span: Span): Promise<Sql> {
  const found = await Promise.all(rules.map((rule) => ruleSql(parts, rule, span)));
  return found.length === 0 ? sql`0` : sql`(${sql.join(found, sql` or `)})`;
}

async function ruleSql(parts: QueryParts, { names, filters }: SeriesRule | EventRule, span: Span): Promise<Sql> {
  const conditions = await Promise.all(filters.map((each) => filtersSql(parts, each, span)));
  if (names !== null) conditions.unshift(sql`event in ${numberSet(await namesOf(parts, names))}`);
  return conditions.length === 0 ? sql`1` : sql`(${sql.join(conditions, sql` and `)})`;
}

async function namesOf({ db, projectId }: QueryParts, names: readonly string[]): Promise<number[]> {
  const rows = await query<{ number: number }>(
    db,
    sql`select number from event_names where project_id = ${projectId} and name = any(${[...names]}::text[])`,
  );
  return rows.map(({ number }) => number);
}

async function filtersSql(parts: QueryParts, { match, of }: Filters, span: Span): Promise<Sql> {
  const conditions = await Promise.all(
    of.map((item) => ('match' in item ? filtersSql(parts, item, span) : conditionSql(parts, item, span))),
  );
  if (conditions.length === 0) return sql`1`;
  return sql`(${sql.join(conditions, match === 'all' ? sql` and ` : sql` or `)})`;
}

async function conditionSql(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql> {
  const positive = await positiveSql(parts, condition, span);
  return isNegation(condition.operator) ? sql`not ${positive}` : positive;
}

function positiveSql(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql> {
  if (condition.about === 'event') return eventSql(parts, condition, span);
  if (condition.about === 'person') return personSql(parts, condition);
  throw new Unsupported(condition.about);
}

async function eventSql(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql> {
  if (unreadProperties.has(condition.name)) throw new Unsupported(condition.name);
  const [groups, values] = await Promise.all([
    groupNumbers(parts, condition),
    ownValues(parts, condition.name, span).then((all) => fittingValues(parts, condition, all)),
  ]);
  const places = [...groups].map(([kind, numbers]) => sql`${sql.id(kind)} in ${numberSet(numbers)}`);
  if (values.length > 0) places.push(sql`properties[${condition.name}] in (${sql.join(values)})`);
  return places.length === 0 ? sql`0` : sql`(${sql.join(places, sql` or `)})`;
}

const kindOf = new Map(Object.entries(groupKinds).map(([kind, number]) => [number as number, kind as GroupKind]));

async function groupNumbers(
  { db, projectId, reading }: QueryParts,
  condition: FilterCondition,
): Promise<Map<GroupKind, number[]>> {
  const rows = await query<{ kind: number; number: number }>(
    db,
    sql`select kind, number from property_groups
         where project_id = ${projectId} and ${propertyGroupFits({ projectId, reading }, condition)} limit ${MAX_NUMBERS + 1}`,
  );
  if (rows.length > MAX_NUMBERS) throw new Unsupported('too many groups');
  const found = new Map<GroupKind, number[]>();
  for (const { kind, number } of rows) {
    const name = kindOf.get(kind);
    if (name === undefined) continue;
    const own = found.get(name);
    if (own === undefined) found.set(name, [number]);
    else own.push(number);
  }
  return found;
}

/** Values of a property in no group, as JSON. */
export async function ownValues(parts: QueryParts, name: string, { from, until }: Span): Promise<string[]> {
  const { house, projectId } = parts;
  const rows = await house.query<{ value: string }>(
    sql`select distinct properties[${name}] as value from ${plain(`${house.database}.events`)}
         where project_id = ${projectId} and ts >= ${from} and ts < ${until} and mapContains(properties, ${name})
         limit ${MAX_VALUES + 1}`,
  );
  if (rows.length > MAX_VALUES) throw new Unsupported('too many values');
  return rows.map(({ value }) => value);
}

async function fittingValues(
  { db, projectId, reading }: QueryParts,
  condition: FilterCondition,
  values: readonly string[],
): Promise<string[]> {
  // Patterns are checked even when nothing can fit them.
  const rows = await query<{ value: string }>(
    db,
    sql`select value from unnest(${[...values, 'null']}::text[]) as value
         where coalesce(${ownFits({ projectId, reading }, condition, sql`value::jsonb`)}, false)`,
  );
  return rows.map(({ value }) => value).filter((value) => value !== 'null');
}

/** Properties and cohorts of persons are those of now, after merges. */
async function personSql({ db, projectId, reading }: QueryParts, condition: FilterCondition): Promise<Sql> {
  const rows = await query<{ number: number }>(
    db,
    sql`select number from persons
         where project_id = ${projectId} and not merged and ${personFits({ projectId, reading }, condition)}
         limit ${MAX_NUMBERS + 1}`,
  );
  if (rows.length > MAX_NUMBERS) throw new Unsupported(condition.name === COHORT ? 'large cohort' : 'too many persons');
  return sql`${person} in ${numberSet(rows.map(({ number }) => number))}`;
}

async function peopleSql(parts: QueryParts, { match, of }: People, span: Span): Promise<Sql> {
  const conditions = await Promise.all(
    of.map(async (each) => {
      const found = 'of' in each ? await peopleSql(parts, each, span) : await criterionSql(parts, each, span);
      return each.not ? sql`not ${found}` : found;
    }),
  );
  if (conditions.length === 0) return sql`1`;
  return sql`(${sql.join(conditions, match === 'all' ? sql` and ` : sql` or `)})`;
}

async function criterionSql(parts: QueryParts, criterion: PersonCriterion, span: Span): Promise<Sql> {
  if ('has' in criterion) return conditionSql(parts, criterion.has, span);
  if (!('did' in criterion)) throw new Unsupported('set of persons');
  const { did, within, least } = criterion;
  const rules = await rulesSql(parts, did, within);
  const counted = sql`bitAnd(marks, ${both}) = 0 and ${rules}`;
  return sql`${person} in (
    select ${person} as actor ${fromEvents(parts, within, counted)} group by actor having count() >= ${least})`;
}
