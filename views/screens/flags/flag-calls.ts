/** How often flags were read, by the events of clients. */
import type { TrendsResult } from '#src/insights/kinds/trends/contract.ts';

const CALLED = '$feature_flag_called';

/** Of all flags, by day. */
export function callsInput(project: string) {
  return {
    project,
    range: 'last_28_days' as const,
    interval: 'day' as const,
    series: [{ event: { event: CALLED } }],
    breakdown: { about: 'event' as const, name: '$feature_flag' },
    limit: 100,
  };
}

/** Of one, by the value that it had. */
export function usageInput(project: string, key: string) {
  const ofFlag = { about: 'event' as const, name: '$feature_flag', operator: 'equals' as const, values: [key] };
  return {
    project,
    range: 'last_28_days' as const,
    filters: { match: 'all' as const, of: [ofFlag] },
    series: [{ event: { event: CALLED } }, { event: { event: CALLED }, measure: 'persons' as const }],
    breakdown: { about: 'event' as const, name: '$feature_flag_response' },
  };
}

export interface Called {
  total: number;
  /** Start of the last day with a call, ms; null: none in the range. */
  lastDay: number | null;
}

export function calledOf(result: TrendsResult, key: string): Called {
  const row = result.series[0]?.rows.find(({ value }) => value === key);
  const last = row?.points.findLastIndex((count) => (count ?? 0) > 0) ?? -1;
  return { total: row?.total ?? 0, lastDay: last < 0 ? null : (result.starts[last] ?? null) };
}
