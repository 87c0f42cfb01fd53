/** How a number is counted. Read by the browser, so zod/mini only; answers are JSON-safe. */
import * as z from 'zod/mini';
import { rowId } from '#src/kit/row.ts';
import {
  breakdownDimensions,
  type Caveat,
  comparison,
  eventScope,
  type GoalPer,
  goalPer,
  overviewMetrics,
  rangeInput,
} from '../contract.ts';
import { goalNumbers } from '../kinds/overview/values.ts';
import { vitalNames, vitalPercentile } from '../kinds/vitals/contract.ts';

/** A figure of the overview, one of its tables (`goal`: all goals), the weekly heatmap, or web vitals. */
export const explained = [
  ...overviewMetrics,
  ...breakdownDimensions,
  ...goalNumbers,
  'goal',
  'hours',
  'vitals',
] as const;
export type Explained = (typeof explained)[number];

export const explainInput = z.object({
  project: z.string().check(z.minLength(1), z.maxLength(64)),
  range: rangeInput,
  /** Absent: with nothing. */
  compare: z.optional(comparison),
  ...eventScope,
  /** Number of a segment of the project: its filters apply too. */
  segment: z.optional(rowId),
  of: z.enum(explained),
  /** Id of the goal. When it was deleted, visitors are explained. */
  goal: z.optional(rowId),
  /** For `revenue`; '' for amounts without a currency. */
  currency: z.optional(z.string().check(z.regex(/^([A-Z]{0,3}|unknown)$/))),
  /** For `conversionRate` and `goal`. */
  per: goalPer,
  /** For `vitals`. */
  vital: z.optional(z.enum(vitalNames)),
  percentile: z.optional(vitalPercentile),
  /** For tables: with the additional columns. */
  more: z.optional(z.boolean()),
});
export type ExplainInput = z.infer<typeof explainInput>;

/**
 * The number by another product's definition, in the same unit; null when there is nothing to divide by.
 * Visitors: new each day in `plausible`, each month in `umami`. Bounces: visits with one view and no custom event in
 * `plausible`; without two views, ten seconds or a goal in `ga4`; with one view in `openpanel`. Visit duration:
 * `openpanel` skips visits without duration. Conversions: `ga4` can count visits; its rate is per visit, that of `plausible` per
 * daily visitor. Web vitals: `posthog` shows the 90th percentile.
 */
export interface Elsewhere {
  product: 'plausible' | 'ga4' | 'umami' | 'openpanel' | 'posthog';
  value: number | null;
}

export interface Explanation {
  of: Explained;
  /** For goals: the denominator of the rate. */
  per: GoalPer;
  /** Visits with one view or click and shorter than this are bounces. */
  bounceSeconds: number;
  /** SQL that gives the number from the rows, with everything filled in. Of a table: its rows. */
  sql: string;
  /** The same for the range that it is compared with; null without one. */
  sqlBefore: string | null;
  /** Names of the events that are counted one by one (none: of any); null for what is not counted so. */
  events: string[] | null;
  /** Excluded events. */
  excluded: {
    /** Unit: page views, or the counted events. */
    of: 'views' | 'events';
    /** Null: included. */
    bots: number | null;
    internal: number | null;
    /** Excluded by filters; null without filters. */
    filters: number | null;
    /** For numbers of visits: views or goal events without a visit; null for other numbers. */
    withoutVisit: number | null;
  };
  elsewhere: Elsewhere[];
  /** Caveats that Overview shows with the number. */
  caveats: Caveat[];
}

/** How the numbers of a goal that is not saved yet are counted: of all that is shown, and of what it was worth in each currency. */
export interface DraftExplanation {
  counted: Explanation;
  revenue: { currency: string; sql: string }[];
}

/** Numbers of other screens, by what is counted together. */
export const screenFigures = {
  live: ['now', 'minutes', 'pages', 'sources'],
  ingestion: ['outcomes', 'minutes', 'problems'],
  people: ['people'],
  person: ['person', 'visits', 'ids'],
  definitions: ['events', 'properties'],
  home: ['week', 'present'],
  status: ['database', 'sizes', 'projects', 'jobs'],
  upstream: ['passed', 'queue'],
  stored: ['stored', 'older'],
  list: ['listed'],
  files: ['files'],
  privacy: ['receipts', 'retention'],
} as const;
export type ExplainedScreen = keyof typeof screenFigures;

/** Excluded events of a screen's numbers. */
export type LeftOut =
  | 'bots'
  | 'internal'
  | 'botViews'
  | 'teamViews'
  | 'withoutProfile'
  | 'merged'
  | 'visitsWithoutView';

/** How the numbers of a screen other than the Overview are counted. */
export interface ScreenExplanation<Screen extends ExplainedScreen = ExplainedScreen> {
  /** Time of the SQL, ms. */
  at: number;
  /** SQL that gives the numbers from the tables, with everything filled in. */
  parts: { of: (typeof screenFigures)[Screen][number]; sql: string }[];
  left: { what: LeftOut; count: number }[];
  elsewhere: Pick<Elsewhere, 'product' | 'value'>[];
}
