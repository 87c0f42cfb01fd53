/** A stack per interval: active persons above the axis, dormant ones below. */
import type { ResultSummary } from '../../query/contract.ts';
import { greatestOf, MAX_SUMMARY_BARS, shareOf, sumOf } from '../../query/summaries.ts';
import type { LifecycleResult } from './contract.ts';

export function summarizeLifecycle(result: LifecycleResult): ResultSummary {
  const { new: begun, returning, resurrecting, dormant } = result;
  const stacks = begun
    .map((count, at) => [returning[at] ?? 0, resurrecting[at] ?? 0, count, -(dormant[at] ?? 0)])
    .slice(-MAX_SUMMARY_BARS);
  const greatest = greatestOf(stacks.flatMap((stack) => [sumOf(stack.slice(0, 3)), stack[3] ?? 0]));
  return { shape: 'stacks', stacks: stacks.map((stack) => stack.map((each) => shareOf(each, greatest) ?? 0)) };
}
