/** Schemas of errors in the public API. */
import * as z from 'zod';
import {
  groupingResults,
  MAX_RULE_CONDITIONS,
  MAX_RULE_VALUE,
  MAX_RULES,
  ruleFields,
  ruleOperators,
  suppressionFields,
} from '#src/errors/rules/values.ts';
import {
  groupedBy,
  ISSUE_DAYS,
  ISSUES_PER_PAGE,
  issueActions,
  issueOrders,
  issueStatuses,
  MAX_IGNORED_DAYS,
  MAX_IGNORED_EVENTS,
  MAX_IGNORED_PEOPLE,
  MAX_ISSUE_SEARCH,
  MAX_ISSUES_CHANGED,
} from '#src/errors/values.ts';
import { rangeParameters, rowId } from '#src/insights/query/parameters.ts';
import { ms } from '#src/insights/query/results.ts';
import { projectPath } from './schemas.ts';

export const issuePath = projectPath.extend({ issue: rowId });

export const issuesQuery = z.strictObject({
  range: rangeParameters.range.meta({
    description: `Only issues that occur in it; counts are of it. Default: all issues, counted over ${ISSUE_DAYS} days.`,
  }),
  from: rangeParameters.from,
  to: rangeParameters.to,
  filters: rangeParameters.filters.meta({
    description: 'Conditions on the occurrences, as JSON. Those about persons need the scope `persons:read`.',
  }),
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
    people: z.int().min(1).max(MAX_IGNORED_PEOPLE).optional().meta({
      description: 'With `ignored`: active again after so many people met it from now on.',
    }),
    date: z.iso
      .date()
      .optional()
      .meta({
        override: { type: 'string', format: 'date' },
        description: 'With `ignored`: active again on this date of the project’s time zone.',
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

export const movePath = projectPath.extend({ move: rowId });

export const IssueMerge = z
  .strictObject({
    issues: z
      .array(z.int())
      .min(1)
      .max(MAX_ISSUES_CHANGED - 1),
  })
  .meta({ id: 'IssueMerge', examples: [{ issues: [12, 15] }] });
export const IssueMoves = z
  .object({ moves: z.array(z.int()).meta({ description: 'One for each issue, to undo it.' }) })
  .meta({ id: 'IssueMoves' });
export const IssueSplit = z
  .strictObject({
    fingerprints: z.array(z.int()).min(1).max(100).meta({ description: 'Numbers of `groups` of the issue.' }),
  })
  .meta({ id: 'IssueSplit', examples: [{ fingerprints: [31] }] });
export const SplitIssue = z
  .object({ issue: z.int().meta({ description: 'The new issue.' }), move: z.int() })
  .meta({ id: 'SplitIssue' });

export const UndoneMove = z.object({ undone: z.literal(true) }).meta({ id: 'UndoneMove' });

const ruleParts = { id: z.string(), match: z.enum(['all', 'any']) };
const operator = z.enum(ruleOperators);
const value = z.string().min(1).max(MAX_RULE_VALUE);
const groupingRule = z.object({
  ...ruleParts,
  name: z.string(),
  of: z
    .array(z.object({ field: z.enum(ruleFields), operator, value }))
    .min(1)
    .max(MAX_RULE_CONDITIONS),
  by: z.enum(groupingResults),
});
const suppressionRule = z.object({
  ...ruleParts,
  of: z
    .array(z.object({ field: z.enum(suppressionFields), operator, value }))
    .min(1)
    .max(MAX_RULE_CONDITIONS),
});
const groupingRules = z.array(groupingRule).max(MAX_RULES).meta({
  description: 'The first that matches decides. A rule that keeps its `id` keeps its issues.',
});
const suppressionRules = z.array(suppressionRule).max(MAX_RULES).meta({
  description: 'Errors that posthog-js does not send, and that are not grouped from other clients.',
});
export const ErrorRules = z.object({ groupingRules, suppressionRules }).meta({ id: 'ErrorRules' });
export const ErrorRulesPatch = z
  .strictObject({ groupingRules: groupingRules.optional(), suppressionRules: suppressionRules.optional() })
  .meta({
    id: 'ErrorRulesPatch',
    examples: [
      {
        suppressionRules: [
          {
            id: 'resize',
            match: 'all',
            of: [{ field: 'message', operator: 'contains', value: 'ResizeObserver loop' }],
          },
        ],
      },
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
  commit: z
    .string()
    .regex(/^[\w./-]{4,100}$/)
    .optional()
    .meta({ description: 'Commit of the release. Issues show it.' }),
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
    counts: z.object({ active: z.int(), resolved: z.int(), ignored: z.int() }).meta({
      description: 'Matching issues of each status.',
    }),
    hasAny: z.boolean().meta({ description: 'False: the project never had an error.' }),
    totals: z.object({ events: z.int(), people: z.int(), sessions: z.int() }).meta({
      description: 'All occurrences in the range, within the filters.',
    }),
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
    ignoredPeopleLeft: z.int().nullable(),
    resolvedRelease: z.string().nullable(),
    groups: z
      .array(
        z.object({
          fingerprint: z.int(),
          events: z.int(),
          people: z.int(),
          culprit: z.string(),
          message: z.string(),
          release: z.string().nullable(),
        }),
      )
      .meta({ description: 'Fingerprints with occurrences. Empty when there is only one.' }),
    moves: z
      .array(
        z.object({
          id: z.int(),
          at: ms,
          kind: z.enum(['merged', 'split']),
          by: z.string().nullable(),
          issue: z.int().meta({ description: 'The other issue.' }),
          title: z.string(),
        }),
      )
      .meta({ description: 'Merges and splits that can be undone.' }),
    properties: z.array(
      z.object({
        name: z.string(),
        values: z.array(
          z.object({
            value: z.string(),
            events: z.int(),
            lift: z.number().nullable().meta({
              description: 'How many times more frequent than among the newest events of the project.',
            }),
          }),
        ),
      }),
    ),
    compared: z.object({ occurrences: z.int(), events: z.int() }).meta({ description: 'Sample sizes of `lift`.' }),
    releases: z.array(
      z.object({
        version: z.string(),
        firstSeen: ms,
        lastSeen: ms,
        events: z.int(),
        commit: z.string().nullable().meta({ description: 'As the build announced it.' }),
      }),
    ),
    similar: z
      .array(
        z.object({
          id: z.int(),
          type: z.string(),
          message: z.string(),
          culprit: z.string(),
          status: z.enum(issueStatuses),
          lastSeen: ms,
        }),
      )
      .meta({ description: 'Other issues of the same type; those of the same place first.' }),
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
