/** Values of visits, to count their events by. Pure. */
import type { Codes, ColumnBytes } from '../storage/format.ts';
import { openColumn } from '../storage/format.ts';
import { ByVisitNumber } from './by-visit-number.ts';

/** Columns of a chunk of visits. */
export interface VisitPiece {
  ids: ColumnBytes;
  /** The column of values; absent: all are missing. */
  values: ColumnBytes | undefined;
  /** Numbers of visits that are listed elsewhere. */
  except: readonly number[];
}

export interface VisitMeaning {
  pieces: readonly VisitPiece[];
  /** Meaning of the numbers in the column. */
  meaning: Int32Array;
  /** Value of events without a visit. */
  none: number;
}

/** Further apart than this, values are kept in pages instead of in one list: 16 MB. */
const MAX_NEAR = 1 << 22;

/** Values by visit number. Those of a few blocks lie close together: one list is read in half the time of pages. */
export class VisitValues {
  private readonly none: number;
  private readonly first: number;
  /** By visit number from `first` on; null: too far apart. */
  private readonly near: Int32Array | null;
  private readonly far: ByVisitNumber;
  /** The largest value that there may be. */
  most: number;

  constructor({ pieces, meaning, none }: VisitMeaning) {
    const { first, count } = boundsOf(pieces);
    this.none = none;
    this.first = first;
    this.near = count <= MAX_NEAR ? new Int32Array(count).fill(none) : null;
    this.far = new ByVisitNumber(none);
    this.most = none;
    for (const piece of pieces) this.add(piece, meaning);
  }

  /** Writes the value of each visit. */
  put(visits: Float64Array, into: Int32Array): void {
    const { near, none, first } = this;
    if (near === null) this.putFar(visits, into);
    else putNear(visits, near, first, none, into);
  }

  private putFar(visits: Float64Array, into: Int32Array): void {
    for (let at = 0; at < visits.length; at++) into[at] = this.far.of(visits[at] as number);
  }

  private add({ ids, values, except }: VisitPiece, meaning: Int32Array): void {
    const { codes, base, rows } = openColumn(ids);
    const column = values === undefined ? null : openColumn(values);
    const said = Int32Array.from(column?.numbers ?? [0], (number) =>
      number < meaning.length ? (meaning[number] as number) : 0,
    );
    for (const value of said) if (value > this.most) this.most = value;
    const of = column?.codes ?? null;
    if (this.near !== null && except.length === 0) {
      if (of === null) fillNear(this.near, codes, base - this.first, said[0] as number);
      else putPiece(this.near, codes, base - this.first, of, said);
      return;
    }
    const left = new Set(except);
    for (let row = 0; row < rows; row++) {
      const visit = (codes[row] as number) + base;
      if (left.has(visit)) continue;
      const value = said[of === null ? 0 : (of[row] as number)] as number;
      if (this.near === null) this.far.set(visit, value);
      else this.near[visit - this.first] = value;
    }
  }
}

function putPiece(near: Int32Array, codes: Codes, shift: number, of: Codes, said: Int32Array): void {
  for (let row = 0; row < codes.length; row++) near[(codes[row] as number) + shift] = said[of[row] as number] as number;
}

function fillNear(near: Int32Array, codes: Codes, shift: number, value: number): void {
  for (let row = 0; row < codes.length; row++) near[(codes[row] as number) + shift] = value;
}

/** The least number of a visit, and how many there are up to the largest. */
function boundsOf(pieces: readonly VisitPiece[]): { first: number; count: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, -1];
  for (const { ids } of pieces) {
    const { codes, base, rows } = openColumn(ids);
    if (rows === 0) continue;
    const [low, high] = edgesOf(codes);
    least = Math.min(least, low + base);
    most = Math.max(most, high + base);
  }
  return most < 0 ? { first: 0, count: 0 } : { first: least, count: most - least + 1 };
}

/** The least and the largest, of at least one. */
function edgesOf(codes: Codes): [number, number] {
  let [low, high] = [codes[0] as number, codes[0] as number];
  for (let row = 1; row < codes.length; row++) {
    const code = codes[row] as number;
    if (code < low) low = code;
    if (code > high) high = code;
  }
  return [low, high];
}

/** A separate function, as every loop over rows: otherwise the surrounding code is recompiled with it. */
function putNear(visits: Float64Array, near: Int32Array, first: number, none: number, into: Int32Array): void {
  const { length } = near;
  for (let at = 0; at < visits.length; at++) {
    const place = (visits[at] as number) - first;
    into[at] = place >= 0 && place < length ? (near[place] as number) : none;
  }
}
