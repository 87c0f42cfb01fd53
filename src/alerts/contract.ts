/**
 * Alerts: a number that is watched by finished intervals, a condition, and whom to notify. Read by the browser, so zod/mini only.
 */
import * as z from 'zod/mini';
import { filters } from '#src/columns/contract.ts';
import { issueSignals } from '#src/errors/values.ts';
import { overviewMetrics } from '#src/insights/contract.ts';
import { lineOf } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import {
  type AlertProblem,
  type AlertState,
  alertIntervals,
  changeDirections,
  conditionsFor,
  type DeliveryError,
  type DeliveryState,
  ingestionNumbers,
  MAX_ALERT_NAME,
  MAX_SILENT_INTERVALS,
  MAX_TARGET_URL,
  MAX_TARGETS,
  type NoticeKind,
  type TargetKind,
} from './values.ts';

/** What is watched. */
export const alertSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('metric'), metric: z.enum(overviewMetrics), filters: z.optional(filters) }),
  z.strictObject({
    kind: z.literal('goal'),
    goal: rowId,
    of: z.enum(['conversions', 'conversionRate']),
    filters: z.optional(filters),
  }),
  /** A saved insight of the kind `trends`: its first formula or series, in total. */
  z.strictObject({ kind: z.literal('insight'), insight: rowId }),
  /** Events of a name that arrive; absent: all. */
  z.strictObject({ kind: z.literal('events'), event: z.optional(lineOf(400)) }),
  /** Issues of errors, which notify as they happen; history has them by hour, and it fires while an hour had any. */
  z.strictObject({
    kind: z.literal('issues'),
    on: z.array(z.enum(issueSignals)).check(z.minLength(1), z.maxLength(3)),
  }),
  /** What was dropped or refused of what arrived. */
  z.strictObject({ kind: z.literal('ingestion'), of: z.enum(ingestionNumbers) }),
]);
export type AlertSubject = z.infer<typeof alertSubject>;

const finite = z.number().check(z.minimum(-1e12), z.maximum(1e12));

/** Percentages are shares: 0.25 is 25%. */
export const alertCondition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('above'), value: finite }),
  z.strictObject({ kind: z.literal('below'), value: finite }),
  /** Change against the median of the same weekday (and hour) of the last four weeks, as a share, that is also more than noise. */
  z.strictObject({
    kind: z.literal('change'),
    share: z.number().check(z.minimum(0.01), z.maximum(100)),
    direction: z._default(z.enum(changeDirections), 'any'),
  }),
  /** Nothing in so many finished intervals in a row. */
  z.strictObject({
    kind: z.literal('silence'),
    intervals: z._default(z.int().check(z.minimum(1), z.maximum(MAX_SILENT_INTERVALS)), 1),
  }),
]);
export type AlertCondition = z.infer<typeof alertCondition>;

const url = z.string().check(
  z.trim(),
  z.maxLength(MAX_TARGET_URL),
  z.refine((text) => /^https?:\/\/[^\s/@]+(?:[/?][^\s]*)?$/i.test(text) && URL.canParse(text), 'Invalid URL.'),
);

/** Whom to notify. An address or token is only written: to keep what is stored, name the target by its id. */
export const targetInput = z.discriminatedUnion('kind', [
  /** Members of the team, by the ids of their accounts. */
  z.strictObject({ kind: z.literal('email'), members: z.array(rowId).check(z.minLength(1), z.maxLength(50)) }),
  z.strictObject({ kind: z.literal('webhook'), url }),
  z.strictObject({ kind: z.literal('slack'), url }),
  z.strictObject({ kind: z.literal('discord'), url }),
  z.strictObject({ kind: z.literal('teams'), url }),
  z.strictObject({
    kind: z.literal('telegram'),
    token: z.string().check(z.trim(), z.regex(/^\d{1,20}:[\w-]{10,100}$/, 'Invalid token.')),
    chat: z.string().check(z.trim(), z.regex(/^(?:-?\d{1,20}|@\w{1,64})$/, 'Invalid chat ID.')),
  }),
  z.strictObject({ kind: z.literal('stored'), id: rowId }),
]);
export type TargetInput = z.infer<typeof targetInput>;

const fields = {
  name: lineOf(MAX_ALERT_NAME),
  subject: alertSubject,
  interval: z.enum(alertIntervals),
  condition: alertCondition,
  targets: z.array(targetInput).check(z.maxLength(MAX_TARGETS, `Use at most ${MAX_TARGETS} targets.`)),
};

export const alertInput = z.object({ ...fields, targets: z._default(fields.targets, []) }).check(
  z.refine(({ subject, condition }) => conditionsFor(subject).includes(condition.kind), {
    path: ['condition'],
    message: 'This number can’t have this condition. Choose another one.',
  }),
);
export type AlertInput = z.infer<typeof alertInput>;

export const alertRef = z.object({ alert: rowId });

/** Changed fields; absent ones are unchanged. */
export const alertChange = z.object({
  alert: rowId,
  /** The one that was changed; another newer one is a conflict. Absent: the newest. */
  revision: z.optional(z.int()),
  name: z.optional(fields.name),
  subject: z.optional(fields.subject),
  interval: z.optional(fields.interval),
  condition: z.optional(fields.condition),
  targets: z.optional(fields.targets),
  active: z.optional(z.boolean()),
});
export type AlertChange = Omit<z.infer<typeof alertChange>, 'alert'>;

/** Up to a week ahead; null: no longer. */
export const alertSnooze = z.object({ alert: rowId, hours: z.nullable(z.int().check(z.minimum(1), z.maximum(168))) });

export const alertPreview = z.object({
  subject: alertSubject,
  interval: z.enum(alertIntervals),
  condition: alertCondition,
});
export type AlertPreviewInput = z.infer<typeof alertPreview>;

export const targetRef = z.object({ alert: rowId, target: rowId });
export const deliveryRef = z.object({ alert: rowId, delivery: z.uuid() });

/** A target without its secrets. */
export interface AlertTarget {
  id: number;
  kind: TargetKind;
  /** Host of the address, or the chat; empty for email. */
  place: string;
  /** Of email: members of the team. */
  members: { id: number; name: string }[];
}

export interface AlertSummary {
  id: number;
  name: string;
  subject: AlertSubject;
  /** Name of the goal or insight; null: it has none, or no longer exists. */
  subjectName: string | null;
  interval: 'hour' | 'day' | 'week';
  condition: AlertCondition;
  active: boolean;
  state: AlertState;
  /** When the state began, ms. */
  stateAt: number;
  acknowledgedBy: string | null;
  /** Ms; null or past: not snoozed. */
  snoozedUntil: number | null;
  /** The last interval that was evaluated; null: none yet. */
  last: { from: number; to: number; value: number | null; expected: number | null } | null;
  /** Why the last evaluation failed; null: it did not. */
  problem: AlertProblem | null;
  targets: AlertTarget[];
  createdBy: { id: number; name: string | null };
  changedAt: number;
  revision: number;
}

/** One interval that was evaluated. Times are ms. */
export interface AlertEvaluation {
  from: number;
  to: number;
  value: number | null;
  expected: number | null;
  /** Null: no data to decide by. */
  fires: boolean | null;
  failed: boolean;
  at: number;
}

export interface AlertDelivery {
  id: string;
  target: number | null;
  kind: TargetKind;
  place: string;
  notice: NoticeKind;
  state: DeliveryState;
  tries: number;
  createdAt: number;
  sentAt: number | null;
  nextAt: number | null;
  /** Status of the answer; null: there was none. */
  status: number | null;
  error: DeliveryError | null;
}

export interface Alert extends AlertSummary {
  /** The newest first. */
  history: AlertEvaluation[];
  /** The newest first; without those of email, which the outbox has. */
  deliveries: AlertDelivery[];
}

/** The answer to a change: secrets of new webhooks are in it once, and never again. */
export interface ChangedAlert {
  alert: AlertSummary;
  secrets: { target: number; place: string; secret: string }[];
}

export interface AlertPoint {
  from: number;
  to: number;
  value: number | null;
  expected: number | null;
  /** Values within are usual; null: not of this condition, or unknown. */
  low: number | null;
  high: number | null;
  fires: boolean | null;
}

/** The last finished intervals, the oldest first, and which would have fired. */
export interface AlertPreview {
  timeZone: string;
  points: AlertPoint[];
}

export interface AlertMember {
  id: number;
  name: string;
}
