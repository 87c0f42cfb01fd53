/** Values of visits, to count their events by. Pure. */
import type { ColumnBytes } from '../storage/format.ts';
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

/** Values by visit number. */
export class VisitValues {
  private readonly values: ByVisitNumber;
  /** The largest value that there may be. */
  most: number;

  constructor({ pieces, meaning, none }: VisitMeaning) {
    this.values = new ByVisitNumber(none);
    this.most = none;
    for (const piece of pieces) this.add(piece, meaning);
  }

  of(visit: number): number {
    return this.values.of(visit);
  }

  private add({ ids, values, except }: VisitPiece, meaning: Int32Array): void {
    const { codes, base, rows } = openColumn(ids);
    const column = values === undefined ? null : openColumn(values);
    const said = Int32Array.from(column?.numbers ?? [0], (number) =>
      number < meaning.length ? (meaning[number] as number) : 0,
    );
    for (const value of said) if (value > this.most) this.most = value;
    const left = new Set(except);
    for (let row = 0; row < rows; row++) {
      const visit = (codes[row] as number) + base;
      if (left.size > 0 && left.has(visit)) continue;
      this.values.set(visit, said[column === null ? 0 : (column.codes[row] as number)] as number);
    }
  }
}
