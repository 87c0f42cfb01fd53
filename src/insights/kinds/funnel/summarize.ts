/** A bar per step of a funnel. */
import type { ResultSummary } from '../../query/contract.ts';
import { sharesOf } from '../../query/summaries.ts';
import type { FunnelResult } from './contract.ts';

export function summarizeFunnel({ total }: FunnelResult): ResultSummary {
  return { shape: 'bars', bars: sharesOf(total.steps.map(({ count }) => count)) };
}
