/** How many rows of a chunk have which entry of a dictionary, under the rules of a series. Pure, but for memory that is used again. */
import { openColumn } from '../storage/format.ts';
import { placesAt } from '../storage/quarters.ts';
import { type EventChunk, rowsIn } from './count-events.ts';
import { type RowPlan, rowsOfPeople } from './count-trend.ts';
import type { SessionSet } from './session-set.ts';
import { sharedInts } from './shared.ts';

export interface CodesPlan extends RowPlan {
  column: string;
}

/** Counts by code; without the column all rows have code 0, "missing". */
export function countCodes(
  plan: CodesPlan,
  { columns, edges }: EventChunk,
  sets: readonly SessionSet[],
): Int32Array<SharedArrayBuffer> {
  const bounds = placesAt(columns, rowsIn(columns), edges);
  const rows = rowsOfPeople(plan, columns, sets, bounds[0] ?? 0, bounds.at(-1) ?? 0);
  const bytes = columns[plan.column];
  if (bytes === undefined) {
    const counts = sharedInts(1);
    counts[0] = rows.length;
    return counts;
  }
  const { codes, entries } = openColumn(bytes);
  const counts = sharedInts(entries);
  for (let at = 0; at < rows.length; at++) {
    const code = codes[rows[at] as number] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  return counts;
}
