/** Stretches of time as questions name them. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';

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
export type RangePreset = (typeof rangePresets)[number];

export const isoDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/** A preset, or dates in the project's time zone, both included. */
export const rangeInput = z.union([z.enum(rangePresets), z.object({ from: isoDate, to: isoDate })]);
export type RangeInput = z.infer<typeof rangeInput>;
