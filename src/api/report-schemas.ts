/** Schemas of reports by email in the public API. */
import * as z from 'zod';
import { rowId } from '#src/insights/query/parameters.ts';
import { ms } from '#src/insights/query/results.ts';
import type { Report, ReportWithHistory } from '#src/reports/contract.ts';
import {
  MAX_RECIPIENTS,
  recipientStates,
  reportFrequencies,
  reportKinds,
  reportProblems,
  sendStates,
} from '#src/reports/values.ts';
import { projectPath } from './schemas.ts';

export const reportPath = projectPath.extend({ report: rowId });

const Subject = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('summary') }),
    z.strictObject({ kind: z.literal('dashboard'), id: z.int().meta({ description: 'ID of a dashboard.' }) }),
    z.strictObject({ kind: z.literal('insight'), id: z.int().meta({ description: 'ID of a saved insight.' }) }),
  ])
  .meta({ id: 'ReportSubject', description: 'What the report shows. `summary`: the project in short.' });

const weekday = z.int().min(0).max(6);
const hour = z.int().min(0).max(23);

const NewSchedule = z
  .strictObject({
    frequency: z.enum(reportFrequencies),
    weekday: weekday.default(1).meta({ description: 'Of weekly reports: 0 Sunday to 6 Saturday.' }),
    hour: hour.default(8).meta({ description: 'Hour of the reader’s day.' }),
  })
  .meta({ id: 'NewReportSchedule', description: 'Each report shows the finished day, week or month of the project.' });

const NewRecipient = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('member'),
      account: z.int().meta({ description: 'ID of a member of the team.' }),
    }),
    z.strictObject({
      kind: z.literal('address'),
      address: z.string().max(254).meta({ description: 'Nothing is sent before its owner has confirmed by email.' }),
      language: z.enum(['en', 'pt-BR']),
      timeZone: z.string().max(100).optional().meta({ description: 'IANA name. Default: the project’s.' }),
    }),
  ])
  .meta({ id: 'NewReportRecipient' });

const recipients = z.array(NewRecipient).max(MAX_RECIPIENTS);

export const NewReport = z
  .strictObject({ subject: Subject, schedule: NewSchedule, recipients: recipients.default([]) })
  .meta({
    id: 'NewReport',
    examples: [
      {
        subject: { kind: 'summary' },
        schedule: { frequency: 'weekly', weekday: 1, hour: 8 },
        recipients: [{ kind: 'address', address: 'boss@example.com', language: 'en', timeZone: 'America/New_York' }],
      },
    ],
  });

export const ReportPatch = z
  .strictObject({
    schedule: NewSchedule.optional(),
    recipients: recipients
      .optional()
      .meta({ description: 'Replaces all recipients. Those that stay keep their state.' }),
    active: z.boolean().optional(),
    revision: z.int().optional().meta({ description: 'The revision you read. 409 if there is a newer one.' }),
  })
  .meta({ id: 'ReportPatch', examples: [{ schedule: { frequency: 'daily', hour: 7 } }] });

const summary = {
  id: z.int(),
  subject: z.object({ kind: z.enum(reportKinds), id: z.int().nullable() }),
  name: z.string().nullable().meta({ description: 'Of the dashboard or insight.' }),
  schedule: z.object({ frequency: z.enum(reportFrequencies), weekday, hour }),
  active: z.boolean(),
  problem: z.enum(reportProblems).nullable().meta({ description: 'Why it was turned off.' }),
  recipients: z.array(
    z
      .object({
        account: z.int().nullable(),
        name: z.string().nullable(),
        address: z.string().nullable(),
        state: z.enum(recipientStates),
        language: z.enum(['en', 'pt-BR']),
        timeZone: z.string(),
        nextDue: ms.nullable(),
      })
      .meta({ id: 'ReportRecipient' }),
  ),
  nextDue: ms.nullable(),
  lastSent: ms.nullable(),
  createdBy: z.object({ id: z.int(), name: z.string().nullable() }),
  changedAt: ms,
  revision: z.int(),
};

export const ReportItem = z.object(summary).meta({ id: 'ReportSummary' });
ReportItem satisfies z.ZodType<Report>;

export const ReportList = z.object({ reports: z.array(ReportItem) }).meta({ id: 'Reports' });

export const ReportAnswer = z
  .object({
    ...summary,
    sends: z
      .array(
        z.object({
          dueAt: ms,
          to: z.string(),
          state: z.enum(sendStates),
          manual: z.boolean().meta({ description: 'Sent by hand, not by the schedule.' }),
          at: ms,
          problem: z.enum(reportProblems).nullable(),
          mail: z.enum(['queued', 'sent', 'failed', 'outbox']).nullable().meta({ description: 'State of the email.' }),
        }),
      )
      .meta({ description: 'The newest first.' }),
  })
  .meta({ id: 'Report' });
ReportAnswer satisfies z.ZodType<ReportWithHistory>;

export const ReportSent = z.object({ recipients: z.int() }).meta({ id: 'ReportSent' });
