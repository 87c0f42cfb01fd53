/** Retention by row of a breakdown: what each row has of the parts that are counted. Pure. */
import type { Piece } from '../count/incremental.ts';
import { replaced } from '../count/incremental.ts';
import type { TrendPart } from '../kernels/count-trend.ts';
import type { StepsPart } from '../kernels/list-steps.ts';
import type { RetentionCounts, RetentionParts } from '../kernels/retention.ts';
import type { Key } from '../kernels/row-keys.ts';

/** A part of start events, of returns, or of first events. */
export type RetentionPiece =
  | (Piece<TrendPart> & { of: 'starts'; shift: number })
  | (Piece<TrendPart> & { of: 'returns'; shift: number })
  | (Piece<StepsPart> & { of: 'firsts' });

/** Whether a key stands for the value of a row: the same value may have several keys. */
export type IsOfRow = (key: Key) => boolean;

/**
 * What the pieces say of a row.
 * @param isRecurring true when every start counts, and not only the first
 * @param isOfRow null: without a breakdown, all of them
 */
export function partsOfRow(
  pieces: readonly RetentionPiece[],
  isRecurring: boolean,
  isOfRow: IsOfRow | null,
): RetentionParts {
  const trends = (of: 'starts' | 'returns') =>
    pieces.flatMap((each) => (each.of === of ? (isOfRow === null ? each : ofRow(each, isOfRow)) : []));
  const firsts = pieces.flatMap((each) => (each.of === 'firsts' ? each.part : []));
  return {
    starts: isRecurring ? trends('starts') : null,
    firsts,
    ...(isOfRow !== null && { firstKeys: firsts.map(({ keys }) => flagsOf(keys, isOfRow)) }),
    returns: trends('returns'),
  };
}

/** Only the cells of a row: the others are put before all periods. */
function ofRow(
  { part, shift }: { part: TrendPart; shift: number },
  isOfRow: IsOfRow,
): { part: TrendPart; shift: number } {
  const flags = flagsOf(part.keys, isOfRow);
  const stretches = part.stretches.map((stretch, at) => (flags[part.keyed[at] as number] === 1 ? stretch : -1 - shift));
  return { part: { ...part, stretches }, shift };
}

function flagsOf(keys: readonly Key[], isOfRow: IsOfRow): Int32Array {
  return Int32Array.from(keys, (key) => (isOfRow(key) ? 1 : 0));
}

/** Counts of all rows, in which those of some actors are replaced by those of now. */
export function renewedRows(
  base: readonly RetentionCounts[],
  before: readonly RetentionCounts[],
  now: readonly RetentionCounts[],
): RetentionCounts[] {
  return base.map(({ sizes, returned }, row) => {
    const [old, current] = [before[row] as RetentionCounts, now[row] as RetentionCounts];
    return {
      sizes: replaced(sizes, old.sizes, current.sizes),
      returned: replaced(returned, old.returned, current.returned),
      picked: current.picked,
    };
  });
}
