/** Lists and limits of queries that the browser reads too: no schemas, so no zod comes along. */

export const rangePresets = [
  'today',
  'yesterday',
  'last_24_hours',
  'last_7_days',
  'last_7_full_days',
  'last_28_days',
  'last_30_days',
  'last_90_days',
  'this_week',
  'this_month',
  'last_month',
  'this_year',
  'last_12_months',
  'all_time',
] as const;

export const comparisons = ['previous', 'year', 'weekday', 'none'] as const;

export const intervals = ['hour', 'day', 'week', 'month'] as const;

/** Criteria of one set of persons. */
export const MAX_CRITERIA = 20;
