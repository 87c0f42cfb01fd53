/**
 * The properties of a chunk: columns of the commonest, and the others packed (`packed.ts`). Memory is bounded however many names, values and
 * rows come: anyone can send names with the public token. Pure.
 */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { ByteWriter } from './byte-writer.ts';
import { NameFilter } from './name-filter.ts';
import { bitsFor, packedColumnAt, writeSection } from './packed.ts';
import { PropertyBuilder } from './property-builder.ts';
import { type LoggedProperty, PropertyLog } from './property-log.ts';

/** At most so many properties of a chunk have columns because they are the commonest. */
const MAX_COLUMNS = 200;
/** A property of this size gets a separate column, even when rare. */
const COLUMN_BYTES = 32_768;
/** Longer names have no column. Characters. */
const MAX_NAME_LENGTH = 400;
/** Packed properties are listed up to this number and this length in all. */
const MAX_LISTED = 1_000;
const MAX_LISTED_LENGTH = 65_536;
/** Rows are counted of so many packed properties, of this length in all. */
const MAX_COUNTED = 5_000;
const MAX_COUNTED_LENGTH = 524_288;
/** Memory limit of building properties: half for columns, half for the log. */
const MAX_MEMORY = 64 * 1024 * 1024;

export interface FinishedProperties {
  /** By name, most frequent first. */
  columns: [name: string, bytes: Uint8Array<ArrayBuffer>][];
  /** Packed columns by name. */
  packed: [name: string, bytes: Uint8Array<ArrayBuffer>][];
  /** Bits of the hash that select the packed column. */
  packedBits: number;
  /** Names that are packed; null: too many to list. */
  rare: string[] | null;
  /** Rows of each name; null: too many names to count. */
  rows: Record<string, number> | null;
}

/** All properties of a chunk's rows. @param maxMemory instead of `MAX_MEMORY` */
export class PropertyColumns {
  private readonly maxMemory: number;
  private readonly builders = new Map<string, PropertyBuilder>();
  private readonly log = new PropertyLog();
  /** Names of which rows are in the log: no builder would have all of them. */
  private logged: NameFilter | null = null;
  /** Memory of the builders. */
  private memory = 0;

  constructor(maxMemory = MAX_MEMORY) {
    this.maxMemory = maxMemory;
  }

  /** Bytes that it takes now, roughly. */
  get memoryBytes(): number {
    return this.memory + this.log.memory;
  }

  /** True when more rows would exceed the memory limit. */
  get isFull(): boolean {
    return this.log.memory > this.maxMemory / 2;
  }

  add(row: number, properties: JsonObject): void {
    for (const name of Object.keys(properties)) {
      const value = properties[name] as JsonValue;
      if (value !== null) this.put(row, name, value);
    }
  }

  private put(row: number, name: string, value: JsonValue): void {
    let builder = this.builders.get(name);
    if (builder === undefined) {
      if (name.length > MAX_NAME_LENGTH || this.logged?.has(name)) {
        this.log.add(name, row, JSON.stringify(value));
        return;
      }
      builder = new PropertyBuilder();
      this.builders.set(name, builder);
      this.memory += memoryOf(name, builder);
    }
    const before = builder.memory;
    builder.add(row, value);
    this.memory += builder.memory - before;
    if (this.memory > this.maxMemory / 2) this.logRarest();
  }

  /** Until half of the builders' memory is left. */
  private logRarest(): void {
    let kept = 0;
    this.logged ??= new NameFilter();
    for (const [name, builder] of this.commonestFirst()) {
      kept += memoryOf(name, builder);
      if (kept <= this.maxMemory / 4) continue;
      this.logged.add(name);
      this.moveToLog(name, builder);
    }
  }

  private moveToLog(name: string, builder: PropertyBuilder): void {
    this.builders.delete(name);
    this.memory -= memoryOf(name, builder);
    for (const { row, json } of builder.entries()) this.log.add(name, row, json);
  }

  private commonestFirst(): [string, PropertyBuilder][] {
    return [...this.builders].sort(([, one], [, other]) => other.count - one.count);
  }

  /** @param rows of the chunk */
  finish(rows: number): FinishedProperties {
    for (const [name, builder] of this.commonestFirst().slice(MAX_COLUMNS)) this.moveToLog(name, builder);
    const counts = new NameCounts(this.commonestFirst().map(([name, { count }]) => [name, count]));
    const columns = this.commonestFirst().map(([name, builder]): FinishedProperties['columns'][number] => [
      name,
      builder.finish(rows),
    ]);
    const packedBits = bitsFor(this.log.memory);
    const packed = new Map<string, ByteWriter>();
    for (const property of this.log.properties()) {
      const name = Buffer.from(property.name).toString();
      const hasColumn = property.bytes >= COLUMN_BYTES && name.length <= MAX_NAME_LENGTH;
      counts.add(name, property.count, !hasColumn);
      if (hasColumn) columns.push([name, columnOf(property, rows)]);
      else {
        const column = packedColumnAt(property.hash, packedBits);
        const writer = packed.get(column) ?? new ByteWriter();
        packed.set(column, writer);
        writeSection(writer, property.name, property.rows());
      }
    }
    return {
      columns,
      packed: [...packed].map(([name, writer]) => [name, writer.finish()]),
      packedBits,
      rare: counts.listed(),
      rows: counts.rows(),
    };
  }
}

function columnOf(property: LoggedProperty, rows: number): Uint8Array<ArrayBuffer> {
  const builder = new PropertyBuilder();
  for (const { row, json } of property.rows()) builder.add(row, JSON.parse(json) as JsonValue);
  return builder.finish(rows);
}

/** Rows by name, and which names are packed: until they become too many. */
class NameCounts {
  private readonly known: Map<string, number>;
  private readonly packed: string[] = [];
  private names = 0;
  private length = 0;

  constructor(known: Iterable<[string, number]>) {
    this.known = new Map(known);
  }

  add(name: string, rows: number, isPacked: boolean): void {
    this.names++;
    this.length += name.length;
    if (!this.areFew) return;
    this.known.set(name, rows);
    if (isPacked) this.packed.push(name);
  }

  listed(): string[] | null {
    return this.names <= MAX_LISTED && this.length <= MAX_LISTED_LENGTH ? this.packed : null;
  }

  rows(): Record<string, number> | null {
    return this.areFew ? Object.fromEntries(this.known) : null;
  }

  private get areFew(): boolean {
    return this.names <= MAX_COUNTED && this.length <= MAX_COUNTED_LENGTH;
  }
}

function memoryOf(name: string, { memory }: PropertyBuilder): number {
  return memory + 2 * name.length;
}
