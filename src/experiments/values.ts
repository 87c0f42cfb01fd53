/** Constants of experiments. No schemas, so that screens can import it. */

export const MAX_EXPERIMENTS = 200;
/** Variants that are compared. */
export const MAX_ARMS = 10;
export const MAX_GUARDRAILS = 5;
export const MAX_WINDOW_DAYS = 90;
export const MAX_NAME = 120;
export const MAX_TEXT = 1_000;

/** A decision before so many days, or with fewer conversions of a variant, is early. */
export const MIN_DAYS = 7;
export const MIN_CONVERSIONS = 100;

/** Share of experiments without a difference in which one may be reported, however often the results are read. */
export const ALPHA = 0.05;
/** A difference of shares as large as this, by chance in fewer than one experiment of a thousand, is a fault of the experiment. */
export const SAMPLE_RATIO_ALPHA = 0.001;
/** The lift that the needed sample is computed for, and how likely it is found. */
export const PLANNED_LIFT = 0.2;
