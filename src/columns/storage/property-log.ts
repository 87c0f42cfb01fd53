/** Properties that have no builder, as they come: name, row and value of each, in bytes. At the end they are put together by name. Pure. */
import { grown } from './builders.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import { hashOf, type PackedRow } from './packed.ts';

/** All rows of one property. */
export interface LoggedProperty {
  name: Uint8Array;
  /** See `hashOf`. */
  hash: number;
  count: number;
  /** Bytes of its rows in the log. */
  bytes: number;
  /** In ascending order. */
  rows(): Generator<PackedRow>;
}

export class PropertyLog {
  private readonly writer = new ByteWriter();
  private starts = new Uint32Array(64);
  private count = 0;

  /** Bytes of memory that it takes, roughly. */
  get memory(): number {
    return this.writer.length + this.count * 4;
  }

  /** @param row not before those of the same name that were added earlier */
  add(name: string, row: number, json: string): void {
    if (this.count === this.starts.length) this.starts = grown(this.starts, Uint32Array);
    this.starts[this.count++] = this.writer.length;
    const bytes = Buffer.from(name);
    this.writer.uint32(hashOf(bytes));
    this.writer.varint(bytes.length);
    this.writer.bytes(bytes);
    this.writer.varint(row);
    this.writer.text(json);
  }

  /** In the order of their hashes. Nothing may be added meanwhile. */
  *properties(): Generator<LoggedProperty> {
    const { hashes, starts } = this.inOrder();
    for (let begin = 0; begin < starts.length; ) {
      let end = begin + 1;
      while (end < starts.length && hashes[end] === hashes[begin]) end++;
      for (const same of this.byName(starts.subarray(begin, end))) yield this.propertyAt(same);
      begin = end;
    }
  }

  /** Entry offsets, sorted by hash, then in order of insertion. Sorted as integers: a million take a tenth of a second. */
  private inOrder(): { hashes: Uint32Array; starts: Uint32Array } {
    const keys = new BigUint64Array(this.count);
    const halves = new Uint32Array(keys.buffer);
    const log = this.writer.written();
    for (let at = 0; at < this.count; at++) {
      const start = this.starts[at] as number;
      halves[at * 2] = start;
      halves[at * 2 + 1] = log.readUInt32LE(start);
    }
    keys.sort();
    return {
      hashes: Uint32Array.from({ length: this.count }, (_, at) => halves[at * 2 + 1] as number),
      starts: Uint32Array.from({ length: this.count }, (_, at) => halves[at * 2] as number),
    };
  }

  /** Entries of one hash, divided by name: mostly it is one. Others can be sent on purpose, so that their number must not matter. */
  private *byName(starts: Uint32Array): Generator<Uint32Array> {
    const first = this.nameAt(starts[0] as number);
    if (starts.every((start) => this.nameAt(start).equals(first))) {
      yield starts;
      return;
    }
    const ordered = starts.slice().sort((one, other) => this.nameAt(one).compare(this.nameAt(other)) || one - other);
    for (let begin = 0; begin < ordered.length; ) {
      const name = this.nameAt(ordered[begin] as number);
      let end = begin + 1;
      while (end < ordered.length && this.nameAt(ordered[end] as number).equals(name)) end++;
      yield ordered.subarray(begin, end);
      begin = end;
    }
  }

  private propertyAt(starts: Uint32Array): LoggedProperty {
    const log = this.writer.written();
    const [first = 0] = starts;
    let bytes = 0;
    for (const start of starts) bytes += this.endOf(start) - start;
    return {
      name: this.nameAt(first),
      hash: log.readUInt32LE(first),
      count: starts.length,
      bytes,
      *rows() {
        for (const start of starts) {
          const reader = new ByteReader(log, start + 4);
          reader.skip();
          yield { row: reader.varint(), json: reader.text() };
        }
      },
    };
  }

  private nameAt(start: number): Buffer {
    const reader = new ByteReader(this.writer.written(), start + 4);
    return reader.bytes(reader.varint());
  }

  private endOf(start: number): number {
    const reader = new ByteReader(this.writer.written(), start + 4);
    reader.skip();
    reader.varint();
    reader.skip();
    return reader.at;
  }
}
