/** A line for each interval. */
import * as z from 'zod/mini';
import { zoneOf } from '#src/kit/zone.ts';
import { defineFile, edgesOf, tableRows } from '../../query/file.ts';
import type { LifecycleInput, LifecycleResult } from './contract.ts';

export const lifecycleFile = defineFile<LifecycleInput, LifecycleResult, object>({
  options: z.strictObject({}),
  rows({ starts, interval, range, timeZone, new: begun, returning, resurrecting, dormant }) {
    const intervals = { zone: zoneOf(timeZone), interval, starts, to: range.to };
    return tableRows(
      ['from', 'to', 'new', 'returning', 'resurrecting', 'dormant'],
      starts.map((_, at) => [
        ...edgesOf(intervals, at),
        begun[at] ?? null,
        returning[at] ?? null,
        resurrecting[at] ?? null,
        dormant[at] ?? null,
      ]),
    );
  },
});
