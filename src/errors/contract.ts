/** Errors: issues, and the exceptions they are made of. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { eventPlace } from '#src/kit/place.ts';
import { rowId } from '#src/kit/row.ts';
import {
  type GroupedBy,
  type IssueAction,
  type IssueStatus,
  issueOrders,
  issueStatuses,
  MAX_IGNORED_DAYS,
  MAX_IGNORED_EVENTS,
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

export const issueListInput = z.object({
  project,
  status: z._default(z.enum([...issueStatuses, 'all']), 'active'),
  search: z.optional(z.string().check(z.trim(), z.maxLength(MAX_ISSUE_SEARCH))),
  release: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  order: z._default(z.enum(issueOrders), 'last_seen'),
  page: z._default(z.int().check(z.minimum(0), z.maximum(200)), 0),
});
export type IssueListQuery = Omit<z.output<typeof issueListInput>, 'project'>;

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

export const issueRef = z.object({ project, issue: rowId });
/** Absent: the newest occurrence. */
export const occurrenceRef = z.object({ project, issue: rowId, at: z.optional(eventPlace) });

/** Of an uploaded source map. */
export const sourceMapInput = z.object({
  /** Path of the script, or its end: `assets/app-B7x2Kq9f.js`. */
  file: z.string().check(z.minLength(1), z.maxLength(500)),
  release: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  /** Absent: that of the map, if it has one. */
  debugId: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/))),
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
  /** In the days that lists show. */
  events: number;
  people: number;
  sessions: number;
  /** Occurrences by day of the project, oldest first; the last is today. */
  days: number[];
}

export interface IssueList {
  issues: IssueSummary[];
  /** Matching issues. */
  total: number;
  /** All issues by status. */
  counts: Record<IssueStatus, number>;
  /** Releases with errors, newest first. */
  releases: string[];
}

export interface IssueNote {
  at: number;
  /** Null: Luneta. */
  by: { id: number; name: string | null } | null;
  action: IssueAction;
  details: { assignee?: string | null; events?: number; until?: number; release?: string | null; issue?: number };
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
  values: { value: string; events: number }[];
}

export interface Issue extends IssueSummary {
  grouping: Grouping;
  /** Since it was first seen, deleted ones included. */
  allEvents: number;
  ignoredUntil: number | null;
  /** Occurrences left until it is active again. */
  ignoredEventsLeft: number | null;
  resolvedRelease: string | null;
  occurrences: Occurrence[];
  properties: IssueProperty[];
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
