/** Schemas of alerts in the public API. */
import * as z from 'zod';
import type { Alert, AlertSummary, ChangedAlert } from '#src/alerts/contract.ts';
import {
  alertIntervals,
  alertProblems,
  alertStates,
  changeDirections,
  deliveryErrors,
  deliveryStates,
  ingestionNumbers,
  MAX_ALERT_NAME,
  MAX_SILENT_INTERVALS,
  MAX_TARGET_URL,
  MAX_TARGETS,
  noticeKinds,
  targetKinds,
} from '#src/alerts/values.ts';
import { filters as filterSchema } from '#src/columns/contract.ts';
import { issueSignals } from '#src/errors/values.ts';
import { overviewMetrics } from '#src/insights/contract.ts';
import { rowId } from '#src/insights/query/parameters.ts';
import { ms } from '#src/insights/query/results.ts';
import { projectPath } from './schemas.ts';

export const alertPath = projectPath.extend({ alert: rowId });

const Subject = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('metric'),
      metric: z.enum(overviewMetrics),
      filters: z.optional(filterSchema),
    }),
    z.strictObject({
      kind: z.literal('goal'),
      goal: z.int().meta({ description: 'ID of a goal.' }),
      of: z.enum(['conversions', 'conversionRate']),
      filters: z.optional(filterSchema),
    }),
    z.strictObject({
      kind: z.literal('insight'),
      insight: z.int().meta({ description: 'ID of a saved insight of the kind trends: its first formula or series.' }),
    }),
    z.strictObject({
      kind: z.literal('events'),
      event: z.string().optional().meta({ description: 'Absent: all events, bots and internal traffic included.' }),
    }),
    z.strictObject({
      kind: z.literal('issues'),
      on: z.array(z.enum(issueSignals)).min(1).max(3).meta({
        description:
          'Issues of errors that are new, seen again after they were resolved, or far more frequent than usual. You are notified within a minute; interval and condition have no effect.',
      }),
    }),
    z.strictObject({
      kind: z.literal('ingestion'),
      of: z.enum(ingestionNumbers).meta({
        description: 'Dropped and refused events, or their share of all that arrived. Conditions: above, below.',
      }),
    }),
  ])
  .meta({ id: 'AlertSubject', description: 'The number that is watched.' });

const share = z.number().min(0.01).max(100).meta({ description: 'A share: 0.3 is 30%.' });
const intervals = z
  .int()
  .min(1)
  .max(MAX_SILENT_INTERVALS)
  .meta({ description: 'Intervals in a row without an event.' });

const Condition = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('above'), value: z.number() }),
    z.strictObject({ kind: z.literal('below'), value: z.number() }),
    z.strictObject({ kind: z.literal('change'), share, direction: z.enum(changeDirections) }),
    z.strictObject({ kind: z.literal('silence'), intervals }),
  ])
  .meta({
    id: 'AlertCondition',
    description:
      'When it fires. `change` compares with the median of the same weekday and hour of the last four weeks. Values of rates are shares.',
  });

const url = z.string().max(MAX_TARGET_URL).meta({ description: 'Stored encrypted, never answered.' });

const NewTarget = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('email'),
      members: z.array(z.int()).min(1).max(50).meta({ description: 'IDs of members of the team.' }),
    }),
    z.strictObject({ kind: z.literal('webhook'), url }),
    z.strictObject({ kind: z.literal('slack'), url }),
    z.strictObject({ kind: z.literal('discord'), url }),
    z.strictObject({ kind: z.literal('teams'), url }),
    z.strictObject({ kind: z.literal('telegram'), token: z.string(), chat: z.string() }),
    z.strictObject({ kind: z.literal('stored'), id: z.int().meta({ description: 'Keeps a target of this alert.' }) }),
  ])
  .meta({ id: 'NewAlertTarget' });

const name = z.string().trim().min(1).max(MAX_ALERT_NAME);
const interval = z.enum(alertIntervals);
const targets = z.array(NewTarget).max(MAX_TARGETS);

export const NewAlert = z
  .strictObject({ name, subject: Subject, interval, condition: Condition, targets: targets.default([]) })
  .meta({
    id: 'NewAlert',
    examples: [
      {
        name: 'Fewer visitors',
        subject: { kind: 'metric', metric: 'visitors' },
        interval: 'day',
        condition: { kind: 'change', share: 0.3, direction: 'down' },
        targets: [{ kind: 'webhook', url: 'https://example.com/alerts' }],
      },
    ],
  });

export const AlertPatch = z
  .strictObject({
    name: name.optional(),
    subject: Subject.optional(),
    interval: interval.optional(),
    condition: Condition.optional(),
    targets: targets.optional().meta({ description: 'Replaces all targets.' }),
    active: z.boolean().optional(),
    revision: z.int().optional().meta({ description: 'The revision you read. 409 if there is a newer one.' }),
  })
  .meta({ id: 'AlertPatch', examples: [{ active: false }] });

export const AlertSnooze = z
  .strictObject({ hours: z.int().min(1).max(168).nullable().meta({ description: 'Null ends the snooze.' }) })
  .meta({ id: 'AlertSnooze', examples: [{ hours: 4 }] });

const number = z.number().nullable();

const summary = {
  id: z.int(),
  name: z.string(),
  subject: Subject,
  subjectName: z.string().nullable().meta({ description: 'Name of the goal or insight.' }),
  interval,
  condition: Condition,
  active: z.boolean(),
  state: z.enum(alertStates),
  stateAt: ms.meta({ description: 'When the state began.' }),
  acknowledgedBy: z.string().nullable(),
  snoozedUntil: ms.nullable(),
  last: z
    .object({ from: ms, to: ms, value: number, expected: number })
    .nullable()
    .meta({ description: 'The last interval that was evaluated.' }),
  problem: z.enum(alertProblems).nullable().meta({ description: 'Why the last evaluation failed.' }),
  targets: z.array(
    z
      .object({
        id: z.int(),
        kind: z.enum(targetKinds),
        place: z.string().meta({ description: 'Host of the address, or the chat.' }),
        members: z.array(z.object({ id: z.int(), name: z.string() })),
      })
      .meta({ id: 'AlertTarget' }),
  ),
  createdBy: z.object({ id: z.int(), name: z.string().nullable() }),
  changedAt: ms,
  revision: z.int(),
};

export const AlertItem = z.object(summary).meta({ id: 'AlertSummary' });
AlertItem satisfies z.ZodType<AlertSummary>;

export const AlertList = z.object({ alerts: z.array(AlertItem) }).meta({ id: 'Alerts' });

export const AlertAnswer = z
  .object({
    ...summary,
    history: z
      .array(
        z.object({
          from: ms,
          to: ms,
          value: number,
          expected: number,
          fires: z.boolean().nullable().meta({ description: 'Null: not enough data.' }),
          failed: z.boolean(),
          at: ms,
        }),
      )
      .meta({ description: 'The newest first.' }),
    deliveries: z
      .array(
        z.object({
          id: z.string(),
          target: z.int().nullable(),
          kind: z.enum(targetKinds),
          place: z.string(),
          notice: z.enum(noticeKinds),
          state: z.enum(deliveryStates),
          tries: z.int(),
          createdAt: ms,
          sentAt: ms.nullable(),
          nextAt: ms.nullable(),
          status: z.int().nullable(),
          error: z.enum(deliveryErrors).nullable(),
        }),
      )
      .meta({ description: 'Messages to webhooks and chats, the newest first. Empty without `persons:read`.' }),
  })
  .meta({ id: 'Alert' });
AlertAnswer satisfies z.ZodType<Alert>;

export const ChangedAlertAnswer = z
  .object({
    alert: AlertItem,
    secrets: z
      .array(z.object({ target: z.int(), place: z.string(), secret: z.string() }))
      .meta({ description: 'Secrets of new webhooks. They are answered only here.' }),
  })
  .meta({ id: 'ChangedAlert' });
ChangedAlertAnswer satisfies z.ZodType<ChangedAlert>;
