/**
 * Conditions on events, in ClickHouse's SQL. What a condition means is decided by PostgreSQL, once for each group, person or value; ClickHouse gets the
 * numbers and values that fit. So both engines mean the same.
 */
import { type FilterCondition, type Filters, unreadProperties } from '#src/columns/contract.ts';
import { checkCohortCondition } from '#src/columns/filters/cohort-sql.ts';
import { textOf } from '#src/columns/filters/condition-values.ts';
import {
  groupFit,
  keyTextSql,
  ownFits,
  personFits,
  propertyGroupFits,
  visitGroupFits,
  visitMissingFits,
} from '#src/columns/filters/filter-sql.ts';
import { fitOf, fitTest } from '#src/columns/filters/fits.ts';
import { isNegation, takesOf } from '#src/columns/filters/operators.ts';
import { visitNumbers, visitProperties } from '#src/columns/filters/visit-fields.ts';
import {
  COHORT,
  GROUP_KEY,
  type GroupSubject,
  groupTypeOf,
  isGroupSubject,
  keyProperty,
  sessionFieldNamed,
} from '#src/columns/values.ts';
import { type GroupKind, groupKinds } from '#src/events/contract.ts';
import { invalid } from '#src/kit/errors.ts';
import { isUuid } from '#src/kit/ids.ts';
import { readerOf } from '#src/kit/reading/reader.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { NO_UUID } from '../tables.ts';
import { querySet } from '../text.ts';
import { inDays, type QueryParts, type Span, tableSql, Unsupported } from './events.ts';

/** More numbers or values are not sent with a statement. */
export const MAX_NUMBERS = 200_000;
const MAX_VALUES = 50_000;

/** True of the events that the filters keep. @throws AppError `invalid` for conditions that cannot be */
export async function filtersSql(parts: QueryParts, { match, of }: Filters, span: Span): Promise<Sql> {
  const conditions = await Promise.all(
    of.map((item) => ('match' in item ? filtersSql(parts, item, span) : conditionSql(parts, item, span))),
  );
  if (conditions.length === 0) return sql`1`;
  return sql`(${sql.join(conditions, match === 'all' ? sql` and ` : sql` or `)})`;
}

export function conditionSql(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql> {
  const key = JSON.stringify([condition, span.from, span.until]);
  const found = parts.conditions.get(key) ?? readCondition(parts, condition, span);
  parts.conditions.set(key, found);
  return found;
}

async function readCondition(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql> {
  const positive = await positiveSql(parts, condition, span);
  return isNegation(condition.operator) ? sql`not ${positive}` : positive;
}

function positiveSql(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql> {
  const { about } = condition;
  if (about === 'event') return eventSql(parts, condition, span);
  if (about === 'person') return personSql(parts, condition);
  return isGroupSubject(about) ? groupSql(parts, about, condition, span) : sessionSql(parts, condition, span);
}

async function eventSql(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql> {
  const { projectId, reading, ofRows = false } = parts;
  if (unreadProperties.has(condition.name) && !ofRows) throw new Unsupported(condition.name);
  const [groups, values, uuids] = await Promise.all([
    groupNumbers(parts, propertyGroupFits({ projectId, reading }, condition)),
    ownValues(parts, condition.name, span).then((all) => fittingValues(parts, condition, all)),
    ofRows ? uuidsIn(parts, condition, span) : null,
  ]);
  const places = [...groups].map(([kind, numbers]) => sql`${sql.id(kind)} in ${querySet(numbers)}`);
  if (values.length > 0) places.push(propertyIn(condition.name, values));
  if (uuids !== null) places.push(uuids);
  return places.length === 0 ? sql`0` : sql`(${sql.join(places, sql` or `)})`;
}

/** Properties with a separate column. */
const uuidColumns: Readonly<Record<string, string>> = { $window_id: 'window_id', $device_id: 'device_id' };

/** True of the events whose column fits; null: the property has none, or nothing fits. */
async function uuidsIn(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql | null> {
  if (!Object.hasOwn(uuidColumns, condition.name)) return null;
  const column = sql.id(`events.${uuidColumns[condition.name]}`);
  const texts =
    takesOf(condition.operator) === 'value'
      ? condition.values.map(String).filter(isUuid)
      : await distinctUuids(parts, column, span);
  const values = texts.map((text) => JSON.stringify(text));
  const fitting = (await fittingValues(parts, condition, values)).map((value) => JSON.parse(value) as string);
  return fitting.length === 0 ? null : sql`toString(${column}) in (${sql.join(fitting)})`;
}

async function distinctUuids(parts: QueryParts, column: Sql, span: Span): Promise<string[]> {
  const rows = await parts.house.query<{ value: string }>(
    sql`select distinct toString(${column}) as value from ${tableSql(parts, 'events')} as events
         where project_id = ${parts.projectId} and ts >= ${span.from} and ts < ${span.until} and ${inDays(span)} limit ${MAX_VALUES + 1}`,
  );
  if (rows.length > MAX_VALUES) throw new Unsupported('too many values');
  return rows.map(({ value }) => value).filter((value) => value !== NO_UUID);
}

function propertyIn(name: string, values: readonly string[]): Sql {
  return values.length === 0 ? sql`0` : sql`properties[${name}] in (${sql.join(values)})`;
}

const kindOf = new Map(Object.entries(groupKinds).map(([kind, number]) => [number as number, kind as GroupKind]));

/** Numbers of the property groups that fit, by kind. */
async function groupNumbers({ db, projectId }: QueryParts, fits: Sql): Promise<Map<GroupKind, number[]>> {
  const rows = await query<{ kind: number; number: number }>(
    db,
    sql`select kind, number from property_groups where project_id = ${projectId} and ${fits} limit ${MAX_NUMBERS + 1}`,
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
export async function ownValues(parts: QueryParts, name: string, span: Span): Promise<string[]> {
  const { house, projectId } = parts;
  const rows = await house.query<{ value: string }>(
    sql`select distinct properties[${name}] as value from ${tableSql(parts, 'events')}
         where project_id = ${projectId} and ts >= ${span.from} and ts < ${span.until} and ${inDays(span)} and mapContains(properties, ${name})
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
  if (condition.name === COHORT) await checkCohorts(db, projectId, condition);
  // With those who were merged into them: ClickHouse need not look up whom the person of each event was merged into.
  const rows = await query<{ number: number }>(
    db,
    sql`with fitting as materialized (
          select number from persons
           where project_id = ${projectId} and not merged and ${personFits({ projectId, reading }, condition)}
           limit ${MAX_NUMBERS + 1})
        select number from fitting
        union all
        select old_person from person_overrides
         where project_id = ${projectId} and new_person in (select number from fitting)
         limit ${MAX_NUMBERS + 1}`,
  );
  if (rows.length > MAX_NUMBERS) throw new Unsupported(condition.name === COHORT ? 'large cohort' : 'too many persons');
  return sql`events.person in ${querySet(rows.map(({ number }) => number))}`;
}

/** @throws Unsupported for a cohort that does not exist: the engine names it */
async function checkCohorts(db: QueryParts['db'], projectId: number, condition: FilterCondition): Promise<void> {
  const names = checkCohortCondition(condition);
  const [row] = await query<{ missing: boolean }>(
    db,
    sql`select exists (
          select from unnest(${names}::text[]) as asked (name)
           where not exists (
             select from cohorts
              where project_id = ${projectId} and (lower(cohorts.name) = asked.name or asked.name = any(former_names)))) as missing`,
  );
  if (row?.missing) throw new Unsupported('unknown cohort');
}

/** Groups are those of the event by its key: a key that was never described has no properties. */
async function groupSql(parts: QueryParts, about: GroupSubject, condition: FilterCondition, span: Span): Promise<Sql> {
  const { db, projectId, reading } = parts;
  const property = keyProperty(about);
  const values = (await ownValues(parts, property, span)).filter((value) => value !== '""');
  if (condition.name === GROUP_KEY) return propertyIn(property, await fittingValues(parts, condition, values));
  const rows = await query<{ value: string }>(
    db,
    sql`select value from unnest(${values}::text[]) as value
         where ${keyTextSql(sql`value::jsonb`)} in (
           select key from groups
            where project_id = ${projectId} and type_index = ${groupTypeOf(about)}::smallint
              and ${groupFit(readerOf(reading), condition)})`,
  );
  return propertyIn(
    property,
    rows.map(({ value }) => value),
  );
}

/** Visits that were there in a span and fulfil a condition. */
function inVisits(parts: QueryParts, { from, until }: Span, fits: Sql): Sql {
  return sql`events.session_id in (
    select id from ${tableSql(parts, 'sessions')} final
     where project_id = ${parts.projectId} and first_ts < ${until} and last_ts >= ${from} and ${fits})`;
}

/** The column of a visit with the number of a group, by the engine's name of it. */
export function visitColumn(column: string): Sql {
  const named: Record<string, string> = { entryPage: 'entry_page', exitPage: 'exit_page' };
  return sql.id(named[column] ?? column);
}

async function sessionSql(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql> {
  return inVisits(parts, span, await visitFits(parts, condition, span));
}

/** True of the rows of `sessions` of a span that fulfil a condition. */
export async function visitSql(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql> {
  const fits = await visitFits(parts, condition, span);
  return isNegation(condition.operator) ? sql`not (${fits})` : sql`(${fits})`;
}

/** The same, of a negation those that it excludes. */
async function visitFits(parts: QueryParts, condition: FilterCondition, span: Span): Promise<Sql> {
  const field = sessionFieldNamed(condition.name);
  if (field === undefined) throw invalid('filters', `"${condition.name}" is not a visit property.`);
  if (field === 'seconds' || field === 'views') {
    const length = field === 'views' ? sql`(views + screens)` : sql`(last_ts - first_ts)`;
    return visitNumberSql(parts, span, { column: length, per: visitNumbers[field].per }, condition);
  }
  const { db, projectId, reading } = parts;
  const property = visitProperties[field];
  const rows = { projectId, reading };
  const [groups, [none]] = await Promise.all([
    groupNumbers(
      parts,
      sql`kind = ${groupKinds[property.kind]}::smallint and ${visitGroupFits(rows, property, condition)}`,
    ),
    query<{ fits: boolean }>(db, sql`select ${visitMissingFits(rows, property, condition)} as fits`),
  ]);
  const numbers = [...(none?.fits ? [0] : []), ...(groups.get(property.kind) ?? [])];
  return sql`${visitColumn(property.column)} in ${querySet(numbers)}`;
}

/** A condition on a number of visits, which is stored as so many parts of one. @throws Unsupported for pieces of the texts of too many */
async function visitNumberSql(
  parts: QueryParts,
  { from, until }: Span,
  { column, per }: { column: Sql; per: number },
  condition: FilterCondition,
): Promise<Sql> {
  const fit = fitOf(condition, []);
  const value = sql`(${column} / ${per})`;
  if ('equals' in fit) {
    // Numbers that are written like one of the texts.
    const numbers = fit.equals.flatMap((text) => {
      const stored = Math.round(Number(text) * per);
      return Number.isSafeInteger(stored) && textOf(stored / per) === text ? stored : [];
    });
    return sql`${column} in ${querySet(numbers)}`;
  }
  if ('number' in fit) {
    const { bound } = fit;
    switch (fit.number) {
      case 'gt':
        return sql`${value} > ${bound}`;
      case 'gte':
        return sql`${value} >= ${bound}`;
      case 'lt':
        return sql`${value} < ${bound}`;
      case 'lte':
        return sql`${value} <= ${bound}`;
    }
  }
  if ('isSet' in fit || 'isNumber' in fit) return sql`1`;
  if ('date' in fit) return sql`0`;
  const rows = await parts.house.query<{ stored: number }>(
    sql`select distinct ${column} as stored from ${tableSql(parts, 'sessions')}
         where project_id = ${parts.projectId} and first_ts < ${until} and last_ts >= ${from} and deleted = 0 limit ${MAX_NUMBERS + 1}`,
  );
  if (rows.length > MAX_NUMBERS) throw new Unsupported('too many visits');
  const fits = fitTest(fit);
  return sql`${column} in ${querySet(rows.flatMap(({ stored }) => (fits(stored / per) ? stored : [])))}`;
}
