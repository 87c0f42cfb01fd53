/**
 * The values of most events among those of all chunks. Values are identified by both halves of their hashes and are not read, but those that
 * are shown. Each thread takes a share of the hashes, so memory is a table of so many values as one chunk may have, doubled as more come. Pure.
 */
import { textOf } from '../filters/condition-values.ts';
import { type ColumnBytes, entriesOf, openColumn } from '../storage/format.ts';
import { firstNotBelow, hashesOfText, type Texts, textAt, textBytesAt } from '../storage/texts.ts';
import type { Share } from './by-actor.ts';

/** A property of a chunk, and its events by code. */
export interface CountedCodes {
  /** Absent: no event of the chunk has it. */
  column: ColumnBytes | undefined;
  counts: Int32Array;
}

export interface RankPlan {
  most: number;
  share: Share;
}

export interface RankedValues {
  /** Values with the most events, ties by bytes; without the empty text. */
  top: { text: string; count: number }[];
  /** How many values there are, without the empty text. */
  values: number;
  /** Events without the property, or with an empty text. */
  none: number;
}

const HASHES = 2 ** 32;
/** Slots of a table are a multiple of those in use. */
const ROOM = 2;
const MIN_SLOTS = 1_024;

export function rankValues({ most, share }: RankPlan, chunks: readonly CountedCodes[]): RankedValues {
  const from = Math.ceil((HASHES / share.of) * share.at);
  const until = Math.ceil((HASHES / share.of) * (share.at + 1));
  const table = new ValueTable(from, until);
  const dictionaries = chunks.map(({ column }) => (column === undefined ? null : dictionaryOf(column)));
  let none = 0;
  for (const [at, { counts }] of chunks.entries()) {
    if (share.at === 0) none += counts[0] as number;
    const dictionary = dictionaries[at];
    if (!dictionary) continue;
    const { first, second } = dictionary;
    const end = until === HASHES ? first.length : firstNotBelow(first, until);
    for (let entry = firstNotBelow(first, from); entry < end; entry++) {
      const count = counts[dictionary.codeAt(entry)] as number;
      if (count > 0) table.add(first[entry] as number, second[entry] as number, count, at, entry);
    }
  }
  const empty = table.take(...hashesOfText(''));
  return { ...table.top(most, dictionaries), none: none + empty };
}

/** The entries of a chunk's dictionary in the order of their hashes. */
interface Dictionary extends Pick<Texts, 'first' | 'second'> {
  codeAt(entry: number): number;
  textAt(entry: number): string;
  bytesAt(entry: number): Uint8Array;
}

function dictionaryOf(column: ColumnBytes): Dictionary {
  const opened = openColumn(column);
  const { texts } = opened;
  if (texts !== null) {
    return {
      first: texts.first,
      second: texts.second,
      codeAt: (entry) => entry + 1,
      textAt: (entry) => textAt(texts, entry + 1),
      bytesAt: (entry) => textBytesAt(texts, entry + 1),
    };
  }
  const read = entriesOf(opened).flatMap((value, code) => {
    if (value === undefined || value === null) return [];
    const text = textOf(value);
    return [{ code, text, hashes: hashesOfText(text) }];
  });
  read.sort((one, other) => one.hashes[0] - other.hashes[0]);
  return {
    first: Uint32Array.from(read, ({ hashes }) => hashes[0]),
    second: Uint32Array.from(read, ({ hashes }) => hashes[1]),
    codeAt: (entry) => (read[entry] as { code: number }).code,
    textAt: (entry) => (read[entry] as { text: string }).text,
    bytesAt: (entry) => Buffer.from((read[entry] as { text: string }).text),
  };
}

/** Values by hash, with where each was seen: open addressing, in the order of the hashes, so that entries in order are slots in order. */
class ValueTable {
  private readonly from: number;
  private readonly width: number;
  private slots = MIN_SLOTS;
  private used = 0;
  private first = new Uint32Array(MIN_SLOTS);
  private second = new Uint32Array(MIN_SLOTS);
  /** 0: the slot is free, or what was in it was taken. */
  private counts = new Float64Array(MIN_SLOTS);
  /** The chunk in which it was seen, from 1 on, and its entry there. */
  private chunks = new Uint32Array(MIN_SLOTS);
  private entries = new Uint32Array(MIN_SLOTS);

  /** Table of hashes within `[from, until)`. */
  constructor(from: number, until: number) {
    this.from = from;
    this.width = until - from;
  }

  add(first: number, second: number, count: number, chunk: number, entry: number): void {
    const slot = this.slotOf(first, second);
    if (this.chunks[slot] === 0) {
      if (this.used * ROOM >= this.slots) {
        this.grow();
        this.add(first, second, count, chunk, entry);
        return;
      }
      this.used++;
      this.first[slot] = first;
      this.second[slot] = second;
      this.chunks[slot] = chunk + 1;
      this.entries[slot] = entry;
    }
    this.counts[slot] = (this.counts[slot] as number) + count;
  }

  /** Removes a value and returns its count. */
  take(first: number, second: number): number {
    if (first < this.from || first >= this.from + this.width) return 0;
    const slot = this.slotOf(first, second);
    const count = this.counts[slot] as number;
    this.counts[slot] = 0;
    return count;
  }

  top(most: number, dictionaries: readonly (Dictionary | null)[]): Pick<RankedValues, 'top' | 'values'> {
    const slots = Array.from(this.counts.keys()).filter((slot) => (this.counts[slot] as number) > 0);
    const least = leastOf(
      slots.map((slot) => this.counts[slot] as number),
      most,
    );
    const dictionaryAt = (slot: number) => dictionaries[(this.chunks[slot] as number) - 1] as Dictionary;
    const bytesAt = (slot: number) => dictionaryAt(slot).bytesAt(this.entries[slot] as number);
    const more = slots.filter((slot) => (this.counts[slot] as number) > least);
    const equal = slots.filter((slot) => this.counts[slot] === least);
    const shown = [...more, ...firstOf(equal, most - more.length, bytesAt)];
    return {
      values: slots.length,
      top: shown.map((slot) => ({
        text: dictionaryAt(slot).textAt(this.entries[slot] as number),
        count: this.counts[slot] as number,
      })),
    };
  }

  private slotOf(first: number, second: number): number {
    let slot = Math.floor(((first - this.from) / this.width) * this.slots);
    while (this.chunks[slot] !== 0 && (this.first[slot] !== first || this.second[slot] !== second))
      slot = slot + 1 === this.slots ? 0 : slot + 1;
    return slot;
  }

  private grow(): void {
    const { first, second, counts, chunks, entries } = this;
    this.slots *= 2;
    this.used = 0;
    this.first = new Uint32Array(this.slots);
    this.second = new Uint32Array(this.slots);
    this.counts = new Float64Array(this.slots);
    this.chunks = new Uint32Array(this.slots);
    this.entries = new Uint32Array(this.slots);
    for (let slot = 0; slot < chunks.length; slot++) {
      const chunk = chunks[slot] as number;
      if (chunk !== 0)
        this.add(
          first[slot] as number,
          second[slot] as number,
          counts[slot] as number,
          chunk - 1,
          entries[slot] as number,
        );
    }
  }
}

/** The count that so many of them do not exceed; 0: all are among those. */
function leastOf(counts: readonly number[], most: number): number {
  if (counts.length <= most || most === 0) return 0;
  const ordered = Float64Array.from(counts).sort();
  return ordered[ordered.length - most] as number;
}

/** The first `wanted` values by bytes. */
function firstOf(slots: readonly number[], wanted: number, bytesAt: (slot: number) => Uint8Array): number[] {
  const found: { slot: number; bytes: Uint8Array }[] = [];
  for (const slot of wanted > 0 ? slots : []) {
    const bytes = bytesAt(slot);
    if (found.length === wanted && Buffer.compare(bytes, (found.at(-1) as { bytes: Uint8Array }).bytes) > 0) continue;
    const at = found.findIndex((each) => Buffer.compare(bytes, each.bytes) < 0);
    found.splice(at === -1 ? found.length : at, 0, { slot, bytes });
    if (found.length > wanted) found.pop();
  }
  return found.map(({ slot }) => slot);
}
