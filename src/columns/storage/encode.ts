/** Rows, as COPY gave them, to columns. Runs in a worker thread, because it takes some microseconds per row. Pure. */
import { AppError } from '#src/kit/errors.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { dayMs } from '#src/kit/zone.ts';
import { NumberBuilder, PlainBuilder } from './builders.ts';
import { CopiedRows } from './copied-rows.ts';
import { type ColumnBytes, openColumn } from './format.ts';
import { PropertyBuilder } from './property-builder.ts';
import { type FinishedProperties, PropertyColumns } from './property-columns.ts';
import { QUARTERS, writeQuarters } from './quarters.ts';

/** Columns read of an event, in this order; `properties` last. Dictionary columns. */
export const eventNumbers = [
  'session',
  'person',
  'event',
  'page',
  'device',
  'source',
  'geo',
  'flags',
  'elements',
  'marks',
] as const;
export type EventNumber = (typeof eventNumbers)[number];

/** Columns read of a visit, in this order, after start, duration and id. */
export const sessionNumbers = [
  'person',
  'source',
  'device',
  'geo',
  'entryPage',
  'exitPage',
  'views',
  'autocaptures',
  'bot',
] as const;
export type SessionNumber = (typeof sessionNumbers)[number];

/** Columns of properties are named with this before the property's name. */
export const PROPERTY = 'p:';

/** Columns of consecutive rows. */
export interface EncodedChunk {
  /** Day since 1970-01-01, UTC; of visits 0. */
  day: number;
  rows: number;
  /** Of visits: the first start and last end. */
  minTs: number;
  maxTs: number;
  /** Packed properties without a separate column; null: any may be. */
  rare: string[] | null;
  /** Bits of the name hash that select the packed column. */
  packedBits: number;
  /** Rows that have a property that is in no group, by its name; null: not counted. */
  propertyRows: Record<string, number> | null;
  columns: Map<string, ColumnBytes>;
}

/** Bytes that properties which a question asks for may take while they are read from rows. */
const MAX_WANTED_BYTES = 64 * 1024 * 1024;

/** Events in order of time, a chunk for each day, or several where properties take much memory. Takes rows in steps: its memory does not grow with what they say beside the columns. */
export class EventEncoder {
  private readonly only: readonly string[] | undefined;
  private readonly maxWantedBytes: number;
  private readonly chunks: EncodedChunk[] = [];
  private open: EventChunk | null = null;
  private hasBegun = false;
  /** Size of wanted properties in finished chunks. */
  private wantedBytes = 0;

  /**
   * @param only the properties that are wanted; without it, all that have a place
   * @param maxWantedBytes instead of `MAX_WANTED_BYTES`
   */
  constructor(only?: readonly string[], maxWantedBytes = MAX_WANTED_BYTES) {
    this.only = only;
    this.maxWantedBytes = maxWantedBytes;
  }

  /**
   * @param bytes of a COPY: whole rows, the first time after its header
   * @throws AppError `too_large` when the values of wanted properties take too much memory
   */
  add(bytes: Uint8Array): void {
    const rows = new CopiedRows(bytes, !this.hasBegun);
    this.hasBegun = true;
    while (rows.next()) {
      const ts = rows.time();
      const day = Math.floor(ts / dayMs);
      if (this.open?.day !== day) this.finishDay();
      this.open ??= new EventChunk(day, this.only);
      this.open.add(ts, rows);
      if (this.open.isFull) this.finishDay();
      else if (this.wantedBytes + this.open.wantedBytes > this.maxWantedBytes) throw tooLong(this.only ?? []);
    }
  }

  finish(): EncodedChunk[] {
    this.finishDay();
    return this.chunks;
  }

  private finishDay(): void {
    if (this.open === null) return;
    this.wantedBytes += this.open.wantedBytes;
    this.chunks.push(this.open.finish());
    this.open = null;
  }
}

function tooLong(names: readonly string[]): AppError {
  const listed = names.map((name) => `"${name}"`).join(', ');
  return new AppError(
    'too_large',
    `The values of ${listed} are too long or too many to be read at once. Choose a shorter range, or remove the filter.`,
    { field: 'filters' },
  );
}

class EventChunk {
  readonly day: number;
  private readonly times = new PlainBuilder();
  private readonly numbers = eventNumbers.map(() => new NumberBuilder());
  /** Wanted properties; null: all. */
  private readonly wanted: Map<string, PropertyBuilder> | null;
  private readonly all = new PropertyColumns();
  /** Bytes that the wanted properties take, roughly. */
  wantedBytes = 0;
  private rows = 0;
  private minTs = 0;
  private maxTs = 0;

  constructor(day: number, only: readonly string[] | undefined) {
    this.day = day;
    this.wanted = only ? new Map(only.map((name) => [name, new PropertyBuilder()])) : null;
  }

  add(ts: number, rows: CopiedRows): void {
    if (this.rows === 0) this.minTs = ts;
    this.maxTs = ts;
    this.times.add(ts);
    for (const builder of this.numbers) builder.add(rows.number());
    const text = rows.text(1);
    if (text !== null) this.addProperties(JSON.parse(text) as JsonObject);
    this.rows++;
  }

  /** True when the day needs another chunk. */
  get isFull(): boolean {
    return this.all.isFull;
  }

  private addProperties(properties: JsonObject): void {
    if (this.wanted === null) {
      this.all.add(this.rows, properties);
      return;
    }
    for (const [name, builder] of this.wanted) {
      const value = Object.hasOwn(properties, name) ? (properties[name] as JsonValue) : null;
      if (value === null) continue;
      const before = builder.memory;
      builder.add(this.rows, value);
      this.wantedBytes += builder.memory - before;
    }
  }

  finish(): EncodedChunk {
    const ts = this.times.finish();
    const columns = new Map([
      ['ts', ts],
      [QUARTERS, writeQuarters(openColumn(ts))],
    ]);
    for (const [place, name] of eventNumbers.entries()) putColumn(columns, name, this.numbers[place] as NumberBuilder);
    const found = this.wanted === null ? this.all.finish(this.rows) : this.finishWanted(this.wanted);
    for (const [name, bytes] of found.columns) columns.set(PROPERTY + name, bytes);
    for (const [name, bytes] of found.packed) columns.set(name, bytes);
    return {
      day: this.day,
      rows: this.rows,
      minTs: this.minTs,
      maxTs: this.maxTs,
      rare: found.rare,
      packedBits: found.packedBits,
      propertyRows: found.rows,
      columns,
    };
  }

  private finishWanted(wanted: ReadonlyMap<string, PropertyBuilder>): FinishedProperties {
    const present = [...wanted].filter(([, { count }]) => count > 0);
    return {
      columns: present.map(([name, builder]) => [name, builder.finish(this.rows)]),
      packed: [],
      packedBits: 0,
      rare: [],
      rows: null,
    };
  }
}

/** Visits in order of their begin, as one chunk; null when there are none. */
export function encodeSessions(bytes: Uint8Array): EncodedChunk | null {
  const rows = new CopiedRows(bytes);
  const times = new PlainBuilder();
  const lengths = new PlainBuilder();
  const ids = new PlainBuilder();
  const numbers = sessionNumbers.map(() => new NumberBuilder());
  let count = 0;
  let minTs = 0;
  let maxTs = Number.NEGATIVE_INFINITY;
  while (rows.next()) {
    const begin = rows.time();
    const length = rows.number();
    if (count === 0) minTs = begin;
    maxTs = Math.max(maxTs, begin + length);
    times.add(begin);
    lengths.add(length);
    ids.add(rows.number());
    for (const builder of numbers) builder.add(rows.number());
    count++;
  }
  if (count === 0) return null;
  const columns = new Map([
    ['ts', times.finish()],
    ['length', lengths.finish()],
    ['id', ids.finish()],
  ]);
  for (const [place, name] of sessionNumbers.entries()) putColumn(columns, name, numbers[place] as NumberBuilder);
  return { day: 0, rows: count, minTs, maxTs, rare: [], packedBits: 0, propertyRows: null, columns };
}

function putColumn(columns: EncodedChunk['columns'], name: string, builder: NumberBuilder): void {
  const bytes = builder.finish();
  if (bytes !== null) columns.set(name, bytes);
}
