/** Constants of experiments. No schemas, so that screens can import it. */

export const MAX_EXPERIMENTS = 200;
/** Variants that are compared. */
export const MAX_ARMS = 10;
export const MAX_GUARDRAILS = 5;
export const MAX_WINDOW_DAYS = 90;
export const MAX_STEPS = 6;
export const MAX_NAME = 120;
export const MAX_TEXT = 1_000;

/** What is measured of each person who was exposed. */
export const metricKinds = ['conversion', 'funnel', 'count', 'revenue', 'ratio'] as const;
export type MetricKind = (typeof metricKinds)[number];

/** A decision before so many full days, or with fewer people of a variant who do something, is early. */
export const MIN_DAYS = 7;
export const MIN_CONVERSIONS = 100;

/** Share of experiments without a difference in which one may be reported, however often the results are read. */
export const ALPHA = 0.05;
/** A difference of shares as large as this, by chance in fewer than one experiment of a thousand, is a fault of the experiment. */
export const SAMPLE_RATIO_ALPHA = 0.001;
/** The lift that the needed sample is computed for, unless the experiment says another, and its bounds. */
export const PLANNED_LIFT = 0.2;
export const MIN_PLANNED_LIFT = 0.005;
export const MAX_PLANNED_LIFT = 1;
/** Share of experiments in which the planned lift is found by the people that are needed for it. */
export const POWER = 0.8;
/** Days ahead for which a date is estimated. */
export const MAX_DAYS_AHEAD = 3_650;

/** Days before the first exposure whose values explain part of the differences between people. */
export const PRE_DAYS = 14;

/** What people are divided by: properties of their first exposure. */
export const segmentProperties = {
  device: '$device_type',
  browser: '$browser',
  os: '$os',
  country: '$geoip_country_code',
} as const;
export type SegmentName = keyof typeof segmentProperties;
export const segmentNames = Object.keys(segmentProperties) as SegmentName[];
/** Values with a row: those of most calls. */
export const MAX_SEGMENTS = 6;
