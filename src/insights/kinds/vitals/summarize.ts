/** The share of good measurements of each vital. */
import type { ResultSummary } from '../../query/contract.ts';
import { roundedShare } from '../../query/summaries.ts';
import { type Vitals, vitalNames } from './contract.ts';

export function summarizeVitals({ vitals }: Vitals): ResultSummary {
  return {
    shape: 'bars',
    bars: vitalNames.map((name) => {
      const { good, samples } = vitals[name];
      return samples === 0 ? 0 : roundedShare(good / samples);
    }),
  };
}
