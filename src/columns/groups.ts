/**
 * Values of properties that are in groups, by the group's number: read once, then only for numbers that were not there yet. Groups
 * never change but for what is derived again, which is marked.
 */
import type { ClientBase } from 'pg';
import { type GroupKind, groupKinds } from '#src/events/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { query, sql } from '#src/store/sql.ts';
import { textOf } from './fits.ts';

/** One property of one kind of group. */
export interface GroupValues {
  /** Undefined for groups without it. */
  byNumber: (JsonValue | undefined)[];
  /** For each group its value as a text, by number of the text; 0 for ''. In memory that all threads see. */
  textOf: Int32Array<SharedArrayBuffer>;
  /** The texts by their numbers. */
  texts: string[];
  /** Differs from that of any other reading that numbers texts otherwise. */
  serial: number;
}

interface Kept extends GroupValues {
  version: number;
  textNumbers: Map<string, number>;
  /** Chunks all of whose groups are known. */
  checked: Set<number>;
  isKnown: Uint8Array;
}

/** Which groups a question is about. */
export interface NumberedChunk {
  /** Null: not stored. */
  id: number | null;
  /** Numbers in the chunk's column. */
  numbers(): ArrayLike<number>;
}

export interface Groups {
  /**
   * @param names the first of these that a group has
   * @param version of the groups of this kind
   */
  values(
    client: ClientBase,
    projectId: number,
    kind: GroupKind,
    names: readonly string[],
    version: number,
    chunks: readonly NumberedChunk[],
  ): Promise<GroupValues>;
}

const MOST_KEPT = 100;

export function createGroups(): Groups {
  const kept = new Map<string, Kept>();
  let serials = 0;

  function keptFor(key: string, version: number): Kept {
    const found = kept.get(key);
    kept.delete(key);
    const entry = found?.version === version ? found : empty(version, ++serials);
    kept.set(key, entry);
    for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
    return entry;
  }

  return {
    async values(client, projectId, kind, names, version, chunks) {
      const entry = keptFor(`${projectId} ${kind} ${names.join(' ')}`, version);
      const missing = new Set<number>();
      const fresh = chunks.filter(({ id }) => id === null || !entry.checked.has(id));
      for (const { numbers } of fresh) {
        const list = numbers();
        for (let at = 0; at < list.length; at++) {
          const number = list[at] as number;
          if (number !== 0 && entry.isKnown[number] !== 1) missing.add(number);
        }
      }
      if (missing.size > 0) add(entry, await read(client, projectId, kind, names, [...missing]));
      for (const { id } of fresh) if (id !== null) entry.checked.add(id);
      return { ...entry };
    },
  };
}

function empty(version: number, serial: number): Kept {
  return {
    ...{ version, serial, byNumber: [], texts: [''], textNumbers: new Map([['', 0]]), checked: new Set() },
    ...{ isKnown: new Uint8Array(0), textOf: new Int32Array(new SharedArrayBuffer(0)) },
  };
}

interface Row {
  number: number;
  value: JsonValue;
}

function read(
  client: ClientBase,
  projectId: number,
  kind: GroupKind,
  names: readonly string[],
  numbers: number[],
): Promise<Row[]> {
  const values = sql.join(names.map((name) => sql`properties -> ${name}`));
  return query(
    client,
    sql`select number, coalesce(${values}) as value
          from property_groups
         where project_id = ${projectId} and kind = ${groupKinds[kind]}::smallint and number = any(${numbers}::int[])`,
  );
}

/** What others hold of the entry stays as it was. */
function add(entry: Kept, rows: readonly Row[]): void {
  const most = rows.reduce((max, { number }) => Math.max(max, number), entry.isKnown.length - 1);
  const isKnown = new Uint8Array(most + 1);
  isKnown.set(entry.isKnown);
  const numbers = new Int32Array(new SharedArrayBuffer((most + 1) * 4));
  numbers.set(entry.textOf);
  for (const { number, value } of rows) {
    isKnown[number] = 1;
    if (value === null) continue;
    entry.byNumber[number] = value;
    const text = textOf(value);
    let place = entry.textNumbers.get(text);
    if (place === undefined) {
      place = entry.texts.length;
      entry.texts.push(text);
      entry.textNumbers.set(text, place);
    }
    numbers[number] = place;
  }
  Object.assign(entry, { isKnown, textOf: numbers });
}
