/**
 * Values of properties that are in groups, by the group's number, and names of events by theirs: read once, then only for numbers that
 * were not there yet. Groups never change but for what is derived again, which is marked.
 */
import { groupKinds } from '#src/events/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { Reader } from '#src/kit/reading/reader.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { textOf } from '../filters/condition-values.ts';
import { sentSql } from '../filters/filter-sql.ts';
import { sourceName } from '../filters/source-names.ts';
import { besideText, type GroupProperty, widthClass } from '../filters/visit-fields.ts';

/** One property of one kind of group. */
export interface GroupValues {
  /** Undefined for groups without it. */
  byNumber: (JsonValue | undefined)[];
  /** For each group the number of its value's text; 0 for groups without it. In shared memory. */
  textOf: Int32Array<SharedArrayBuffer>;
  /** The texts by their numbers. */
  texts: string[];
  /** Differs from that of any other reading that numbers texts otherwise. */
  serial: number;
}

/** Meaning of the numbers: a group property, or event names. */
export type Reading = GroupProperty | { kind: 'event' };

interface Kept extends GroupValues {
  version: number;
  textNumbers: Map<string, number>;
  /** Columns with only known numbers. */
  checked: Set<string>;
  isKnown: Uint8Array;
}

/** A column of group numbers. */
export interface NumberedColumn {
  /** Unique and immutable key; null: its chunk is not stored. */
  key: string | null;
  numbers(): ArrayLike<number>;
}

export interface Groups {
  /** @param from project, reader and `version` of the groups of this kind */
  values(
    client: Queryable,
    from: { projectId: number; reader: Reader; version: number },
    reading: Reading,
    columns: readonly NumberedColumn[],
  ): Promise<GroupValues>;
  /** Numbers of the texts of several readings, by their serials: a text keeps its number. '' has 0. */
  numbering(serials: readonly number[]): Map<string, number>;
}

const MAX_KEPT = 100;

export function createGroups(): Groups {
  const kept = new Map<string, Kept>();
  const numberings = new Map<string, Map<string, number>>();
  let serials = 0;

  function keptFor(key: string, version: number, missing: string | undefined): Kept {
    const found = kept.get(key);
    kept.delete(key);
    const entry = found?.version === version ? found : empty(version, ++serials, missing);
    kept.set(key, entry);
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
    return entry;
  }

  return {
    async values(client, { projectId, reader, version }, reading, columns) {
      const missingText = 'missing' in reading ? reading.missing : undefined;
      const entry = keptFor(`${projectId} ${JSON.stringify(reading)} ${reader.key}`, version, missingText);
      const fresh = columns.filter(({ key }) => key === null || !entry.checked.has(key));
      const missing = missingOf(fresh, entry.isKnown);
      if (missing.length > 0) add(entry, await read(client, { projectId, reader }, reading, missing), reading, reader);
      for (const { key } of fresh) if (key !== null) entry.checked.add(key);
      return { ...entry };
    },
    numbering(serialsOf) {
      const key = serialsOf.join();
      const numbers = numberings.get(key) ?? new Map([['', 0]]);
      numberings.delete(key);
      numberings.set(key, numbers);
      for (const oldest of numberings.keys()) if (numberings.size > MAX_KEPT) numberings.delete(oldest);
      return numbers;
    },
  };
}

/** Distinct unknown numbers. Most of a chunk's are in others, too: a byte per number is faster than a set. */
function missingOf(columns: readonly NumberedColumn[], isKnown: Uint8Array): number[] {
  const missing: number[] = [];
  if (columns.length === 0) return missing;
  let isNoted = isKnown.slice();
  for (const { numbers } of columns) {
    const list = numbers();
    for (let at = 0; at < list.length; at++) {
      const number = list[at] as number;
      if (number >= isNoted.length) {
        const longer = new Uint8Array(number * 2);
        longer.set(isNoted);
        isNoted = longer;
      }
      if (number === 0 || isNoted[number] === 1) continue;
      isNoted[number] = 1;
      missing.push(number);
    }
  }
  return missing;
}

/** @param missing text of a missing value */
function empty(version: number, serial: number, missing: string | undefined): Kept {
  const none = missing ?? '';
  return {
    version,
    serial,
    byNumber: missing === undefined ? [] : [missing],
    checked: new Set(),
    texts: [none],
    textNumbers: new Map([[none, 0]]),
    isKnown: new Uint8Array(0),
    textOf: new Int32Array(new SharedArrayBuffer(0)),
  };
}

/** Groups that say the same: mostly there are many. */
interface Row {
  numbers: number[];
  value: JsonValue;
}

function read(
  client: Queryable,
  { projectId, reader }: { projectId: number; reader: Reader },
  reading: Reading,
  numbers: number[],
): Promise<Row[]> {
  if (reading.kind === 'event') {
    return query(
      client,
      sql`select array[number] as numbers, to_jsonb(name) as value from event_names
           where project_id = ${projectId} and number = any(${numbers}::int[])`,
    );
  }
  const own = sentSql(reading);
  const others = othersOf(reader, reading).map((name) => sql`properties -> ${name}`);
  const value = others.length === 0 ? own : sql`jsonb_build_array(${sql.join([own, ...others])})`;
  return query(
    client,
    sql`select array_agg(number) as numbers, ${value} as value
          from property_groups
         where project_id = ${projectId} and kind = ${groupKinds[reading.kind]}::smallint
           and number = any(${numbers}::int[])
         group by 2`,
  );
}

/** Adds rows; arrays that others hold are not modified. */
function add(entry: Kept, rows: readonly Row[], reading: Reading, reader: Reader): void {
  let most = entry.isKnown.length - 1;
  for (const { numbers: own } of rows) for (const number of own) most = Math.max(most, number);
  const isKnown = new Uint8Array(most + 1);
  isKnown.set(entry.isKnown);
  const numbers = new Int32Array(new SharedArrayBuffer((most + 1) * 4));
  numbers.set(entry.textOf);
  for (const { numbers: own, value: sent } of rows) {
    for (const number of own) isKnown[number] = 1;
    const value = asRead(sent, reading, reader);
    if (value === null) continue;
    for (const number of own) entry.byNumber[number] = value;
    const text = textOf(value);
    let place = entry.textNumbers.get(text);
    if (place === undefined) {
      place = entry.texts.length;
      entry.texts.push(text);
      entry.textNumbers.set(text, place);
    }
    for (const number of own) numbers[number] = place;
  }
  Object.assign(entry, { isKnown, textOf: numbers });
}

/** Additional properties to read: those of `beside`, then those that the reader needs. */
function othersOf(reader: Reader, { beside, names: [name = ''] }: GroupProperty): string[] {
  return [...(beside === undefined ? [] : [beside]), ...reader.besides(name)];
}

/** The normalized value; null when the group has none. */
function asRead(sent: JsonValue, reading: Reading, reader: Reader): JsonValue {
  if (reading.kind === 'event') return sent;
  const { as, missing, beside, names } = reading;
  const [name = ''] = names;
  const [own = null, ...others] = othersOf(reader, reading).length === 0 ? [sent] : (sent as JsonValue[]);
  const said = reader.value(name, own, beside === undefined ? others : others.slice(1));
  if (beside !== undefined) {
    const [other = null] = others;
    return besideText(saidText(reader.value(beside, other)), saidText(said));
  }
  const value = said === null || as === undefined ? said : readings[as](said);
  if (missing === undefined) return value;
  return value === null || value === '' ? missing : value;
}

function saidText(value: JsonValue): string {
  return value === null ? '' : textOf(value);
}

const readings: Record<NonNullable<GroupProperty['as']>, (sent: JsonValue) => JsonValue> = {
  folded: (sent) => textOf(sent).toLowerCase(),
  width: widthClass,
  source: (sent) => sourceName(textOf(sent)),
  // Put together in SQL.
  region: (sent) => sent,
  city: (sent) => sent,
};
