/** Web vitals: how pages felt, as browsers measured it. Read by the browser, so zod/mini only. */

import * as z from 'zod/mini';
import { eventScope, type ResolvedRange, rangeInput } from '../../query/contract.ts';
import { breakdownOrder, MAX_ROWS } from '../breakdown/contract.ts';
import { type Vital, type VitalPage, vitalColumns, vitalNames, vitalPercentiles } from './values.ts';

export type { Vital, VitalPage };
export { vitalNames, vitalPercentiles };
export type VitalName = (typeof vitalNames)[number];

/** Order, search and page of a long list of pages. */
export const vitalsOrder = z.extend(breakdownOrder, { sort: z.enum(vitalColumns) });
export type VitalsOrder = z.infer<typeof vitalsOrder>;

export type VitalPercentile = (typeof vitalPercentiles)[number];
export const vitalPercentile = z.literal(vitalPercentiles);

export const vitalsInput = z.object({
  range: rangeInput,
  ...eventScope,
  /** The vital of the page list. */
  vital: z.enum(vitalNames),
  percentile: z._default(vitalPercentile, 75),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_ROWS)), 8),
  /** Absent: those with most measurements. */
  order: z.optional(vitalsOrder),
});
export type VitalsInput = z.infer<typeof vitalsInput>;

export interface Vitals {
  range: ResolvedRange;
  percentile: VitalPercentile;
  vitals: Record<VitalName, Vital>;
  /** By number of measurements, then by path, unless another order was requested. */
  pages: VitalPage[];
  /** How many pages there are, of which `order.find` is in. */
  total: number;
  /** How many pages are not in `pages`, and their measurements. */
  other: { pages: number; samples: number };
}
