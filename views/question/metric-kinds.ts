/** Units of the metrics of Overview, and whether an increase is good. Pure. */
import type { OverviewMetric } from '#src/insights/contract.ts';
import type { ValueKind } from '#views/charts/scale.ts';

/** Time on a page can be interest or trouble; longer is read as good. */
export const kinds: Record<OverviewMetric, { kind: ValueKind; good: 'up' | 'down' }> = {
  visitors: { kind: 'count', good: 'up' },
  visits: { kind: 'count', good: 'up' },
  views: { kind: 'count', good: 'up' },
  viewsPerVisit: { kind: 'mean', good: 'up' },
  bounceRate: { kind: 'share', good: 'down' },
  visitDuration: { kind: 'seconds', good: 'up' },
};
