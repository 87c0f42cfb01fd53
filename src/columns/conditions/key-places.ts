/** Breakdown of events: by event property, in any storage, current person property, or event name. */

import type { ClientBase } from 'pg';
import type { GroupKind } from '#src/events/contract.ts';
import { invalid } from '#src/kit/errors.ts';
import { byBytes } from '#src/kit/order.ts';
import { isRead, type Reader } from '#src/kit/reading/reader.ts';
import { query, sql } from '#src/store/sql.ts';
import type { SessionField } from '../contract.ts';
import type { Key, KeyPlace } from '../kernels/row-keys.ts';
import { intsOf } from '../kernels/shared.ts';
import { type Gathered, IN_GROUPS } from '../snapshot/gather.ts';
import { PROPERTY } from '../storage/encode.ts';
import {
  GROUP_KEY,
  type GroupSubject,
  groupTypeOf,
  isGroupSubject,
  keyProperty,
  sessionFieldNamed,
} from '../values.ts';
import { fieldOf, groupKindsOf, groupsFrom, type Needs, numberedBy } from './conditions.ts';
import type { Groups, GroupValues, Reading } from './groups.ts';

/**
 * A breakdown; missing values have the text ''. `step`: pages and screens by name, custom events (without a leading `$`)
 * by event name; others are missing.
 */
export type Breakdown =
  | SingleBreakdown
  | { about: 'step'; of: StepKind; views: readonly string[] }
  | { about: 'combined'; of: readonly CombinedBreakdown[] };
type SingleBreakdown = { about: 'event' | 'person' | 'session' | GroupSubject; name: string } | { about: 'name' };
/** One of several: maybe by intervals of its numbers, which begin at `edges`; or whether persons are in a cohort. */
export type CombinedBreakdown =
  | { about: 'event' | 'person' | 'session' | GroupSubject; name: string; edges?: readonly number[] | undefined }
  | { about: 'name' }
  | { about: 'cohort'; name: string };
export type StepKind = 'pages' | 'events' | 'all';

export interface KeyPlaces {
  places: KeyPlace[];
  /** The texts that numbers of keys stand for. */
  texts: readonly string[];
  /** How texts are read that are keys themselves; absent: as they were sent. */
  read?: (text: string) => string;
  /** Part of the cache key of partial results; null: not cacheable. */
  key: string | null;
  /** The column with all values, as sent: threads can rank them. Absent: values are in several places, or normalized. */
  property?: string;
}

/** Texts with rows, and the row of each key. */
export interface RankedKeys {
  texts: string[];
  /** How many texts there are. */
  values: number;
  rowOf: Map<Key, number>;
}

interface Parts {
  client: ClientBase;
  projectId: number;
  groups: Groups;
  gathered: Gathered;
}

/** Event columns and properties that a breakdown needs. */
export function needsOfBreakdown(by: Breakdown | null): Needs {
  if (by === null) return { columns: [], properties: [], sessionColumns: [] };
  if (by.about === 'combined') {
    const needs = by.of.map((one) =>
      needsOfBreakdown(one.about === 'cohort' ? { about: 'person', name: one.name } : one),
    );
    return {
      columns: needs.flatMap(({ columns }) => columns),
      properties: needs.flatMap(({ properties }) => properties),
      sessionColumns: needs.flatMap(({ sessionColumns }) => sessionColumns),
    };
  }
  if (by.about === 'session') return { ...none, columns: ['session'], sessionColumns: [fieldOf(by).column] };
  if (isGroupSubject(by.about)) return { ...none, columns: [by.about], properties: [keyProperty(by.about)] };
  if (by.about === 'event') return { ...none, columns: [IN_GROUPS + by.name], properties: [by.name] };
  if (by.about === 'step') {
    return { ...none, columns: ['event', ...pageNames.map((name) => IN_GROUPS + name)], properties: [...pageNames] };
  }
  return { ...none, columns: [by.about === 'name' ? 'event' : 'person'] };
}

const none: Needs = { columns: [], properties: [], sessionColumns: [] };

/** The fields of visits that a breakdown reads. @throws AppError `invalid` for one that does not exist */
export function visitFieldsOf(by: Breakdown | null): SessionField[] {
  const parts = by === null ? [] : by.about === 'combined' ? by.of : [by];
  return [...new Set(parts.flatMap((each) => (each.about === 'session' ? [visitFieldOf(each.name)] : [])))];
}

function visitFieldOf(name: string): SessionField {
  const field = sessionFieldNamed(name);
  if (field === undefined) throw invalid('breakdown', `"${name}" is not a visit property.`);
  return field;
}

/** The column of events with what their visit says. */
export function visitKeyColumn(field: SessionField): string {
  return `visit ${field}`;
}

/** Properties with the page or screen of a view. */
const pageNames = ['$pathname', '$screen_name'] as const;

export async function keyPlacesOf(parts: Parts, by: Exclude<Breakdown, { about: 'combined' }>): Promise<KeyPlaces> {
  if (by.about === 'person') return placesOfPersons(parts, by.name);
  if (by.about === 'name') return placesOfGroups(parts, await readings(parts, ['event'], () => ({ kind: 'event' })));
  if (by.about === 'step') return placesOfSteps(parts, by);
  if (by.about === 'session') {
    const property = visitKeyColumn(visitFieldOf(by.name));
    return { places: [{ property }], texts: [''], key: null };
  }
  if (by.about !== 'event') {
    if (by.name !== GROUP_KEY) return placesOfGroupProperty(parts, by.about, by.name);
    const property = PROPERTY + keyProperty(by.about);
    return { places: [{ property }], texts: [''], property, key: property };
  }
  const { places, texts, key } = placesOfGroups(parts, await saidInGroups(parts, by.name));
  const property = PROPERTY + by.name;
  // Without groups, the property alone identifies the breakdown.
  const isAlone = places.length === 0 && !isRead(parts.gathered.reader, by.name);
  return {
    texts,
    ...(isAlone && { property }),
    read: readOf(parts.gathered.reader, by.name),
    key: key && `${key} ${property}`,
    places: [...places, { property }],
  };
}

async function saidInGroups(parts: Parts, name: string): Promise<Read[]> {
  const kinds = groupKindsOf(parts.gathered, name);
  const found = await readings(parts, kinds, (kind) => ({ kind: kind as GroupKind, names: [name] }));
  return found.filter(({ values }) => values.texts.length > 1);
}

async function placesOfSteps(parts: Parts, { of, views }: Extract<Breakdown, { about: 'step' }>): Promise<KeyPlaces> {
  const [events] = (await readings(parts, ['event'], () => ({ kind: 'event' }))) as [Read];
  const pages: Read[] = [];
  for (const name of of === 'events' ? [] : pageNames) pages.push(...(await saidInGroups(parts, name)));
  const { places, texts, key, numberOf } = placesOfGroups(parts, [
    events,
    ...pages,
    ...(pages.length === 0 ? [events] : []),
  ]);
  // Other events are excluded first.
  const none = numberOf(NO_STEP);
  const [names, ...others] = places as [{ column: string; values: Int32Array }, ...KeyPlace[]];
  const own = names.values.map((number) => {
    const name = texts[number] ?? '';
    if (views.includes(name)) return of === 'events' ? none : 0;
    return of === 'pages' || name.startsWith('$') ? none : number;
  });
  return {
    places: [
      { column: 'event', values: intsOf(own) },
      ...(pages.length === 0 ? [] : others),
      ...(of === 'events' ? [] : pageNames.map((name) => ({ property: PROPERTY + name }))),
    ],
    texts: [...texts.slice(0, none), '', ...texts.slice(none + 1)],
    read: readOf(parts.gathered.reader, '$pathname'),
    key: key && `${JSON.stringify([of, views, pages.length === 0])} ${key}`,
  };
}

/** Stands for events that are no step. Stored texts cannot contain NUL. */
const NO_STEP = '\0';

interface Read {
  column: string;
  values: GroupValues;
}

async function readings(
  { client, projectId, groups, gathered }: Parts,
  columns: readonly string[],
  readingOf: (column: string) => Reading,
): Promise<Read[]> {
  const found: Read[] = [];
  for (const column of columns) {
    const reading = readingOf(column);
    const from = groupsFrom(gathered, projectId, reading.kind);
    const numbered = numberedBy(gathered.events, column);
    found.push({ column, values: await groups.values(client, from, reading, numbered) });
  }
  return found;
}

/** Numbers texts over several places. */
function placesOfGroups(
  { groups }: Parts,
  found: readonly Read[],
): Pick<KeyPlaces, 'places' | 'texts' | 'key'> & { numberOf(text: string): number } {
  const [only, ...more] = found;
  const serials = found.map(({ column, values }) => `${column} ${values.serial}`);
  const numbers = groups.numbering(found.map(({ values }) => values.serial));
  const numberOf = (text: string): number => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  if (only === undefined) return { places: [], texts: [''], key: 'own', numberOf };
  if (more.length === 0) {
    const { column, values } = only;
    return { places: [{ column, values: values.textOf }], texts: values.texts, key: serials.join(), numberOf };
  }
  const places = found.map(({ column, values }) => {
    const own = values.texts.map(numberOf);
    return { column, values: intsOf(Array.from(values.textOf, (number) => own[number] ?? 0)) };
  });
  return { places, texts: [...numbers.keys()], key: serials.join(), numberOf };
}

/** Values of persons; merged persons have those of their current person. */
async function placesOfPersons({ client, projectId, gathered }: Parts, name: string): Promise<KeyPlaces> {
  const [besides] = gathered.reader.besides(name);
  const beside = besides === undefined ? sql`null` : sql`properties ->> ${besides}`;
  const rows = await query<{ number: number; value: string; beside: string | null }>(
    client,
    sql`select number, properties ->> ${name} as value, ${beside} as beside from persons
         where project_id = ${projectId} and not merged and properties ->> ${name} is not null`,
  );
  const { mergedInto } = gathered;
  const most = rows.reduce((max, { number }) => Math.max(max, number), (mergedInto?.length ?? 1) - 1);
  const values = new Int32Array(new SharedArrayBuffer((most + 1) * 4));
  const numbers = new Map<string, number>([['', 0]]);
  for (const { number, value: sent, beside: said } of rows) {
    const value = gathered.reader.value(name, sent, [said]);
    const known = numbers.get(value) ?? numbers.size;
    numbers.set(value, known);
    values[number] = known;
  }
  mergedInto?.forEach((survivor, number) => {
    if (survivor !== 0) values[number] = values[survivor] as number;
  });
  return { places: [{ column: 'person', values }], texts: [...numbers.keys()], key: null };
}

/** Values of groups as they are now; '' without a group, or where it was not described. */
async function placesOfGroupProperty(
  { client, projectId, gathered }: Parts,
  about: GroupSubject,
  name: string,
): Promise<KeyPlaces> {
  const own = gathered.groupNumbers.get(about);
  if (own === undefined) throw new Error(`the numbers of ${about} were not gathered`);
  const rows = await query<{ key: string; value: string }>(
    client,
    sql`select key, properties ->> ${name} as value from groups
         where project_id = ${projectId} and type_index = ${groupTypeOf(about)}::smallint and properties ->> ${name} is not null`,
  );
  const values = new Int32Array(new SharedArrayBuffer(own.keys.length * 4));
  const numbers = new Map<string, number>([['', 0]]);
  for (const { key, value } of rows) {
    const group = own.numbers.get(key);
    if (group === undefined) continue;
    const known = numbers.get(value) ?? numbers.size;
    numbers.set(value, known);
    values[group] = known;
  }
  return { places: [{ column: about, values }], texts: [...numbers.keys()], key: null };
}

/** The text of a key. */
export function textOfKey({ texts, read }: Pick<KeyPlaces, 'texts' | 'read'>, key: Key): string {
  if (typeof key === 'number') return texts[key] ?? '';
  return read === undefined ? key : read(key);
}

function readOf(reader: Reader, property: string): (text: string) => string {
  return (text) => reader.value(property, text);
}

/** The texts of most events, and which row each key belongs to; those of as many events in the order of their bytes. */
export function rankKeys(
  places: Pick<KeyPlaces, 'texts' | 'read'>,
  counts: ReadonlyMap<Key, number>,
  most: number,
): RankedKeys {
  const byText = new Map<string, number>();
  for (const [key, count] of counts) {
    const text = textOfKey(places, key);
    byText.set(text, (byText.get(text) ?? 0) + count);
  }
  const ranked = [...byText].filter(([, count]) => count > 0).sort(byCount);
  const shown = ranked.slice(0, most);
  const rows = new Map(shown.map(([text], row) => [text, row]));
  const rowOf = new Map<Key, number>();
  for (const key of counts.keys()) {
    const row = rows.get(textOfKey(places, key));
    if (row !== undefined) rowOf.set(key, row);
  }
  const texts = shown.map(([text]) => text);
  return { texts, values: ranked.length, rowOf };
}

function byCount([one, count]: [string, number], [other, otherCount]: [string, number]): number {
  return otherCount - count || byBytes(one, other);
}
