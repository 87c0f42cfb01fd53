/** The people behind a figure of a trend: persons with an event of a row in a time window. Pure. */

import type { BegunVisits } from './begun-visits.ts';
import { ByVisitNumber } from './by-visit-number.ts';
import type { TrendPart } from './count-trend.ts';
import type { DrawPlan, Window } from './draw-trend.ts';
import type { StepsPart } from './list-steps.ts';
import { type Picked, Picking } from './picked.ts';

export interface PickTrendPlan extends Pick<DrawPlan, 'rowOf' | 'other'> {
  mergedInto: Int32Array | null;
  row: number;
  /** The stretches that count: those of a window, or of a cell. */
  of: { window: Window } | { cell: number; cellOf: Int32Array };
}

function isPicked({ of }: PickTrendPlan, stretch: number): boolean {
  if ('window' in of) return stretch >= of.window[0] && stretch < of.window[1];
  return of.cellOf[stretch] === of.cell;
}

/** @param parts of persons, each with what is added to the numbers of its stretches */
export function pickTrend(plan: PickTrendPlan, parts: readonly { part: TrendPart; shift: number }[]): Picked {
  const { mergedInto, rowOf, other, row } = plan;
  const picking = new Picking(mergedInto);
  for (const { part, shift } of parts) {
    const isOfRow = part.keys.map((key) => rowOf === null || (rowOf.get(key) ?? other) === row);
    for (let cell = 0; cell < part.counts.length; cell++) {
      const stretch = (part.stretches[cell] as number) + shift;
      if (!isPicked(plan, stretch) || !isOfRow[part.keyed[cell] as number]) continue;
      const end = part.ends[cell] as number;
      for (let at = cell === 0 ? 0 : (part.ends[cell - 1] as number); at < end; at++) {
        picking.add(part.items[at] as number, part.times[at]);
      }
    }
  }
  return picking.picked;
}

/** The same for visits that started in the window: persons with events of the row at any time of the visit. */
export function pickVisitors(
  plan: PickTrendPlan,
  parts: readonly StepsPart[],
  begun: readonly { part: BegunVisits; shift: number }[],
): Picked {
  const { mergedInto, rowOf, other, row } = plan;
  const isIn = new ByVisitNumber(0);
  for (const { part, shift } of begun) {
    for (let at = 0; at < part.ids.length; at++) {
      const stretch = (part.stretches[at] as number) + shift;
      if (isPicked(plan, stretch)) isIn.set(part.ids[at] as number, 1);
    }
  }
  const picking = new Picking(mergedInto);
  for (const { keys, keyed, actors, persons } of parts) {
    const isOfRow = keys.map((key) => rowOf === null || (rowOf.get(key) ?? other) === row);
    for (let at = 0; at < actors.length; at++) {
      if (isOfRow[keyed?.[at] ?? 0] && isIn.of(actors[at] as number) === 1) picking.add(persons?.[at] ?? 0);
    }
  }
  return picking.picked;
}
