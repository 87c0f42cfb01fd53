/** Lengths and names that contracts and forms share: no schemas, so no zod comes along. */

/** Characters of a name of a person, team, project or key. */
export const MAX_SHOWN_NAME_LENGTH = 100;
/** Characters of a name of an event or a property. */
export const MAX_STORED_NAME_LENGTH = 400;

/** Stretches of time by name. */
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
