/** Limits and lists of alerts. Without schemas, so that the browser may import it as it is. */
import type { IssueSignal } from '#src/errors/values.ts';
import type { overviewMetrics } from '#src/insights/kinds/overview/values.ts';

export const MAX_ALERTS = 100;
export const MAX_ALERT_NAME = 200;
export const MAX_TARGETS = 10;
/** Characters of the address of a webhook. */
export const MAX_TARGET_URL = 2_000;
/** Finished intervals without an event until silence fires. */
export const MAX_SILENT_INTERVALS = 168;

export const alertIntervals = ['hour', 'day', 'week'] as const;
export type AlertInterval = (typeof alertIntervals)[number];

export const alertConditions = ['above', 'below', 'change', 'silence'] as const;
export type AlertConditionKind = (typeof alertConditions)[number];

export const changeDirections = ['any', 'up', 'down'] as const;
export type ChangeDirection = (typeof changeDirections)[number];

/**
 * `ok`: never fired. `firing`: the condition holds. `acknowledged`: it holds, and someone takes care of it. `resolved`: it held, and no longer
 * does.
 */
export const alertStates = ['ok', 'firing', 'acknowledged', 'resolved'] as const;
export type AlertState = (typeof alertStates)[number];

export const targetKinds = ['email', 'webhook', 'slack', 'discord', 'teams', 'telegram'] as const;
export type TargetKind = (typeof targetKinds)[number];

export const subjectKinds = ['metric', 'goal', 'insight', 'events', 'issues', 'ingestion'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** Numbers of ingestion: dropped and refused events, or their share of all that arrived. Stored. */
export const ingestionNumbers = ['dropped', 'droppedShare'] as const;
export type IngestionNumber = (typeof ingestionNumbers)[number];

/** What an alert watches, as messages describe it; `contract.ts` has the schema. */
export type DescribedSubject =
  | { kind: 'metric'; metric: (typeof overviewMetrics)[number]; filters?: unknown }
  | { kind: 'goal'; goal: number; of: 'conversions' | 'conversionRate'; filters?: unknown }
  | { kind: 'insight'; insight: number }
  | { kind: 'events'; event?: string | undefined }
  | { kind: 'issues'; on: readonly IssueSignal[] }
  | { kind: 'ingestion'; of: IngestionNumber };

/** Issues that one message names. */
export const MAX_ISSUES_TOLD = 10;

/** An issue that a message is about. */
export interface DescribedIssue {
  id: number;
  signal: IssueSignal;
  /** "TypeError: frete is undefined". */
  title: string;
  culprit: string;
  link: string;
}

/** When it fires, as messages describe it. */
export type DescribedCondition =
  | { kind: 'above' | 'below'; value: number }
  | { kind: 'change'; share: number; direction: ChangeDirection }
  | { kind: 'silence'; intervals: number };

/** What a number counts, for how it is written. */
export type AlertUnit = 'count' | 'percent' | 'seconds';

/** Numbers of *Overview* that are not counts. */
const units: Readonly<Record<string, AlertUnit>> = { bounceRate: 'percent', visitDuration: 'seconds' };

export function unitOf(subject: { kind: SubjectKind; metric?: string; of?: string }): AlertUnit {
  if (subject.kind === 'metric') return units[subject.metric ?? ''] ?? 'count';
  return subject.of === 'conversionRate' || subject.of === 'droppedShare' ? 'percent' : 'count';
}

/** True for subjects that notify as it happens, not by finished intervals. */
export function isTold(subject: { kind: SubjectKind }): boolean {
  return subject.kind === 'issues';
}

/** Conditions that a number can have. Rates and means are not 0 when nothing happens; minutes of ingestion are not kept for four weeks. */
export function conditionsFor(subject: {
  kind: SubjectKind;
  metric?: string;
  of?: string;
}): readonly AlertConditionKind[] {
  if (subject.kind === 'ingestion') return ['above', 'below'];
  const canBeSilent = unitOf(subject) === 'count' && subject.metric !== 'viewsPerVisit';
  return canBeSilent ? alertConditions : alertConditions.filter((kind) => kind !== 'silence');
}

/** Tries of a message to a webhook or chat. */
export const MAX_TRIES = 5;

export const deliveryStates = ['queued', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What a message is about. */
export const noticeKinds = ['fired', 'reminder', 'resolved', 'test'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Why a message did not arrive: `refused` is an address inside a private network. */
export const deliveryErrors = ['refused', 'unreachable', 'timeout', 'status', 'unreadable'] as const;
export type DeliveryError = (typeof deliveryErrors)[number];

/** Why an alert could not be evaluated: what it watches no longer exists, cannot be watched, or took too long. */
export const alertProblems = ['gone', 'invalid', 'timeout', 'internal'] as const;
export type AlertProblem = (typeof alertProblems)[number];
