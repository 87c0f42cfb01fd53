/** Limits, lists and shapes of reports. Without schemas, so that the browser may import it as it is. */
import type { overviewMetrics } from '#src/insights/kinds/overview/values.ts';

export const MAX_REPORTS = 100;
/** Of one report. */
export const MAX_RECIPIENTS = 50;
/** Of all reports of a project: what goes out at one hour. */
export const MAX_PROJECT_RECIPIENTS = 500;

/** What a report shows: the project in short, a dashboard, or a saved insight. Stored. */
export const reportKinds = ['summary', 'dashboard', 'insight'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** Stored. Each shows the finished day, week or month of the project. */
export const reportFrequencies = ['daily', 'weekly', 'monthly'] as const;
export type ReportFrequency = (typeof reportFrequencies)[number];

/** `unconfirmed`: an address whose owner has not agreed yet. */
export const recipientStates = ['unconfirmed', 'active', 'unsubscribed'] as const;
export type RecipientState = (typeof recipientStates)[number];

export const sendStates = ['pending', 'sent', 'skipped', 'failed'] as const;
export type SendState = (typeof sendStates)[number];

/**
 * Why a report was not sent. `late`: the server was off, and it was too old afterwards. `gone`: what it shows was deleted. `hidden`: the
 * recipient may not see it. `timeout`, `internal`: it could not be computed.
 */
export const reportProblems = ['late', 'gone', 'hidden', 'timeout', 'internal'] as const;
export type ReportProblem = (typeof reportProblems)[number];

/** When a report is due. */
export interface ReportSchedule {
  frequency: ReportFrequency;
  /** Of weekly ones: 0 Sunday to 6 Saturday. */
  weekday: number;
  /** Of the reader's day, 0 to 23. */
  hour: number;
}

/** Dates of the project, both included. */
export interface ReportDates {
  from: string;
  to: string;
}

type OverviewMetric = (typeof overviewMetrics)[number];

/** A part of a report as it was computed, by the queries of the screens. `result` is what the query of its kind answers. */
export type ReportPart =
  | { kind: 'overview'; result: unknown; metrics: readonly OverviewMetric[]; chart: OverviewMetric | null }
  | { kind: 'breakdown' | 'goals' | 'movers' | 'heatmap' | 'vitals'; result: unknown }
  /** `query` is the input of its kind. */
  | { kind: 'insight'; name: string; insight: string; query: unknown; result: unknown }
  | { kind: 'heading' | 'text'; text: string }
  /** A part that could not be computed; the others are there. */
  | { kind: 'failed'; name: string };

/** A report to one reader, before it is written. */
export interface ReportData {
  /** To what it shows. */
  link: string;
  /** To the reader's reports; null: the reader has no account. */
  manageLink: string | null;
  /** Ends it for this reader. */
  unsubscribeLink: string;
  kind: ReportKind;
  /** Of the dashboard or insight; empty for the summary. */
  name: string;
  project: string;
  /** Zone of the numbers. */
  timeZone: string;
  schedule: ReportSchedule;
  dates: ReportDates;
  previous: ReportDates;
  parts: readonly ReportPart[];
  /** Parts that there are beyond those. */
  more: number;
  goals: readonly { id: number; name: string }[];
}

/** The mail that asks the owner of an address whether they want a report. */
export interface ReportConfirmData {
  link: string;
  by: string;
  project: string;
  report: string;
  kind: ReportKind;
  schedule: ReportSchedule;
  days: number;
}
