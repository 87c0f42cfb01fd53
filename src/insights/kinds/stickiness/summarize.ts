/** A bar per number of active intervals. */
import type { ResultSummary } from '../../query/contract.ts';
import { MAX_SUMMARY_BARS, sharesOf } from '../../query/summaries.ts';
import type { StickinessResult } from './contract.ts';

export function summarizeStickiness({ people }: StickinessResult): ResultSummary {
  return { shape: 'bars', bars: sharesOf(people.slice(0, MAX_SUMMARY_BARS)) };
}
