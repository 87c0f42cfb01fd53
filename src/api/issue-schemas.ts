/** Schemas of errors in the public API. */
import * as z from 'zod';
import {
  groupedBy,
  ISSUE_DAYS,
  ISSUES_PER_PAGE,
  issueActions,
  issueOrders,
  issueStatuses,
  MAX_IGNORED_DAYS,
  MAX_IGNORED_EVENTS,
  MAX_ISSUE_SEARCH,
} from '#src/errors/values.ts';
import { rowId } from '#src/insights/query/parameters.ts';
import { ms } from '#src/insights/query/results.ts';
import { projectPath } from './schemas.ts';

export const issuePath = projectPath.extend({ issue: rowId });

export const issuesQuery = z.strictObject({
  status: z.enum([...issueStatuses, 'all']).default('active'),
  search: z
    .string()
    .trim()
    .max(MAX_ISSUE_SEARCH)
    .optional()
    .meta({ description: 'Part of the type, the message or the place.' }),
  release: z.string().min(1).max(100).optional().meta({ description: 'Only issues seen in this release.' }),
  order: z.enum(issueOrders).default('last_seen'),
  page: z.coerce
    .number()
    .int()
    .min(0)
    .max(200)
    .default(0)
    .meta({ description: `Pages of ${ISSUES_PER_PAGE} issues, from 0.` }),
});

export const IssuePatch = z
  .strictObject({
    status: z.enum(issueStatuses).optional(),
    until: z.literal('next_release').optional().meta({
      description: 'With `resolved`: only a release that is first seen later reopens the issue.',
    }),
    events: z.int().min(1).max(MAX_IGNORED_EVENTS).optional().meta({
      description: 'With `ignored`: active again after so many more occurrences.',
    }),
    days: z.int().min(1).max(MAX_IGNORED_DAYS).optional().meta({
      description: 'With `ignored`: active again after so many days.',
    }),
    assignee: z.int().nullable().optional().meta({ description: 'ID of a member of the team; null: nobody.' }),
  })
  .meta({
    id: 'IssuePatch',
    examples: [
      { status: 'resolved', until: 'next_release' },
      { status: 'ignored', days: 7 },
    ],
  });

export const sourceMapQuery = z.strictObject({
  file: z.string().min(1).max(500).meta({
    description: 'Path of the script, or the end of it: `assets/app-B7x2Kq9f.js`.',
  }),
  release: z.string().min(1).max(100).optional().meta({ description: 'Only for errors of this release.' }),
  debugId: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .optional()
    .meta({ description: 'Debug ID or chunk ID of the script. Default: the one in the map.' }),
});

export const SourceMap = z
  .object({
    file: z.string(),
    release: z.string().nullable(),
    debugId: z.string().nullable(),
    bytes: z.int(),
    sources: z.int(),
    withText: z.int().meta({ description: 'Sources whose text is in the map. Lines of others are not shown.' }),
  })
  .meta({ id: 'SourceMap' });

const account = z
  .object({ id: z.int(), name: z.string().nullable() })
  .meta({ description: '`name` is null if the account no longer exists.' });

const summary = {
  id: z.int(),
  type: z.string(),
  message: z.string().meta({ description: 'Of the newest occurrence.' }),
  culprit: z.string().meta({ description: 'Where it was thrown. Empty when unknown.' }),
  status: z.enum(issueStatuses),
  level: z.string(),
  unhandled: z.boolean().meta({ description: 'An occurrence was not caught by the code that threw.' }),
  assignee: account.nullable(),
  firstSeen: ms,
  lastSeen: ms,
  firstRelease: z.string().nullable(),
  lastRelease: z.string().nullable(),
  regressedAt: ms.nullable().meta({ description: 'When it was seen again after it was resolved.' }),
  events: z.int().meta({ description: `Occurrences of the last ${ISSUE_DAYS} days.` }),
  people: z.int(),
  sessions: z.int(),
  days: z.array(z.int()).meta({ description: 'Occurrences by day in the project’s time zone. The last is today.' }),
};

export const IssueSummary = z.object(summary).meta({ id: 'IssueSummary' });

export const IssueList = z
  .object({
    issues: z.array(IssueSummary),
    total: z.int().meta({ description: 'Matching issues on all pages.' }),
    counts: z.object({ active: z.int(), resolved: z.int(), ignored: z.int() }),
    releases: z.array(z.string()).meta({ description: 'Releases with errors, newest first.' }),
  })
  .meta({ id: 'Issues' });

export const IssueAnswer = z
  .object({
    ...summary,
    grouping: z
      .object({ by: z.enum(groupedBy), parts: z.array(z.string()) })
      .meta({ description: 'Why its occurrences are one issue: what they have in common.' }),
    allEvents: z.int().meta({ description: 'Occurrences since it was first seen.' }),
    ignoredUntil: ms.nullable(),
    ignoredEventsLeft: z.int().nullable(),
    resolvedRelease: z.string().nullable(),
    properties: z.array(
      z.object({ name: z.string(), values: z.array(z.object({ value: z.string(), events: z.int() })) }),
    ),
    notes: z.array(z.object({ at: ms, by: account.nullable(), action: z.enum(issueActions) })).meta({
      description: 'What happened to it, newest first.',
    }),
  })
  .meta({ id: 'Issue' });

const place = { file: z.string(), function: z.string(), line: z.int().nullable(), column: z.int().nullable() };

export const IssueOccurrence = z
  .object({
    ts: ms,
    uuid: z.string().meta({ description: 'With `ts`: the event.' }),
    release: z.string().nullable(),
    page: z.string().nullable(),
    exceptions: z
      .array(
        z.object({
          type: z.string(),
          value: z.string(),
          handled: z.boolean().nullable(),
          isCause: z.boolean(),
          frames: z.array(
            z.object({
              ...place,
              inApp: z.boolean(),
              source: z
                .object({ before: z.array(z.string()), line: z.string(), after: z.array(z.string()) })
                .nullable(),
              built: z
                .object(place)
                .nullable()
                .meta({ description: 'The place in the built script; null: not resolved.' }),
            }),
          ),
        }),
      )
      .meta({ description: 'The exception, then its causes. The call that threw is the last frame.' }),
  })
  .meta({ id: 'IssueOccurrence' });
