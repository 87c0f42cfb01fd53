/** The breakdown of trends as a list, and its intervals as they are typed. Pure. */
import type { Bins, BreakdownPart } from '#src/insights/kinds/trends/contract.ts';
import { MAX_BINS } from '#src/insights/kinds/trends/contract.ts';
import type { Own } from '../insight.ts';

export type CohortPart = Extract<BreakdownPart, { values: unknown }>;
export type PropertyPart = Exclude<BreakdownPart, CohortPart | { about: 'name' }>;

export function isCohortPart(part: BreakdownPart): part is CohortPart {
  return 'values' in part;
}

/** One property stands alone, as it always did. */
export function withBreakdowns(own: Own<'trends'>, parts: readonly BreakdownPart[]): Own<'trends'> {
  const { breakdown: _, ...without } = own;
  const [first, ...others] = parts;
  if (first === undefined) return without;
  return { ...without, breakdown: others.length === 0 ? first : [...parts] };
}

/** `10 50,5; 100` → [10, 50.5, 100]. Null: these are no edges. */
export function readEdges(text: string): number[] | null {
  const edges = text
    .split(/[;\s]+/)
    .filter((each) => each !== '')
    .map((each) => Number(each.replace(',', '.')));
  const isAscending = edges.every((edge, at) => Number.isFinite(edge) && edge > (edges[at - 1] ?? -Infinity));
  return edges.length > 0 && edges.length <= MAX_BINS && isAscending ? edges : null;
}

export function binsKey(bins: Bins | undefined): 'none' | 'width' | 'quantile' | 'edges' {
  if (bins === undefined) return 'none';
  return 'edges' in bins ? 'edges' : bins.by;
}
