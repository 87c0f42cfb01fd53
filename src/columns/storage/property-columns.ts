/**
 * The properties of a chunk: columns of the commonest, and which others there are. Memory is bounded however many names, values and rows
 * come: anyone can send names with the public token. Pure.
 */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { countedProperties } from '../values.ts';
import { NameFilter } from './name-filter.ts';
import { PropertyBuilder } from './property-builder.ts';

/** At most so many properties of a chunk have columns besides `countedProperties`: the commonest. */
const MAX_COLUMNS = 200;
/** Longer names have no column. Characters. */
const MAX_NAME_LENGTH = 400;
/** Properties without a column are listed up to this number and this length in all. */
const MAX_LISTED = 1_000;
const MAX_LISTED_LENGTH = 65_536;
/** Rows are counted of so many properties without a column, of this length in all. */
const MAX_COUNTED = 5_000;
const MAX_COUNTED_LENGTH = 524_288;
/** Bytes that columns take together while they are built. Beyond, the rarest go until half of it is left. */
const MAX_MEMORY = 64 * 1024 * 1024;

export interface FinishedProperties {
  /** By name, the commonest first. */
  columns: [name: string, bytes: Uint8Array<ArrayBuffer>][];
  /** Names without a column; null: too many to list. */
  rare: string[] | null;
  /** Rows of each name; null: too many names to count. */
  rows: Record<string, number> | null;
}

/** All properties of a chunk's rows. @param maxMemory instead of `MAX_MEMORY` */
export class PropertyColumns {
  private readonly maxMemory: number;
  private readonly builders = new Map<string, PropertyBuilder>();
  private readonly rare = new RareNames();
  private memory = 0;

  constructor(maxMemory = MAX_MEMORY) {
    this.maxMemory = maxMemory;
    for (const name of countedProperties) this.builders.set(name, new PropertyBuilder());
  }

  /** Bytes that the columns take now, roughly. */
  get memoryBytes(): number {
    return this.memory;
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
      if (this.rare.addRow(name)) return;
      if (name.length > MAX_NAME_LENGTH) {
        this.rare.add(name, 1);
        return;
      }
      builder = new PropertyBuilder();
      this.builders.set(name, builder);
      this.memory += memoryOf(name, builder);
    }
    const before = builder.memory;
    builder.add(row, value);
    this.memory += builder.memory - before;
    if (builder.isTooVaried) this.drop(name, builder);
    else if (this.memory > this.maxMemory) this.dropRarest();
  }

  private drop(name: string, builder: PropertyBuilder): void {
    this.builders.delete(name);
    this.memory -= memoryOf(name, builder);
    this.rare.add(name, builder.count);
  }

  private dropRarest(): void {
    let kept = 0;
    for (const [name, builder] of this.commonestFirst()) {
      kept += memoryOf(name, builder);
      if (kept > this.maxMemory / 2 && !isCounted(name)) this.drop(name, builder);
    }
  }

  private commonestFirst(): [string, PropertyBuilder][] {
    return [...this.builders].sort(([, one], [, other]) => other.count - one.count);
  }

  /** @param rows of the chunk */
  finish(rows: number): FinishedProperties {
    const ordered = this.commonestFirst();
    const others = ordered.filter(([name, { count }]) => count > 0 && !isCounted(name));
    const left = new Set(others.slice(MAX_COLUMNS).map(([name]) => name));
    for (const [name, { count }] of others) if (left.has(name)) this.rare.add(name, count);
    const counts = this.rare.counts();
    const rare = this.rare.list();
    // Where no list says what is rare, an empty column says that there is nothing of it.
    const kept = ordered.filter(([name, { count }]) => !left.has(name) && (count > 0 || rare === null));
    return {
      columns: kept.map(([name, builder]) => [name, builder.finish(rows)]),
      rare,
      rows:
        counts &&
        Object.fromEntries([
          ...kept.flatMap(([name, { count }]) => (count === 0 ? [] : [[name, count] as const])),
          ...counts,
        ]),
    };
  }
}

const counted: ReadonlySet<string> = new Set(countedProperties);

function isCounted(name: string): boolean {
  return counted.has(name);
}

/** Names without a column and their rows. When they become too many, only that they were there. */
class RareNames {
  private known = new Map<string, number>();
  private length = 0;
  private tooMany: NameFilter | null = null;

  /** One more row of a name. @returns false: it is not known as one without a column */
  addRow(name: string): boolean {
    if (this.tooMany !== null) return this.tooMany.has(name);
    const rows = this.known.get(name);
    if (rows === undefined) return false;
    this.known.set(name, rows + 1);
    return true;
  }

  add(name: string, rows: number): void {
    if (this.tooMany !== null) {
      this.tooMany.add(name);
      return;
    }
    this.known.set(name, rows);
    this.length += name.length;
    if (this.known.size <= MAX_COUNTED && this.length <= MAX_COUNTED_LENGTH) return;
    this.tooMany = new NameFilter();
    for (const each of this.known.keys()) this.tooMany.add(each);
    this.known.clear();
  }

  list(): string[] | null {
    const isShort = this.known.size <= MAX_LISTED && this.length <= MAX_LISTED_LENGTH;
    return this.tooMany === null && isShort ? [...this.known.keys()] : null;
  }

  counts(): ReadonlyMap<string, number> | null {
    return this.tooMany === null ? this.known : null;
  }
}

function memoryOf(name: string, { memory }: PropertyBuilder): number {
  return memory + 2 * name.length;
}
