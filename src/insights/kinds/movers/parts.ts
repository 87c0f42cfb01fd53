/** A change and its parts: they sum to the whole exactly, amounts as decimals. Pure. */
import { DecimalSum } from '#src/kit/numbers/decimals.ts';
import type { MoverChance, MoverPart, MoverTable } from './contract.ts';

/** A number in both periods, and the differences of the intervals that both have. */
export interface Figure {
  total: number;
  previous: number;
  differences: readonly number[];
}

export type RowFigure = Figure & { value: string };

interface Others {
  /** Values without a row, with what they count in both periods. */
  others: readonly Pick<Figure, 'total' | 'previous'>[];
  /** True when one visitor may be in several rows: what is left of the whole are not the others then. */
  overlaps: boolean;
}

/** @param chances of each row */
export function decompose(
  whole: Pick<Figure, 'total' | 'previous'>,
  rows: readonly RowFigure[],
  { others, overlaps }: Others,
  chances: readonly MoverChance[],
): Omit<MoverTable, 'dimension'> {
  const all = differenceOf(whole.total, whole.previous);
  const partOf = (total: number, previous: number): MoverPart => {
    const change = differenceOf(total, previous);
    return { total, previous, change, share: all === 0 ? null : change / all };
  };
  const left = (of: 'total' | 'previous', parts: readonly Pick<Figure, 'total' | 'previous'>[]) =>
    sumOf([whole[of], ...parts.map((part) => -part[of])]);
  const other = overlaps
    ? partOf(sumOf(others.map(({ total }) => total)), sumOf(others.map(({ previous }) => previous)))
    : partOf(left('total', rows), left('previous', rows));
  return {
    rows: rows
      .map(({ value, total, previous }, at) => {
        const part = partOf(total, previous);
        const expected = whole.previous === 0 ? 0 : (previous / whole.previous) * all;
        const chance = chances[at] ?? { pValue: null, isSignificant: null };
        return { value, ...part, ...chance, excess: part.change - expected };
      })
      .sort((one, next) => Math.abs(next.change) - Math.abs(one.change)),
    other: { ...other, values: others.length },
    overlap: overlaps ? partOf(left('total', [...rows, other]), left('previous', [...rows, other])) : null,
  };
}

/** As decimals: 0.3 − 0.1 is 0.2. */
export function differenceOf(one: number, other: number): number {
  return sumOf([one, -other]);
}

function sumOf(values: readonly number[]): number {
  const sum = new DecimalSum();
  for (const value of values) sum.add(value);
  return sum.value;
}
