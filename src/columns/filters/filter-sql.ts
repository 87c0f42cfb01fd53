/**
 * Filters as conditions on rows of `events`: they keep the same events as the engine's do (conditions.ts, fits.ts), which tests hold them to.
 * Only for looking at rows, and for the SQL that explains a number; every number comes from the engine.
 */
import { type GroupKind, groupKinds } from '#src/events/contract.ts';
import { invalid } from '#src/kit/errors.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import {
  type FilterCondition,
  type FilterOperator,
  type Filters,
  type FilterValue,
  sessionFields,
} from '../contract.ts';
import { dateSql } from './date-sql.ts';
import { isDateOperator } from './date-times.ts';
import {
  type GroupProperty,
  type VisitNumber,
  type VisitProperty,
  visitProperties,
  widthClasses,
} from './visit-fields.ts';

export interface FilteredRows {
  projectId: number;
  /** What the events are within, ms: visits elsewhere need not be looked at. */
  from: number;
  until: number;
  /** Only what the engine keeps columns of. */
  asEngine?: boolean;
}

const kinds = Object.keys(groupKinds) as GroupKind[];
const opposites = new Set<FilterOperator>(['isNot', 'containsNot', 'matchesNot', 'isNotSet']);

/** True of the rows of `events` that the filters keep. @throws AppError `invalid` for conditions that cannot be */
export function filterSql(rows: FilteredRows, { match, of }: Filters): Sql {
  const conditions = of.map((item) => ('match' in item ? filterSql(rows, item) : conditionSql(rows, item)));
  if (conditions.length === 0) return sql`true`;
  return sql`(${sql.join(conditions, match === 'all' ? sql` and ` : sql` or `)})`;
}

/** True of the rows of `persons` that filters about persons alone keep. @throws AppError `invalid` for others */
export function personsSql({ match, of }: Filters): Sql {
  const conditions = of.map((item) => {
    if ('match' in item) return personsSql(item);
    if (item.about !== 'person') throw invalid('filters', 'People are found by what is known of them.');
    const positive = sql`coalesce(${personFit(item)}, false)`;
    return opposites.has(item.operator) ? sql`not ${positive}` : positive;
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
  return opposites.has(condition.operator) ? sql`not ${positive}` : positive;
}

function positiveSql(rows: FilteredRows, condition: FilterCondition): Sql {
  switch (condition.about) {
    case 'event':
      return eventSql(rows, condition);
    case 'person':
      return personSql(rows, condition);
    case 'session':
      return sessionSql(rows, condition);
  }
}

/** One condition for each place where the property may be. */
function eventSql({ projectId, asEngine }: FilteredRows, condition: FilterCondition): Sql {
  const inGroups = kinds.map(
    (kind) => sql`events.${sql.id(kind)} in (
      select number from property_groups
       where project_id = ${projectId} and kind = ${groupKinds[kind]}::smallint
         and ${fitSql(sql`(properties -> ${condition.name})`, condition)})`,
  );
  const own = fitSql(sql`(events.properties -> ${condition.name})`, condition);
  return sql`(${sql.join([...inGroups, own, ...(asEngine ? [] : ownColumn(condition))], sql` or `)})`;
}

/** Properties that have a column of their own in the row. */
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

function personSql({ projectId }: FilteredRows, condition: FilterCondition): Sql {
  return sql`coalesce(
      (select new_person from person_overrides where project_id = ${projectId} and old_person = events.person),
      events.person
    ) in (
      select number from persons
       where project_id = ${projectId} and not merged and ${personFit(condition)})`;
}

/** Properties of persons are compared as PostgreSQL writes them. */
function personFit(condition: FilterCondition): Sql {
  const text = sql`(properties ->> ${condition.name})`;
  const number = textNumberSql(text);
  if (isDateOperator(condition.operator)) return dateSql(text, condition);
  switch (condition.operator) {
    case 'is':
    case 'isNot':
      return sql`${text} = any(${texts(condition)}::text[])`;
    case 'above':
      return sql`${number} > ${String(numberOf(condition))}::numeric`;
    case 'below':
      return sql`${number} < ${String(numberOf(condition))}::numeric`;
    case 'isSet':
    case 'isNotSet':
      return sql`${text} is not null`;
    default:
      return textFit(text, condition);
  }
}

/** The columns of `sessions` by the engine's names for them. */
const sessionColumns: Readonly<Record<string, string>> = { entryPage: 'entry_page', exitPage: 'exit_page' };

function sessionSql({ projectId, from, until }: FilteredRows, condition: FilterCondition): Sql {
  const field = sessionFields.find((each) => each === condition.name);
  if (field === undefined) throw invalid('filters', `Visits have no "${condition.name}".`);
  const test =
    field === 'seconds' || field === 'views'
      ? numberFit(field, condition)
      : groupFit(projectId, visitProperties[field], condition);
  return sql`events.session_id in (
    select s.id from sessions s
     where s.project_id = ${projectId} and s.first_ts < ${sql.time(until)} and s.last_ts >= ${sql.time(from)} and ${test})`;
}

/** What is written as a number has no text for a pattern. */
function numberFit(field: VisitNumber, condition: FilterCondition): Sql {
  if (isPattern(condition)) {
    single(condition);
    return sql`false`;
  }
  const seconds = sql`(extract(epoch from s.last_ts - s.first_ts) * 1000)::int8 / 1000.0`;
  return fitSql(field === 'seconds' ? sql`to_jsonb(${seconds})` : sql`to_jsonb(s.views + s.screens)`, condition);
}

function groupFit(projectId: number, property: VisitProperty, condition: FilterCondition): Sql {
  const { kind, missing } = property;
  const own = sql`s.${visitColumn(property)}`;
  const isFolded = property.as === 'folded';
  const asked = isFolded ? { ...condition, values: condition.values.map(folded) } : condition;
  const value = readSql(property);
  const found = sql`${own} in (
      select number from property_groups
       where project_id = ${projectId} and kind = ${groupKinds[kind]}::smallint and ${fitSql(value, asked, isFolded)})`;
  if (missing === undefined) return found;
  return sql`case when ${own} is null then ${fitSql(sql`to_jsonb(${missing}::text)`, asked)} else ${found} end`;
}

/** The column of `sessions` that names the group. */
export function visitColumn({ column }: Pick<VisitProperty, 'column'>): Sql {
  return sql.id(sessionColumns[column] ?? column);
}

/** What a row of `property_groups` says, as jsonb. */
function readSql({ names, as, missing }: GroupProperty): Sql {
  const sent = sql`coalesce(${sql.join(names.map((name) => sql`properties -> ${name}`))})`;
  const read = as === 'folded' ? sql`to_jsonb(lower(${textSql(sent)}))` : as === 'width' ? widthSql(sent) : sent;
  if (missing === undefined) return read;
  return sql`case when coalesce(${read}, '""') in ('null', '""') then to_jsonb(${missing}::text) else ${read} end`;
}

/** The same as text; null where nothing is said. */
export function readingSql(property: GroupProperty): Sql {
  return property.as === undefined && property.missing === undefined
    ? textSql(sql`coalesce(${sql.join(property.names.map((name) => sql`properties -> ${name}`))})`)
    : sql`${readSql(property)} #>> '{}'`;
}

/** The class of a width (visit-fields.ts). */
function widthSql(value: Sql): Sql {
  const classes = widthClasses.map(
    ([least, name]) => sql`when ${numberSql(value)} >= ${least} then to_jsonb(${name}::text)`,
  );
  return sql`case ${sql.join(classes, sql` `)} end`;
}

function folded(value: FilterValue): FilterValue {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Whether a value, as jsonb, fits the condition, positively asked. Null for what is not there. */
function fitSql(value: Sql, condition: FilterCondition, isFolded = false): Sql {
  if (isDateOperator(condition.operator)) {
    return dateSql(sql`(case jsonb_typeof(${value}) when 'string' then ${value} #>> '{}' end)`, condition);
  }
  switch (condition.operator) {
    case 'is':
    case 'isNot':
      return sql`${value} = any(${candidates(condition)}::text[]::jsonb[])`;
    case 'above':
      return sql`${numberSql(value)} > ${String(numberOf(condition))}::numeric`;
    case 'below':
      return sql`${numberSql(value)} < ${String(numberOf(condition))}::numeric`;
    case 'isSet':
    case 'isNotSet':
      return sql`jsonb_typeof(${value}) <> 'null'`;
    default:
      return textFit(textSql(value), condition, isFolded);
  }
}

function isPattern({ operator }: FilterCondition): boolean {
  return operator === 'matches' || operator === 'matchesNot';
}

function textFit(text: Sql, condition: FilterCondition, isFolded = false): Sql {
  if (isPattern(condition)) {
    return sql`${text} ${isFolded ? sql`~*` : sql`~`} ${sendable(String(single(condition)))}`;
  }
  const parts = texts(condition).map((part) => part.toLowerCase());
  return sql`exists (select from unnest(${parts}::text[]) as part where position(part in lower(${text})) > 0)`;
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

/** Numbers, and texts that say nothing but a number. */
function numberSql(value: Sql): Sql {
  const plain = sql`(${value} #>> '{}')`;
  return sql`case jsonb_typeof(${value})
      when 'number' then ${plain}::numeric
      when 'string' then ${textNumberSql(plain)}
      end`;
}

/** What a text says that says nothing but a number; exact, since people send more digits than `float8` has room for. */
export function textNumberSql(text: Sql): Sql {
  return sql`case when length(${text}) < 1000 and ${text} ~ '^-?[0-9]+(\\.[0-9]+)?$' then ${text}::numeric end`;
}

/** NUL, and halves of pairs of surrogates, as JSON writes them: after no backslash, or pairs of them. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Everything, as JSON, that is written like one of the wanted texts. */
function candidates(condition: FilterCondition): string[] {
  return texts(condition).flatMap((text) => {
    const found = [JSON.stringify(text)];
    const other = parsed(text);
    if (other !== undefined && typeof other !== 'string' && other !== null && written(other) === text) {
      found.push(JSON.stringify(other));
    }
    return found.filter((json) => !UNSTORABLE.test(json));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function written(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The values as texts; one that no stored text can be equal to is left out. */
function texts({ values }: FilterCondition): string[] {
  return values.map(String).filter((text) => !text.includes('\0') && text.isWellFormed());
}

function sendable(pattern: string): string {
  if (pattern.includes('\0') || !pattern.isWellFormed()) throw invalid('filters', 'This is not a pattern.');
  return pattern;
}

function single({ name, values }: FilterCondition): string | number | boolean {
  const [value] = values;
  if (value === undefined || values.length !== 1)
    throw invalid('filters', `The condition on "${name}" takes one value.`);
  return value;
}

function numberOf(condition: FilterCondition): number {
  const value = single(condition);
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) throw invalid('filters', `The condition on "${condition.name}" takes a number.`);
  return number;
}
