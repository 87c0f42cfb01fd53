/** Breakdowns of events, in ClickHouse's SQL: a number for each value, with their texts as the engine writes them (src/columns/conditions/key-places.ts). */
import type { Breakdown } from '#src/columns/columns.ts';
import { unreadProperties } from '#src/columns/contract.ts';
import { textOf } from '#src/columns/filters/condition-values.ts';
import { visitNumbers, visitProperties } from '#src/columns/filters/visit-fields.ts';
import { binText } from '#src/columns/kernels/combine-keys.ts';
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
import type { JsonValue } from '#src/kit/json.ts';
import { type DecimalSeparator, numberOf } from '#src/kit/numbers/values.ts';
import { byBytes } from '#src/kit/order.ts';
import { readerOf } from '#src/kit/reading/reader.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import { areMany, mappingRows } from '../text.ts';
import { conditionSql, MAX_NUMBERS, ownValues, visitColumn } from './conditions.ts';
import { inDays, type QueryParts, type Span, tableSql, Unsupported } from './events.ts';
import { MAX_MEANINGS, mapped, readMeaning } from './meanings.ts';

export interface Keys {
  /** SQL: number of an event's value, as Int64; 0 stands for ''. */
  number: Sql;
  textOf(number: number): string;
  /** Numbers are below. */
  size: number;
  /** What is joined to `events` for it. */
  join: Sql;
}

/** Values with rows: those of the most events, of as many in the order of their bytes. */
export interface RankedKeys {
  /** Numbers and texts of those that have rows. */
  shown: { number: number; text: string }[];
  /** How many there are. */
  values: number;
}

/** @param counts of events by number of the value */
export function rankKeys(keys: Keys, counts: ReadonlyMap<number, number>, most: number): RankedKeys {
  const ranked = [...counts]
    .filter(([, count]) => count > 0)
    .map(([number, count]) => ({ number, text: keys.textOf(number), count }))
    .sort((one, other) => other.count - one.count || byBytes(one.text, other.text));
  return { shown: ranked.slice(0, most), values: ranked.length };
}

/** SQL: row of an event's value. @param other of all that have none */
export function rowSql({ number }: Keys, { shown }: RankedKeys, other: number): Sql {
  if (shown.length === 0) return sql`toInt64(${other})`;
  const rows = shown.map((_, row) => row);
  return sql`toInt64(transform(${number}, ${shown.map((each) => each.number)}, ${rows}, ${other}))`;
}

type Single = Extract<Breakdown, { name: string }> | { about: 'name' };
type Step = Extract<Breakdown, { about: 'step' }>;
type Combined = Extract<Breakdown, { about: 'combined' }>;

/** Numbers of combinations are exact in JavaScript. */
const MAX_SIZE = 2 ** 50;

/**
 * Of the events of a span.
 * @param decimal how texts write numbers that are divided into intervals
 * @throws Unsupported for too many values
 */
export function keysOf(
  parts: QueryParts,
  by: Breakdown,
  span: Span,
  decimal: DecimalSeparator = 'point',
): Promise<Keys> {
  if (by.about === 'step') return keysOfSteps(parts, by, span);
  return by.about === 'combined' ? keysOfCombined(parts, by, span, decimal) : keysOfSingle(parts, by, span, textOf);
}

/** The text that a value is counted under. */
type Say = (value: JsonValue) => string;

/** @param place among several together */
function keysOfSingle(parts: QueryParts, by: Single, span: Span, say: Say, place = 0): Promise<Keys> {
  if (by.about === 'name') return keysOfNames(parts, say);
  if (by.about === 'event') return keysOfProperty(parts, by.name, span, say);
  if (by.about === 'person') return keysOfPersons(parts, by.name, { say, place });
  if (by.about === 'session') return keysOfVisits(parts, by.name, span, say);
  if (isGroupSubject(by.about)) return keysOfGroups(parts, by.about, by.name, span, say);
  throw new Unsupported('breakdown');
}

/** Gives each text a number. */
class Numbering {
  readonly texts: string[] = [''];
  private readonly known = new Map<string, number>([['', 0]]);

  of(text: string): number {
    const found = this.known.get(text) ?? this.texts.push(text) - 1;
    this.known.set(text, found);
    return found;
  }

  keys(number: Sql, join: Sql = sql.empty): Keys {
    const { texts } = this;
    return { number, textOf: (own) => texts[own] ?? '', size: texts.length, join };
  }
}

async function keysOfNames(parts: QueryParts, say: Say): Promise<Keys> {
  const numbering = new Numbering();
  const names = await allNames(parts);
  const numbers = names.map(({ name }) => numbering.of(say(name)));
  return numbering.keys(
    mapped(
      sql`event`,
      names.map(({ number }) => number),
      numbers,
    ),
  );
}

async function allNames({ db, projectId }: QueryParts): Promise<{ number: number; name: string }[]> {
  const names = await query<{ number: number; name: string }>(
    db,
    sql`select number, name from event_names where project_id = ${projectId} limit ${MAX_NUMBERS + 1}`,
  );
  if (names.length > MAX_NUMBERS) throw new Unsupported('too many names');
  return names;
}

async function keysOfProperty(parts: QueryParts, name: string, span: Span, say: Say): Promise<Keys> {
  if (unreadProperties.has(name)) throw new Unsupported(name);
  const numbering = new Numbering();
  const places = await placesInGroups(parts, name, span, { numbering, say });
  places.push(...(await ownPlace(parts, name, span, { numbering, say })));
  return numbering.keys(firstOf(places));
}

/** The first place that says something. */
function firstOf(places: readonly Sql[]): Sql {
  if (places.length === 0) return sql`toInt64(0)`;
  return places.reduceRight((rest, place) => sql`if(${place} <> 0, ${place}, ${rest})`);
}

interface Saying {
  numbering: Numbering;
  say: Say;
}

/** Where groups of properties say it, kind by kind. */
async function placesInGroups(parts: QueryParts, name: string, span: Span, { numbering, say }: Saying): Promise<Sql[]> {
  const { db, projectId, house } = parts;
  const kinds = await query<{ kind: GroupKind }>(
    db,
    sql`select kind from unnest(${Object.keys(groupKinds)}::text[], ${Object.values(groupKinds)}::smallint[]) as kinds (kind, number)
         where exists (select from property_groups
                        where project_id = ${projectId} and property_groups.kind = kinds.number and properties ? ${name})`,
  );
  const places: Sql[] = [];
  for (const { kind } of kinds) {
    const column = sql.id(kind);
    const rows = await house.query<{ number: number }>(
      sql`select distinct ${column} as number from ${tableSql(parts, 'events')}
           where project_id = ${projectId} and ts >= ${span.from} and ts < ${span.until} and ${inDays(span)} and ${column} <> 0
           limit ${MAX_MEANINGS + 1}`,
    );
    const numbers = rows.map(({ number }) => number);
    const meaning = await readMeaning(parts, { kind, names: [name] }, numbers);
    const some = numbers.filter((number) => (meaning.texts[meaning.textOf(number)] ?? '') !== '');
    if (some.length === 0) continue;
    const texts = some.map((number) => numbering.of(say(meaning.texts[meaning.textOf(number)] as string)));
    places.push(mapped(column, some, texts));
  }
  return places;
}

/** Where it is in no group. */
async function ownPlace(parts: QueryParts, name: string, span: Span, { numbering, say }: Saying): Promise<Sql[]> {
  const values = await ownValues(parts, name, span);
  const reader = readerOf(parts.reading);
  const from: string[] = [];
  const to: number[] = [];
  for (const json of values) {
    const value = JSON.parse(json) as JsonValue;
    const text = value === null ? '' : say(value);
    if (text === '') continue;
    from.push(json);
    // What is divided into intervals is not read as a page.
    to.push(numbering.of(say === textOf ? reader.value(name, text) : text));
  }
  return from.length === 0 ? [] : [sql`toInt64(transform(properties[${name}], ${from}, ${to}, 0))`];
}

/** Persons have what is known of them now, and so do those who were merged into them. */
async function keysOfPersons(
  { db, projectId, reading }: QueryParts,
  name: string,
  { say, place }: Pick<Saying, 'say'> & { place: number },
): Promise<Keys> {
  const reader = readerOf(reading);
  const [besides] = reader.besides(name);
  const beside = besides === undefined ? sql`null` : sql`properties ->> ${besides}`;
  const rows = await query<{ number: number; value: string; beside: string | null }>(
    db,
    sql`with said as materialized (
          select number, properties ->> ${name} as value, ${beside} as beside from persons
           where project_id = ${projectId} and not merged and properties ->> ${name} is not null limit ${MAX_NUMBERS + 1})
        select number, value, beside from said
        union all
        select merged.old_person, value, beside
          from person_overrides as merged join said on said.number = merged.new_person
         where merged.project_id = ${projectId}
         limit ${MAX_NUMBERS + 1}`,
  );
  if (rows.length > MAX_NUMBERS) throw new Unsupported('too many persons');
  const numbering = new Numbering();
  const from = rows.map(({ number }) => number);
  const to = rows.map((row) => numbering.of(say(reader.value(name, row.value, [row.beside]))));
  if (!areMany(rows)) return numbering.keys(mapped(sql`events.person`, from, to));
  const alias = sql.id(`person_values_${place}`);
  return numbering.keys(
    sql`${alias}.said`,
    sql`left any join (${mappingRows(from, to)}) as ${alias} on ${alias}.id = events.person`,
  );
}

async function keysOfVisits(parts: QueryParts, name: string, span: Span, say: Say): Promise<Keys> {
  const field = sessionFieldNamed(name);
  if (field === undefined) throw invalid('breakdown', `"${name}" is not a visit property.`);
  const { house, projectId } = parts;
  const numbering = new Numbering();
  const visits = (said: Sql) => sql`
    select id, ${said} as said from ${tableSql(parts, 'sessions')} final
     where project_id = ${projectId} and first_ts < ${span.until} and last_ts >= ${span.from}`;
  const versions = (said: Sql) => sql`
    select distinct ${said} as said from ${tableSql(parts, 'sessions')}
     where project_id = ${projectId} and first_ts < ${span.until} and last_ts >= ${span.from} and deleted = 0`;
  const isNumber = field === 'seconds' || field === 'views';
  const column = isNumber
    ? sql`toInt64(${field === 'views' ? sql`views + screens` : sql`last_ts - first_ts`})`
    : visitColumn(visitProperties[field].column);
  // Also what earlier versions of visits said.
  const rows = await house.query<{ said: number }>(sql`${versions(column)} limit ${MAX_NUMBERS + 1}`);
  if (rows.length > MAX_NUMBERS) throw new Unsupported('too many visits');
  const said = rows.map((row) => row.said);
  const values = await valuesOfVisits(parts, field, said);
  const to = values.map((value) => numbering.of(value === '' ? '' : say(value)));
  const alias = sql.id(`visit_${field}`);
  const join = sql`left any join (${visits(column)}) as ${alias} on ${alias}.id = events.session_id`;
  return numbering.keys(sql`if(${alias}.id = 0, toInt64(0), ${mapped(sql`${alias}.said`, said, to)})`, join);
}

async function valuesOfVisits(
  parts: QueryParts,
  field: NonNullable<ReturnType<typeof sessionFieldNamed>>,
  said: readonly number[],
): Promise<(string | number)[]> {
  if (field === 'seconds' || field === 'views') {
    const { per } = visitNumbers[field];
    return said.map((number) => number / per);
  }
  const { column: _, ...property } = visitProperties[field];
  const meaning = await readMeaning(
    parts,
    property,
    said.filter((number) => number > 0),
  );
  return said.map((number) => meaning.texts[meaning.textOf(number)] ?? '');
}

/** Groups have what is known of them now; '' without a group, or where it was not described. */
async function keysOfGroups(parts: QueryParts, about: GroupSubject, name: string, span: Span, say: Say): Promise<Keys> {
  const { db, projectId } = parts;
  const numbering = new Numbering();
  const property = keyProperty(about);
  const values = await groupKeys(parts, about, span);
  const rows =
    name === GROUP_KEY
      ? values.map(({ key }) => ({ key, value: key }))
      : await query<{ key: string; value: string }>(
          db,
          sql`select key, properties ->> ${name} as value from groups
               where project_id = ${projectId} and type_index = ${groupTypeOf(about)}::smallint
                 and key = any(${values.map(({ key }) => key)}::text[]) and properties ->> ${name} is not null`,
        );
  const said = new Map(rows.map(({ key, value }) => [key, value]));
  const some = values.filter(({ key }) => (said.get(key) ?? '') !== '');
  if (some.length === 0) return numbering.keys(sql`toInt64(0)`);
  const to = some.map(({ key, value }) => numbering.of(say(name === GROUP_KEY ? value : (said.get(key) as string))));
  return numbering.keys(sql`toInt64(transform(properties[${property}], ${some.map(({ json }) => json)}, ${to}, 0))`);
}

/** Keys of the groups of a type with an event in a span, and as the events have them. */
export async function groupKeys(
  parts: QueryParts,
  about: GroupSubject,
  span: Span,
): Promise<{ json: string; value: JsonValue; key: string }[]> {
  const values = await ownValues(parts, keyProperty(about), span);
  return values.flatMap((json) => {
    const value = JSON.parse(json) as JsonValue;
    const key = value === null ? '' : textOf(value);
    return key === '' ? [] : { json, value, key };
  });
}

/** Properties with the page or screen of a view. */
const pageNames = ['$pathname', '$screen_name'] as const;

/** Pages and screens by name, custom events by theirs; all other events say nothing. */
async function keysOfSteps(parts: QueryParts, { of, views }: Step, span: Span): Promise<Keys> {
  const numbering = new Numbering();
  const pages: Sql[] = [];
  if (of !== 'events') {
    const reader = readerOf(parts.reading);
    const asPage = (value: JsonValue) => reader.value('$pathname', textOf(value));
    for (const name of pageNames) pages.push(...(await placesInGroups(parts, name, span, { numbering, say: textOf })));
    for (const name of pageNames) pages.push(...(await ownPlace(parts, name, span, { numbering, say: asPage })));
  }
  const names = await allNames(parts);
  const viewed = names.filter(({ name }) => views.includes(name)).map(({ number }) => number);
  const custom = of === 'pages' ? [] : names.filter(({ name }) => !views.includes(name) && !name.startsWith('$'));
  const to = custom.map(({ name }) => numbering.of(name));
  const byName = mapped(
    sql`event`,
    custom.map(({ number }) => number),
    to,
  );
  return numbering.keys(sql`if(has(${viewed.length === 0 ? [0] : viewed}, event), ${firstOf(pages)}, ${byName})`);
}

/** Several together: a list as JSON; of one alone its text. */
async function keysOfCombined(
  parts: QueryParts,
  { of }: Combined,
  span: Span,
  decimal: DecimalSeparator,
): Promise<Keys> {
  const all: Keys[] = [];
  for (const [place, one] of of.entries()) {
    if (one.about === 'cohort') all.push(await keysOfCohort(parts, one.name, span));
    else all.push(await keysOfSingle(parts, one, span, sayingOf(one, decimal), place));
  }
  const [only, ...others] = all as [Keys, ...Keys[]];
  if (others.length === 0) return only;
  const joins = all.map(({ join }) => join).filter((join) => join !== sql.empty);
  const size = all.reduce((product, each) => product * each.size, 1);
  if (size > MAX_SIZE) throw new Unsupported('too many combinations');
  const [number] = all.reduceRight<[Sql, number]>(
    ([sum, stride], each) => [sql`${sum} + ${each.number} * ${stride}`, stride * each.size],
    [sql`toInt64(0)`, 1],
  );
  return {
    number: sql`(${number})`,
    textOf(combined) {
      let rest = combined;
      const texts = all.toReversed().map((each) => {
        const own = rest % each.size;
        rest = Math.floor(rest / each.size);
        return each.textOf(own);
      });
      return JSON.stringify(texts.toReversed());
    },
    size,
    join: joins.length === 0 ? sql.empty : sql.join(joins, sql` `),
  };
}

/** Numbers by the interval that they lie in, where there are some. */
function sayingOf(one: Combined['of'][number], decimal: DecimalSeparator): Say {
  const edges = 'edges' in one ? one.edges : undefined;
  if (edges === undefined) return textOf;
  return (value) => {
    const number = numberOf(value, decimal);
    return Number.isNaN(number) ? '' : binText(edges, number);
  };
}

async function keysOfCohort(parts: QueryParts, name: string, span: Span): Promise<Keys> {
  const condition = { about: 'person' as const, name: COHORT, operator: 'equals' as const, values: [name] };
  const numbering = new Numbering();
  const isIn = await conditionSql(parts, condition, span);
  return numbering.keys(sql`if(${isIn}, toInt64(${numbering.of(name)}), toInt64(0))`);
}
