/**
 * Filters, as people set them, to conditions that chunks can be held against: property groups become masks of their numbers, persons and
 * visits lists, and patterns the texts that PostgreSQL finds them in.
 */
import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { type GroupKind, groupKinds } from '#src/events/contract.ts';
import { invalid } from '#src/kit/errors.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { isRead } from '#src/kit/reading/reader.ts';
import { sqlState } from '#src/store/db.ts';
import { query, sql } from '#src/store/sql.ts';
import { type FilterCondition, type Filters, unreadProperties } from '../contract.ts';
import { asRead, readCondition, textOf } from '../filters/condition-values.ts';
import { groupFit, personFit } from '../filters/filter-sql.ts';
import { type Fit, fitOf, fitTest } from '../filters/fits.ts';
import { isNegation, takesOf } from '../filters/operators.ts';
import { type GroupProperty, isFolded, visitNumbers, visitProperties } from '../filters/visit-fields.ts';
import type { SessionTest } from '../kernels/count-sessions.ts';
import { currentOf } from '../kernels/merges.ts';
import type { Condition } from '../kernels/select.ts';
import { type Gathered, IN_GROUPS } from '../snapshot/gather.ts';
import type { GatheredChunk } from '../snapshot/gathered-chunk.ts';
import type { Snapshot } from '../snapshot/snapshots.ts';
import type { Cache } from '../storage/cache.ts';
import { PROPERTY } from '../storage/encode.ts';
import type { ColumnBytes } from '../storage/format.ts';
import { entriesOf, numbersOf, openColumn } from '../storage/format.ts';
import {
  COHORT,
  GROUP_KEY,
  type GroupSubject,
  groupTypeOf,
  isGroupSubject,
  keyProperty,
  sessionFieldNamed,
} from '../values.ts';
import { cohortMembers } from './cohort-members.ts';
import { fittingPersons } from './fitting-persons.ts';
import type { Groups, NumberedColumn } from './groups.ts';
import { knownMatches, noteMatches } from './known-matches.ts';

/** A filter, ready. */
export interface Conditions {
  where: Condition;
  /** Visits that conditions name by number: to be found before. */
  finds: SessionTest[];
  /** True when the result for a chunk never changes, so that it can be cached. */
  isImmutable: boolean;
  /** Otherwise, when it is persons alone that make the difference: those it names, 1 for each. Null or absent: there is more. */
  persons?: readonly Uint8Array[] | null;
  /** How these are joined, where the filters do not tell: part of the key of results. */
  personsShape?: string;
  /** The same, as long as the visits that are found are the same. */
  isLastingByVisits?: boolean;
}

/** Columns and properties that a filter needs. */
export interface Needs {
  /** Of events. */
  columns: string[];
  properties: string[];
  sessionColumns: string[];
}

function isUncounted({ about, name }: FilterCondition): boolean {
  return about === 'event' && unreadProperties.has(name);
}

/** @throws AppError `invalid` for conditions that cannot be */
export function needsOf(filters: Filters): Needs {
  const needs: Needs = { columns: [], properties: [], sessionColumns: [] };
  for (const condition of leavesOf(filters)) {
    if (isUncounted(condition)) {
      throw invalid('filters', `Metrics can’t be filtered by "${condition.name}". Use the Events list instead.`);
    }
    fitOf(condition, []);
    if (condition.about === 'person') needs.columns.push('person');
    else if (condition.about === 'event') {
      needs.columns.push(IN_GROUPS + condition.name);
      needs.properties.push(condition.name);
    } else if (isGroupSubject(condition.about)) {
      needs.columns.push(condition.about);
      needs.properties.push(keyProperty(condition.about));
    } else {
      needs.columns.push('session');
      needs.sessionColumns.push(fieldOf(condition).column);
    }
  }
  return needs;
}

export interface ConditionParts {
  client: ClientBase;
  projectId: number;
  groups: Groups;
  gathered: Gathered;
  cache: Cache;
  /** Runs once per snapshot; absent: the snapshot is not shared. */
  once?: Snapshot['once'];
}

/**
 * @param finds what it finds is added to these
 * @throws AppError `invalid` for a pattern that PostgreSQL does not understand
 */
export async function conditionsOf(
  parts: ConditionParts,
  filters: Filters,
  finds: SessionTest[] = [],
): Promise<Conditions> {
  const leaves = leavesOf(filters);
  const persons: Uint8Array[] = [];
  const one = async (condition: FilterCondition): Promise<Condition> => {
    const positive = await positiveOf(parts, condition, finds);
    if (condition.about === 'person' && 'mask' in positive) persons.push(positive.mask);
    return isNegation(condition.operator) ? { not: positive } : positive;
  };
  const list = async (each: {
    match: 'all' | 'any';
    of: readonly (FilterCondition | Filters)[];
  }): Promise<Condition> => {
    const conditions: Condition[] = [];
    for (const item of each.of) conditions.push('match' in item ? await list(item) : await one(item));
    if (conditions.length === 0) return { all: [] };
    return each.match === 'all' ? { all: conditions } : { any: conditions };
  };
  const where = await list(filters);
  return {
    where,
    finds,
    isImmutable: leaves.every(({ about }) => about === 'event'),
    isLastingByVisits: leaves.every(({ about }) => about === 'event' || about === 'session'),
    persons: leaves.every(({ about }) => about === 'event' || about === 'person') ? persons : null,
  };
}

function leavesOf({ of }: Filters): FilterCondition[] {
  return of.flatMap((item) => ('match' in item ? leavesOf(item) : [item]));
}

async function positiveOf(parts: ConditionParts, condition: FilterCondition, finds: SessionTest[]): Promise<Condition> {
  if (condition.about === 'person') {
    const { once = (_, make) => make() } = parts;
    const name = personsKey(parts, condition);
    return { column: 'person', mask: await once(name, () => personMask({ ...parts, once }, condition)) };
  }
  if (condition.about === 'event')
    return { any: await eventConditions(parts, readCondition(parts.gathered.reader, condition)) };
  if (isGroupSubject(condition.about)) {
    return { column: condition.about, mask: await groupMask(parts, condition.about, condition) };
  }
  const field = fieldOf(condition);
  if ('per' in field) {
    const texts = takesOf(condition.operator) === 'pattern' ? [] : null;
    finds.push({ column: field.column, per: field.per, fit: fitOf(condition, texts ?? []) });
  } else {
    const { column, ...property } = field;
    const values = await groupValues(parts, property, parts.gathered.sessions, column);
    const read = asRead(parts.gathered.reader, condition, property);
    finds.push({ column, mask: await maskOf(parts, values, read, isFolded(property)) });
  }
  return { sessions: finds.length - 1 };
}

/** One condition for each place where the property may be. */
async function eventConditions(parts: ConditionParts, condition: FilterCondition): Promise<Condition[]> {
  const { events } = parts.gathered;
  const places: Condition[] = [];
  for (const kind of groupKindsOf(parts.gathered, condition.name)) {
    const values = await groupValues(parts, { kind, names: [condition.name] }, events, kind);
    if (values.some((value) => value !== undefined)) {
      places.push({ column: kind, mask: await maskOf(parts, values, condition) });
    }
  }
  const column = PROPERTY + condition.name;
  const sent = () => events.flatMap(({ columns }) => valuesIn(columns[column]));
  if (isRead(parts.gathered.reader, condition.name))
    places.push({ column, fit: await pageFit(parts, condition, sent()) });
  else {
    const texts = takesOf(condition.operator) === 'pattern' ? await matching(parts, condition, sent().map(textOf)) : [];
    places.push({ column, fit: fitOf(condition, texts) });
  }
  return places;
}

/** Threads compare what was sent: of a page, all that is read as one that fits. */
async function pageFit(parts: ConditionParts, condition: FilterCondition, sent: readonly JsonValue[]): Promise<Fit> {
  if (takesOf(condition.operator) === 'nothing') return fitOf(condition, []);
  const { reader } = parts.gathered;
  const read = sent.map((value) => reader.value(condition.name, value));
  const texts = takesOf(condition.operator) === 'pattern' ? await matching(parts, condition, read.map(textOf)) : [];
  const test = fitTest(fitOf(condition, texts));
  const fitting = sent.filter((_, at) => test(read[at]));
  return { equals: [...new Set(fitting.map(textOf))] };
}

/** The gathered group kinds that contain a property. */
export function groupKindsOf({ groupKinds: known }: Gathered, name: string): readonly GroupKind[] {
  const found = known.get(name);
  if (found === undefined) throw new Error(`groups with ${name} were not loaded`);
  return found;
}

async function groupValues(
  { client, projectId, groups, gathered }: ConditionParts,
  property: GroupProperty,
  chunks: readonly GatheredChunk[],
  column: string,
): Promise<readonly (JsonValue | undefined)[]> {
  const from = groupsFrom(gathered, projectId, property.kind);
  return (await groups.values(client, from, property, numberedBy(chunks, column))).byNumber;
}

/** Arguments of `groups.values` for a group kind. */
export function groupsFrom({ groupVersions, reader }: Gathered, projectId: number, kind: GroupKind | 'event') {
  return { projectId, reader, version: kind === 'event' ? 0 : (groupVersions.get(groupKinds[kind]) ?? 0) };
}

/** The columns of chunks as `groups.values` takes them. */
export function numberedBy(chunks: readonly GatheredChunk[], column: string): NumberedColumn[] {
  return chunks.map(({ id, columns }) => ({
    key: id === null || id < 0 ? null : `${id} ${column}`,
    numbers: () => {
      const bytes = columns[column];
      return bytes === undefined ? [] : (numbersOf(bytes) ?? []);
    },
  }));
}

/**
 * Mask in shared memory: 1 for each number with a matching value.
 * @param isFolded case-insensitive patterns
 */
async function maskOf(
  parts: ConditionParts,
  values: readonly (JsonValue | undefined)[],
  condition: FilterCondition,
  isFolded = false,
): Promise<Uint8Array> {
  const there = values.filter((value) => value !== undefined);
  const texts =
    takesOf(condition.operator) === 'pattern' ? await matching(parts, condition, there.map(textOf), isFolded) : [];
  const test = fitTest(fitOf(condition, texts));
  const mask = new Uint8Array(new SharedArrayBuffer(values.length));
  for (let number = 0; number < mask.length; number++) mask[number] = test(values[number]) ? 1 : 0;
  return mask;
}

function valuesIn(bytes: ColumnBytes | undefined): JsonValue[] {
  if (bytes === undefined) return [];
  return entriesOf(openColumn(bytes)).filter((value) => value !== undefined);
}

/** Texts that match the pattern. Users' patterns are evaluated by PostgreSQL, with its timeout. */
async function matching(
  { client }: ConditionParts,
  condition: FilterCondition,
  texts: string[],
  isFolded = false,
): Promise<string[]> {
  const distinct = [...new Set(texts)].filter((text) => !text.includes('\0'));
  if (distinct.length === 0) return [];
  const pattern = textOf(condition.values[0] as string);
  const known = knownMatches(`${isFolded} ${pattern}`);
  const unknown = distinct.filter((text) => !known.has(text));
  if (unknown.length > 0) {
    const rows = await tried(
      query<{ place: number }>(
        client,
        sql`select place::int as place
              from unnest(${unknown}::text[]) with ordinality as given (text, place)
             where text ${isFolded ? sql`~*` : sql`~`} ${pattern}`,
      ),
    );
    noteMatches(known, unknown, new Set(rows.map(({ place }) => unknown[place - 1] as string)));
  }
  return distinct.filter((text) => known.get(text));
}

async function tried<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (sqlState(error) === '2201B')
      throw invalid('filters', 'Invalid regular expression. Check the brackets and stars.');
    throw error;
  }
}

/** Mask of matching persons, over all their numbers. The same array while the result is the same. */
async function personMask(parts: Required<ConditionParts>, condition: FilterCondition): Promise<Uint8Array> {
  const { mergedInto } = parts.gathered;
  if (condition.name === COHORT) {
    const mask = personsMask(await cohortMembers(parts, condition), mergedInto);
    return sameMask(parts, ['cohort', condition.values], mask);
  }
  const test = personFit(parts.gathered.reader, condition);
  const numbers = await tried(fittingPersons(parts, personsKey(parts, condition), test));
  const made = masks.get(numbers);
  if (made !== undefined && made.mergedInto === mergedInto) return made.mask;
  const mask = personsMask(numbers, mergedInto);
  masks.set(numbers, { mergedInto, mask });
  return mask;
}

/** Mask of matching groups, over the numbers of all that were read. A group without stored properties has its key alone. */
async function groupMask(parts: ConditionParts, about: GroupSubject, condition: FilterCondition): Promise<Uint8Array> {
  const { client, projectId, gathered } = parts;
  const own = gathered.groupNumbers.get(about);
  if (own === undefined) throw new Error(`the numbers of ${about} were not gathered`);
  if (condition.name === GROUP_KEY) {
    return maskOf(
      parts,
      own.keys.map((key) => key || undefined),
      condition,
    );
  }
  const test = groupFit(gathered.reader, condition);
  const rows = await tried(
    query<{ key: string }>(
      client,
      sql`select key from groups
           where project_id = ${projectId} and type_index = ${groupTypeOf(about)}::smallint and ${test}`,
    ),
  );
  const mask = new Uint8Array(new SharedArrayBuffer(own.keys.length));
  for (const { key } of rows) {
    const number = own.numbers.get(key);
    if (number !== undefined) mask[number] = 1;
  }
  return mask;
}

/** Differs where the condition, or the rules by which it is read, do. */
function personsKey({ gathered }: Pick<ConditionParts, 'gathered'>, condition: FilterCondition): string {
  return `persons ${JSON.stringify(condition)} ${gathered.reader.key}`;
}

/** Masks by their source list. */
const masks = new WeakMap<Int32Array, { mergedInto: Int32Array | null; mask: Uint8Array }>();

/** 1 for all numbers that these persons ever had, in memory that all threads see. @param numbers also such as were merged */
export function personsMask(numbers: Int32Array, mergedInto: Int32Array | null): Uint8Array {
  const now = numbers.map((number) => currentOf(mergedInto, number));
  const size = now.reduce((most, number) => Math.max(most, number + 1), mergedInto?.length ?? 0);
  const mask = new Uint8Array(new SharedArrayBuffer(size));
  for (const number of now) mask[number] = 1;
  mergedInto?.forEach((survivor, number) => {
    if (survivor !== 0) mask[number] = mask[survivor] as number;
  });
  return mask;
}

/**
 * The mask, or the one before it of the same name if that is equal: digests of masks are known by the array.
 * @param name differs where other persons are meant
 */
export function sameMask(
  { cache, projectId }: Pick<ConditionParts, 'cache' | 'projectId'>,
  name: unknown,
  mask: Uint8Array,
): Uint8Array {
  const key = `mask of ${projectId} ${createHash('sha1').update(JSON.stringify(name)).digest('base64')}`;
  const before = cache.get<Uint8Array>(key);
  if (before !== undefined && Buffer.compare(before, mask) === 0) return before;
  cache.set(key, mask, mask.byteLength);
  return mask;
}

/** How a field of visits is stored. @throws AppError `invalid` for one that does not exist */
export function fieldOf({ name }: Pick<FilterCondition, 'name'>) {
  const known = sessionFieldNamed(name);
  if (known === undefined) throw invalid('filters', `"${name}" is not a visit property.`);
  return { ...visitNumbers, ...visitProperties }[known];
}
