/** Numbers of answers behind which there are people. */
import type { FunnelPoint } from '#src/insights/kinds/funnel/contract.ts';
import type { LifecyclePoint } from '#src/insights/kinds/lifecycle/contract.ts';
import type { PathsPoint } from '#src/insights/kinds/paths/contract.ts';
import type { RetentionPoint } from '#src/insights/kinds/retention/contract.ts';
import type { StickinessPoint } from '#src/insights/kinds/stickiness/contract.ts';
import type { TrendsPoint } from '#src/insights/kinds/trends/contract.ts';

/** A place in the answer to an insight, as the procedures of its kind take it. */
export type Point =
  | ({ kind: 'trends' } & TrendsPoint)
  | ({ kind: 'funnel' } & FunnelPoint)
  | ({ kind: 'retention' } & RetentionPoint)
  | ({ kind: 'paths' } & PathsPoint)
  | ({ kind: 'lifecycle' } & LifecyclePoint)
  | ({ kind: 'stickiness' } & StickinessPoint);
