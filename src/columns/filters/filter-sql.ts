/**
 * Filters as conditions on rows of `events`: they keep the same events as the engine's do (conditions.ts, fits.ts), which tests hold them to.
 * For looking at rows, for the SQL that explains a number, and to decide what fits in questions that ClickHouse answers. The engine itself does not
 * use them.
 */
import { type GroupKind, groupKinds } from '#src/events/contract.ts';
import { invalid } from '#src/kit/errors.ts';
import { plainReader, type Reader, type ReadingRules, readerOf } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { FilterCondition, Filters } from '../contract.ts';
import { COHORT, GROUP_KEY, type GroupSubject, groupTypeOf, keyProperty, sessionFieldNamed } from '../values.ts';
import { cohortFit } from './cohort-sql.ts';
import { asRead, candidates, numberIn, patternIn, readCondition, singleOf, texts } from './condition-values.ts';
import { dateSql } from './date-sql.ts';
import type { PlacedCondition } from './date-times.ts';
import { numberSql, textNumberSql } from './number-sql.ts';
import { isNegation, meaningOf, takesOf } from './operators.ts';
import { readSql as readValueSql, textReadSql } from './reading-sql.ts';
import { NATIONAL, PORT, SITE_HOST, sourceNames } from './source-names.ts';
import {
  type GroupProperty,
  isFolded,
  type VisitNumber,
  type VisitProperty,
  visitProperties,
  widthClasses,
} from './visit-fields.ts';

export interface FilteredRows {
  projectId: number;
  /** Time span of the events, ms, which limits the visits to read. */
  from: number;
  until: number;
  /** Only what the engine keeps columns of. */
  asEngine?: boolean;
  /** The project's rules for reading values; absent: none. */
  reading?: ReadingRules | undefined;
}

type ReadRows = Pick<FilteredRows, 'projectId' | 'reading'>;

function readerFor({ reading }: Pick<FilteredRows, 'reading'>) {
  return reading === undefined ? plainReader : readerOf(reading);
}

const kinds = Object.keys(groupKinds) as GroupKind[];

/** True of the rows of `events` that the filters keep. @throws AppError `invalid` for conditions that cannot be */
export function filterSql(rows: FilteredRows, { match, of }: Filters): Sql {
  const conditions = of.map((item) => ('match' in item ? filterSql(rows, item) : conditionSql(rows, item)));
  if (conditions.length === 0) return sql`true`;
  return sql`(${sql.join(conditions, match === 'all' ? sql` and ` : sql` or `)})`;
}

/** True of the rows of `persons` that filters about persons alone keep. @throws AppError `invalid` for others */
export function personsSql(reader: Reader, { match, of }: Filters): Sql {
  const conditions = of.map((item) => {
    if ('match' in item) return personsSql(reader, item);
    if (item.about !== 'person') throw invalid('filters', 'Only person properties can be used here.');
    const positive = sql`coalesce(${personFit(reader, item)}, false)`;
    return isNegation(item.operator) ? sql`not ${positive}` : positive;
  });
  if (conditions.length === 0) return sql`true`;
  return sql`(${sql.join(conditions, match === 'all' ? sql` and ` : sql` or `)})`;
}

/** True of the rows of `events` that have one of these names. */
export function namesSql({ projectId }: Pick<FilteredRows, 'projectId'>, names: readonly string[]): Sql {
  return sql`events.event in (
    select number from event_names where project_id = ${projectId} and name = any(${[...names]}::text[]))`;
}

function conditionSql(rows: FilteredRows, condition: FilterCondition): Sql {
  const positive = sql`coalesce(${positiveSql(rows, condition)}, false)`;
  return isNegation(condition.operator) ? sql`not ${positive}` : positive;
}

function positiveSql(rows: FilteredRows, condition: FilterCondition): Sql {
  switch (condition.about) {
    case 'event':
      return eventSql(rows, condition);
    case 'person':
      return personSql(rows, condition);
    case 'session':
      return sessionSql(rows, condition);
    default:
      return groupSql(rows, condition.about, condition);
  }
}

/** One condition for each place where the property may be. */
function eventSql({ projectId, asEngine, reading }: FilteredRows, asked: FilterCondition): Sql {
  const reader = readerFor({ reading });
  const condition = readCondition(reader, asked);
  const read = (value: Sql, group: Sql | null) => readValueSql(reader, condition.name, value, group);
  const inGroups = kinds.map(
    (kind) => sql`events.${sql.id(kind)} in (
      select number from property_groups
       where project_id = ${projectId} and kind = ${groupKinds[kind]}::smallint
         and ${fitSql(read(sql`(properties -> ${condition.name})`, sql`properties`), condition)})`,
  );
  const own = fitSql(read(sql`(events.properties -> ${condition.name})`, null), condition);
  return sql`(${sql.join([...inGroups, own, ...(asEngine ? [] : ownColumn(condition))], sql` or `)})`;
}

/** True of rows of `property_groups` with a property that fits, before negation; null when missing. */
export function propertyGroupFits(rows: ReadRows, asked: FilterCondition): Sql {
  const reader = readerFor(rows);
  const condition = readCondition(reader, asked);
  const value = readValueSql(reader, condition.name, sql`(properties -> ${condition.name})`, sql`properties`);
  return fitSql(value, condition);
}

/** A property of an event as the project reads it, as jsonb. @param group properties of its group, as jsonb; null: it is in none */
export function propertySql(rows: ReadRows, name: string, value: Sql, group: Sql | null): Sql {
  return readValueSql(readerFor(rows), name, value, group);
}

/** True of the jsonb value of a property in no group that fits, before negation; null when missing. */
export function ownFits(rows: ReadRows, asked: FilterCondition, value: Sql): Sql {
  const reader = readerFor(rows);
  const condition = readCondition(reader, asked);
  return fitSql(readValueSql(reader, condition.name, value, null), condition);
}

/** True of rows of `property_groups` of its kind in which a field of visits fits, before negation. */
export function visitGroupFits(rows: ReadRows, property: VisitProperty, condition: FilterCondition): Sql {
  const asked = asRead(readerFor(rows), condition, property);
  return fitSql(readSql(rows, property), asked, isFolded(property));
}

/** True when visits without a group fit, before negation. */
export function visitMissingFits(rows: ReadRows, property: VisitProperty, condition: FilterCondition): Sql {
  if (property.missing === undefined) return sql`false`;
  return fitSql(sql`to_jsonb(${property.missing}::text)`, asRead(readerFor(rows), condition, property));
}

/** True of rows of `persons` that fit, before negation. */
export function personFits(rows: ReadRows, condition: FilterCondition): Sql {
  return sql`coalesce(${personFit(readerFor(rows), condition)}, false)`;
}

/** The text of a jsonb value as events are divided by it; '' when missing. */
export function keyTextSql(value: Sql): Sql {
  return sql`coalesce(${textSql(value)}, '')`;
}

/** Properties with a row column. */
const columnsOfRows: Readonly<Record<string, string>> = { $window_id: 'window_id', $device_id: 'device_id' };

function ownColumn(condition: FilterCondition): Sql[] {
  const column = Object.hasOwn(columnsOfRows, condition.name) ? columnsOfRows[condition.name] : undefined;
  return column === undefined ? [] : [fitSql(sql`to_jsonb(events.${sql.id(column)}::text)`, condition)];
}

/** True when a condition is about what the engine keeps no column of: it counts such events otherwise. */
export function isBeyondEngine({ of }: Filters): boolean {
  return of.some((item) =>
    'match' in item ? isBeyondEngine(item) : item.about === 'event' && Object.hasOwn(columnsOfRows, item.name),
  );
}

function personSql({ projectId, reading }: FilteredRows, condition: FilterCondition): Sql {
  return sql`coalesce(
      (select new_person from person_overrides where project_id = ${projectId} and old_person = events.person),
      events.person
    ) in (
      select number from persons
       where project_id = ${projectId} and not merged and ${personFit(readerFor({ reading }), condition)})`;
}

/** Groups are those of the event by its key: a key that was never described has no properties. */
function groupSql({ projectId, reading }: FilteredRows, about: GroupSubject, condition: FilterCondition): Sql {
  const key = sql`(events.properties -> ${keyProperty(about)})`;
  if (condition.name === GROUP_KEY) return sql`(${keyText(about)} <> '' and ${fitSql(key, condition)})`;
  return sql`${keyText(about)} in (
    select key from groups
     where project_id = ${projectId} and type_index = ${groupTypeOf(about)}::smallint
       and ${groupFit(readerFor({ reading }), condition)})`;
}

/** SQL text of the key of an event's group; null or empty without one. */
export function keyText(about: GroupSubject): Sql {
  return textSql(sql`(events.properties -> ${keyProperty(about)})`);
}

/** SQL: true for persons with a matching property, before negation. Person properties are compared in PostgreSQL's text form. */
export function personFit(reader: Reader, asked: PlacedCondition): Sql {
  if (asked.name === COHORT) return cohortFit(asked);
  return groupFit(reader, asked);
}

/** The same for rows of `groups`. */
export function groupFit(reader: Reader, asked: PlacedCondition): Sql {
  const condition = readCondition(reader, asked);
  const text = personText(reader, condition.name);
  return compare(condition, {
    text,
    number: textNumberSql(text, condition.decimal),
    dateText: text,
    isOneOf: () => sql`${text} = any(${texts(condition)}::text[])`,
    isSet: sql`${text} is not null`,
  });
}

/** SQL text of a person property on rows of `persons`; null when missing. */
export function personTextSql(rows: ReadRows, property: string): Sql {
  return personText(readerFor(rows), property);
}

function personText(reader: Reader, property: string): Sql {
  return textReadSql(reader, property, sql`(properties ->> ${property})`, sql`properties`);
}

/** A value in SQL, in each form that operators compare. */
interface Compared {
  text: Sql;
  number: Sql;
  /** Null for what is no text. */
  dateText: Sql;
  /** True when it equals one of the condition's values. */
  isOneOf(): Sql;
  isSet: Sql;
  /** The value is in lower case: patterns are matched regardless of case. */
  isFolded?: boolean;
}

/** The operator (operators.ts) as SQL, before negation. */
function compare(condition: PlacedCondition, value: Compared): Sql {
  const meaning = meaningOf(condition.operator);
  switch (meaning.takes) {
    case 'value':
      return value.isOneOf();
    case 'text': {
      const pieces = texts(condition).map((piece) => piece.toLowerCase());
      const fits = meaning.sql(sql, sql`lower(${value.text})`, sql`piece`);
      return sql`exists (select from unnest(${pieces}::text[]) as piece where ${fits})`;
    }
    case 'pattern':
      return sql`${value.text} ${value.isFolded ? sql`~*` : sql`~`} ${patternIn(condition)}`;
    case 'number':
      return meaning.sql(sql, value.number, sql`${String(numberIn(condition))}::float8`);
    case 'date':
      return dateSql(value.dateText, condition);
    case 'nothing':
      return meaning.asks === 'number' ? sql`${value.number} is not null` : value.isSet;
  }
}

/** The columns of `sessions` by the engine's names for them. */
const sessionColumns: Readonly<Record<string, string>> = { entryPage: 'entry_page', exitPage: 'exit_page' };

function sessionSql({ projectId, from, until, reading }: FilteredRows, condition: FilterCondition): Sql {
  const field = sessionFieldNamed(condition.name);
  if (field === undefined) throw invalid('filters', `"${condition.name}" is not a visit property.`);
  const test =
    field === 'seconds' || field === 'views'
      ? numberFit(field, condition)
      : visitFit({ projectId, reading }, visitProperties[field], condition);
  return sql`events.session_id in (
    select s.id from sessions s
     where s.project_id = ${projectId} and s.first_ts < ${sql.time(until)} and s.last_ts >= ${sql.time(from)} and ${test})`;
}

/** Numbers do not match patterns. */
function numberFit(field: VisitNumber, condition: FilterCondition): Sql {
  if (takesOf(condition.operator) === 'pattern') {
    singleOf(condition);
    return sql`false`;
  }
  const seconds = sql`(extract(epoch from s.last_ts - s.first_ts) * 1000)::int8 / 1000.0`;
  return fitSql(field === 'seconds' ? sql`to_jsonb(${seconds})` : sql`to_jsonb(s.views + s.screens)`, condition);
}

function visitFit(rows: ReadRows, property: VisitProperty, condition: FilterCondition): Sql {
  const { projectId } = rows;
  const { kind, missing } = property;
  const own = sql`s.${visitColumn(property)}`;
  const found = sql`${own} in (
      select number from property_groups
       where project_id = ${projectId} and kind = ${groupKinds[kind]}::smallint and ${visitGroupFits(rows, property, condition)})`;
  if (missing === undefined) return found;
  return sql`case when ${own} is null then ${visitMissingFits(rows, property, condition)} else ${found} end`;
}

/** The column of `sessions` that names the group. */
export function visitColumn({ column }: Pick<VisitProperty, 'column'>): Sql {
  return sql.id(sessionColumns[column] ?? column);
}

/** Value of a row of `property_groups`, as jsonb. */
function readSql(rows: ReadRows, property: GroupProperty): Sql {
  const { names, missing } = property;
  const sent = readValueSql(readerFor(rows), names[0] ?? '', sentSql(property), sql`properties`);
  const read = asReadSql(sent, property);
  if (missing === undefined) return read;
  return sql`case when coalesce(${read}, '""') in ('null', '""') then to_jsonb(${missing}::text) else ${read} end`;
}

/** The first of its properties that a group has, as jsonb. */
export function sentSql({ names, as }: Pick<GroupProperty, 'names' | 'as'>): Sql {
  if (as === 'region' || as === 'city') return placeSql(names);
  const each = names.map((name) => sql`properties -> ${name}`);
  // Without a campaign source the domain applies.
  return sql`coalesce(${sql.join(as === 'source' ? each.map((value) => sql`nullif(${value}, '""')`) : each)})`;
}

/** A place with its region, to distinguish equal names: `Bom Jesus, BR-PI`. Null without a name. */
function placeSql(names: readonly string[]): Sql {
  const text = (name: string) => sql`nullif(properties ->> ${name}, '')`;
  const country = text('$geoip_country_code');
  const place = sql`concat_ws('-', ${country}, case when ${country} is not null then ${text('$geoip_subdivision_1_code')} end)`;
  return sql`to_jsonb(coalesce(${sql.join(names.map(text))}) || coalesce(', ' || nullif(${place}, ''), ''))`;
}

function asReadSql(sent: Sql, { as }: GroupProperty): Sql {
  switch (as) {
    case 'folded':
      return sql`to_jsonb(lower(${textSql(sent)}))`;
    case 'width':
      return widthSql(sent);
    case 'source':
      return sourceSql(textSql(sent));
    default:
      return sent;
  }
}

/** The name of a source (source-names.ts). */
function sourceSql(said: Sql): Sql {
  return sql`(
    select to_jsonb(coalesce(
      names ->> host,
      (select names ->> domain
       from generate_series(2, cardinality(labels) - 1) as label, array_to_string(labels[label:], '.') as domain
       where names ->> domain is not null
       order by label
       limit 1),
      names ->> substring(host from ${NATIONAL}),
      regexp_replace(host, ${SITE_HOST}, '')))
    from regexp_replace(lower(${said}), ${PORT}, '') as host,
      string_to_array(host, '.') as labels,
      cast(${JSON.stringify(sourceNames)} as jsonb) as names)`;
}

/** SQL text of an event's own property with a text value. */
export function ownTextSql(rows: ReadRows, property: string): Sql {
  return textReadSql(readerFor(rows), property, sql`(events.properties ->> ${property})`);
}

/** The path in a group of properties. @param group jsonb */
export function groupPathSql(rows: ReadRows, group: Sql): Sql {
  return textReadSql(readerFor(rows), '$pathname', sql`(${group} ->> '$pathname')`, group);
}

/** The same as text; null when missing. */
export function readingSql(rows: ReadRows, property: GroupProperty): Sql {
  const isPlain = property.as === undefined && property.missing === undefined;
  const read = readSql(rows, property);
  return isPlain ? textSql(read) : sql`${read} #>> '{}'`;
}

/** The class of a width (visit-fields.ts). */
function widthSql(value: Sql): Sql {
  const classes = widthClasses.map(
    ([least, name]) => sql`when ${numberSql(value)} >= ${least} then to_jsonb(${name}::text)`,
  );
  return sql`case ${sql.join(classes, sql` `)} end`;
}

/** SQL: true when a jsonb value matches the condition, before negation. Null when missing. */
function fitSql(value: Sql, condition: PlacedCondition, isFolded = false): Sql {
  return compare(condition, {
    text: textSql(value),
    number: numberSql(value, condition.decimal),
    dateText: sql`(case jsonb_typeof(${value}) when 'string' then ${value} #>> '{}' end)`,
    isOneOf: () => sql`${value} = any(${candidates(condition)}::text[]::jsonb[])`,
    isSet: sql`jsonb_typeof(${value}) <> 'null'`,
    isFolded,
  });
}

/** The text that a value is compared by, as JavaScript writes it: 1.10 is "1.1", lists and objects have no spaces in them. */
function textSql(value: Sql): Sql {
  const plain = sql`(${value} #>> '{}')`;
  return sql`case jsonb_typeof(${value})
      when 'null' then null
      when 'number' then case when ${plain} like '%.%' then ${plain}::float8::text else ${plain} end
      when 'object' then json_strip_nulls(${value}::text::json)::text
      when 'array' then json_strip_nulls(${value}::text::json)::text
      else ${plain} end`;
}
