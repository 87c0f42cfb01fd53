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

/** A figure of the overview, a table of it (`goal`: of all goals), its weekdays by hours, or its web vitals. */
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
  /** Number of the goal. When it is there no more, visitors are explained. */
  goal: z.optional(rowId),
  /** Of `revenue`; '' for amounts that name none. */
  currency: z.optional(z.string().check(z.regex(/^([A-Z]{0,3}|unknown)$/))),
  /** Of `conversionRate`, and of `goal`. */
  per: goalPer,
  /** Of `vitals`. */
  vital: z.optional(z.enum(vitalNames)),
  percentile: z.optional(vitalPercentile),
  /** Of a table: with its further columns. */
  more: z.optional(z.boolean()),
});
export type ExplainInput = z.infer<typeof explainInput>;

/**
 * What another product's rule would say of the same events; null where there is nothing to divide by. Its unit is that of the number.
 * Visitors: `plausible` has someone new each day, `umami` each month. Bounce rate: of `plausible` are visits with one view and no event of
 * one's own, of `ga4` those with neither two views nor more than ten seconds nor a goal, of `openpanel` those with one view. Visit duration:
 * `openpanel` leaves out those of no length. Conversions: `ga4` may count visits with one; its rate is of visits, that of `plausible` of
 * visitors of each day. Web vitals: `posthog` shows the 90th percentile.
 */
export interface Elsewhere {
  product: 'plausible' | 'ga4' | 'umami' | 'openpanel' | 'posthog';
  value: number | null;
}

export interface Explanation {
  of: Explained;
  /** Of numbers of goals: what the rate is a share of. */
  per: GoalPer;
  /** Visits with one view or click and shorter than this are bounces. */
  bounceSeconds: number;
  /** SQL that gives the number from the rows, with everything filled in. Of a table: its rows. */
  sql: string;
  /** The same for the range that it is compared with; null without one. */
  sqlBefore: string | null;
  /** Names of the events that are counted one by one (none: of any); null for what is not counted so. */
  events: string[] | null;
  /** What the number leaves out. */
  excluded: {
    /** Of what: page views, or events of the kind that is counted. */
    of: 'views' | 'events';
    /** Null: they are taken in. */
    bots: number | null;
    internal: number | null;
    /** By the filters; null without any. */
    filters: number | null;
    /** Of what counts visits: views, or events of the goal, that belong to none; null for what does not. */
    withoutVisit: number | null;
  };
  elsewhere: Elsewhere[];
  /** What `Overview` says beside this number. */
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

/** What is left out of the numbers of a screen. */
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
  /** The moment that the SQL is of. */
  at: number;
  /** SQL that gives the numbers from the tables, with everything filled in. */
  parts: { of: (typeof screenFigures)[Screen][number]; sql: string }[];
  left: { what: LeftOut; count: number }[];
  elsewhere: Pick<Elsewhere, 'product' | 'value'>[];
}
