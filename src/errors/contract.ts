/** Errors: issues, and the exceptions they are made of. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { filters } from '#src/columns/contract.ts';
import { peopleQuery } from '#src/insights/query/people/contract.ts';
import { eventPlace } from '#src/kit/place.ts';
import { isoDate, rangeInput } from '#src/kit/range.ts';
import { rowId } from '#src/kit/row.ts';
import { groupingRules, ruleConditions, suppressionRules } from './rules/contract.ts';
import { groupingResults } from './rules/values.ts';
import {
  type GroupedBy,
  type IssueAction,
  type IssueStatus,
  issueOrders,
  issueStatuses,
  MAX_IGNORED_DAYS,
  MAX_IGNORED_EVENTS,
  MAX_IGNORED_PEOPLE,
  MAX_ISSUE_SEARCH,
  MAX_ISSUES_CHANGED,
} from './values.ts';

/** Lines of source code around the one of a frame. */
export interface SourceLines {
  before: string[];
  line: string;
  after: string[];
}

/** One call of a stack. */
export interface Frame {
  file: string;
  /** '' or `?`: without a name. */
  function: string;
  /** Counted from 1. */
  line: number | null;
  column: number | null;
  /** Code of the application, not of a library. */
  inApp: boolean;
  /** Debug id or chunk id of the script, by which its source map is found. */
  chunk: string | null;
  source: SourceLines | null;
  /** The place in the built script; null: not resolved, the frame itself is that place. */
  built: { file: string; function: string; line: number | null; column: number | null; inApp: boolean } | null;
}

export interface Exception {
  type: string;
  value: string;
  /** Null: not known. */
  handled: boolean | null;
  /** The cause of the one before. */
  isCause: boolean;
  /** The call that threw is last. */
  frames: Frame[];
}

/** Why occurrences belong to one issue: what all of them have in common. */
export interface Grouping {
  by: GroupedBy;
  parts: string[];
}

const project = z.string().check(z.minLength(1), z.maxLength(64));

/** Occurrences that are counted. */
const issueScope = {
  /** Absent: the last days, of all issues. */
  range: z.optional(rangeInput),
  filters: z.optional(filters),
  /** Of these people only; absent: of all. */
  people: z.optional(peopleQuery),
  /** Number of a segment of the project: its filters have to be fulfilled too. */
  segment: z.optional(rowId),
};

export const issueListInput = z.object({
  project,
  ...issueScope,
  status: z._default(z.enum([...issueStatuses, 'all']), 'active'),
  search: z.optional(z.string().check(z.trim(), z.maxLength(MAX_ISSUE_SEARCH))),
  release: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  order: z._default(z.enum(issueOrders), 'last_seen'),
  page: z._default(z.int().check(z.minimum(0), z.maximum(200)), 0),
});
export type IssueListQuery = Omit<z.output<typeof issueListInput>, 'project' | 'segment'>;
export type IssueScope = Pick<IssueListQuery, 'range' | 'filters' | 'people'>;

export const issueSummaryInput = z.object({ project, ...issueScope });

/** What an issue becomes. */
export const issueChange = z.discriminatedUnion('to', [
  /** `next_release`: seen again in a release that is first seen after the newest one now. Absent: seen again at all. */
  z.object({ to: z.literal('resolved'), until: z.optional(z.literal('next_release')) }),
  z.object({
    to: z.literal('ignored'),
    /** Active again after so many more occurrences. */
    events: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_IGNORED_EVENTS))),
    /** Active again after so many days. */
    days: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_IGNORED_DAYS))),
    /** Active again after so many people have met it from now on. */
    people: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_IGNORED_PEOPLE))),
    /** Active again on this date of the project's time zone. */
    until: z.optional(isoDate),
  }),
  z.object({ to: z.literal('active') }),
  /** Null: nobody. */
  z.object({ to: z.literal('assigned'), assignee: z.nullable(rowId) }),
]);
export type IssueChange = z.infer<typeof issueChange>;

export const issueChangeInput = z.object({
  project,
  issues: z.array(rowId).check(z.minLength(1), z.maxLength(MAX_ISSUES_CHANGED)),
  change: issueChange,
});

/** The first takes in the others. */
export const mergeInput = z.object({
  project,
  issues: z.array(rowId).check(z.minLength(2), z.maxLength(MAX_ISSUES_CHANGED)),
});
export const splitInput = z.object({
  project,
  issue: rowId,
  /** Numbers of fingerprints of the issue that move to a separate one. */
  fingerprints: z.array(rowId).check(z.minLength(1), z.maxLength(100)),
});
export const undoMoveInput = z.object({ project, move: rowId });

/** Absent ones are unchanged. */
export const rulesChange = z.object({
  groupingRules: z.optional(groupingRules),
  suppressionRules: z.optional(suppressionRules),
});
export type RulesChange = z.infer<typeof rulesChange>;
export const rulesInput = z.extend(rulesChange, { project });

/** A rule that is not saved yet. */
export const rulePreviewInput = z.object({
  project,
  match: z.enum(['all', 'any']),
  of: ruleConditions,
  by: z.optional(z.enum(groupingResults)),
});
export type RulePreviewInput = Omit<z.infer<typeof rulePreviewInput>, 'project'>;

/** Issues whose newest occurrence a rule matches, and what would become of them. */
export interface RulePreview {
  /** Issues that were looked at, the last seen first. */
  looked: number;
  matching: number;
  /** Occurrences of those in the days that issues show. */
  events: number;
  /** Issues that a grouping rule would make of them. */
  becomes: number;
  /** Some of them. */
  issues: { id: number; type: string; message: string; culprit: string; events: number }[];
}

export const issueRef = z.object({ project, issue: rowId });
/** Absent: the newest occurrence. */
export const occurrenceRef = z.object({ project, issue: rowId, at: z.optional(eventPlace) });

export const eventRef = z.extend(eventPlace, { project });

/** Of an uploaded source map. */
export const sourceMapInput = z.object({
  /** Path of the script, or its end: `assets/app-B7x2Kq9f.js`. */
  file: z.string().check(z.minLength(1), z.maxLength(500)),
  release: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  /** Absent: that of the map, if it has one. */
  debugId: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/))),
  /** Of the release. */
  commit: z.optional(z.string().check(z.regex(/^[\w./-]{4,100}$/))),
});
export type SourceMapInput = z.infer<typeof sourceMapInput>;

export interface UploadedMap {
  file: string;
  release: string | null;
  debugId: string | null;
  bytes: number;
  sources: number;
  /** Sources whose text is in the map: only of these lines can be shown. */
  withText: number;
}

/** An issue in a list. */
export interface IssueSummary {
  id: number;
  type: string;
  /** Of the newest occurrence. */
  message: string;
  /** Where it was thrown; '' when unknown. */
  culprit: string;
  status: IssueStatus;
  level: string;
  /** An occurrence was not caught by the code that threw. */
  unhandled: boolean;
  assignee: { id: number; name: string | null } | null;
  firstSeen: number;
  lastSeen: number;
  firstRelease: string | null;
  lastRelease: string | null;
  /** When it was seen again after it was resolved; null: it was not, or it is resolved again. */
  regressedAt: number | null;
  /** In the range that is counted. */
  events: number;
  people: number;
  sessions: number;
  /** Occurrences by day of the project, or by several days of a long range, oldest first. */
  days: number[];
}

export interface IssueTotals {
  events: number;
  people: number;
  sessions: number;
}

/** Errors of a range, for *Overview*. */
export interface IssuesOverview {
  totals: IssueTotals;
  /** Issues first seen in the range. */
  newIssues: number;
  /** The newest release with errors, and how many issues were first seen in it. */
  release: { version: string; firstSeen: number; newIssues: number } | null;
  /** Those with the most people. */
  issues: IssueSummary[];
}

export interface IssueList {
  issues: IssueSummary[];
  /** Matching issues. */
  total: number;
  /** Issues that match but for their status, by status. */
  counts: Record<IssueStatus, number>;
  /** False: the project never had an error. */
  hasAny: boolean;
  /** Of all that match. */
  totals: IssueTotals;
  /** Releases with errors, newest first. */
  releases: string[];
}

export interface IssueNote {
  at: number;
  /** Null: Luneta. */
  by: { id: number; name: string | null } | null;
  action: IssueAction;
  details: {
    assignee?: string | null;
    events?: number;
    people?: number;
    until?: number;
    release?: string | null;
    issue?: number;
  };
}

/** One person in one visit and hour. */
export interface Occurrence {
  /** Of the newest of them. */
  ts: number;
  uuid: string;
  events: number;
  person: { uuid: string; identified: boolean; label: string | null; distinctId: string };
  browser: string | null;
  os: string | null;
  release: string | null;
}

/** Values of a property among the newest occurrences. */
export interface IssueProperty {
  name: 'browser' | 'os' | 'page' | 'release' | 'country' | 'device';
  /** `lift`: how many times more frequent than among the newest events of the project; null: too few to say. */
  values: { value: string; events: number; lift: number | null }[];
}

/** A release that an issue was seen in. */
export interface IssueRelease {
  version: string;
  firstSeen: number;
  lastSeen: number;
  events: number;
  /** As the build announced it; null: unknown. */
  commit: string | null;
}

/** Another issue of the same type; those of the same place first. */
export interface SimilarIssue {
  id: number;
  type: string;
  message: string;
  culprit: string;
  status: IssueStatus;
  lastSeen: number;
}

export interface IssueGroup {
  fingerprint: number;
  events: number;
  people: number;
  /** Of the newest occurrence. */
  culprit: string;
  message: string;
  release: string | null;
}

export interface IssueMove {
  id: number;
  at: number;
  kind: 'merged' | 'split';
  by: string | null;
  /** The other issue. */
  issue: number;
  title: string;
}

export interface Issue extends IssueSummary {
  grouping: Grouping;
  /** Since it was first seen, deleted ones included. */
  allEvents: number;
  ignoredUntil: number | null;
  /** Occurrences left until it is active again. */
  ignoredEventsLeft: number | null;
  /** People left until it is active again. */
  ignoredPeopleLeft: number | null;
  resolvedRelease: string | null;
  occurrences: Occurrence[];
  properties: IssueProperty[];
  /** Occurrences whose properties were counted, and events that they were compared with. */
  compared: { occurrences: number; events: number };
  /** Newest first. */
  releases: IssueRelease[];
  similar: SimilarIssue[];
  /** Fingerprints with occurrences, those with the most first: each can be split off. */
  groups: IssueGroup[];
  /** Merges and splits that can be undone, newest first. */
  moves: IssueMove[];
  /** Newest first. */
  notes: IssueNote[];
  /** Who it can be assigned to. */
  members: { id: number; name: string }[];
}

/** What happened in the session before the error. */
export interface Breadcrumb {
  ts: number;
  /** Name of an event; null: a step that the code noted. */
  event: string | null;
  detail: string;
}

export interface IssueOccurrence {
  ts: number;
  uuid: string;
  exceptions: Exception[];
  /** Oldest first. */
  breadcrumbs: Breadcrumb[];
  person: string;
  /** Uuid of the visit; null: outside of any. */
  session: string | null;
  page: string | null;
  release: string | null;
}
