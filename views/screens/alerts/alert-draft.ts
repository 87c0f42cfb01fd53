/** The form of an alert as it is typed, and what it means. */
import type { AlertCondition, AlertSubject, AlertSummary, TargetInput } from '#src/alerts/contract.ts';
import {
  type AlertConditionKind,
  type AlertInterval,
  type ChangeDirection,
  conditionsFor,
  type IngestionNumber,
  ingestionNumbers,
  type SubjectKind,
  type TargetKind,
  unitOf,
} from '#src/alerts/values.ts';
import type { IssueSignal } from '#src/errors/values.ts';
import { overviewMetrics as metrics, type overviewMetrics } from '#src/insights/kinds/overview/values.ts';
import type { ScreenQuery } from '#views/screen.ts';
import type { Trpc } from '#views/trpc.ts';

/** A target while it is written. */
export interface DraftTarget {
  /** '': none. */
  kind: TargetKind | '';
  members: number[];
  url: string;
  token: string;
  chat: string;
}

export const noTarget: DraftTarget = { kind: '', members: [], url: '', token: '', chat: '' };

export interface Draft {
  name: string;
  kind: SubjectKind;
  metric: (typeof overviewMetrics)[number];
  /** Number of a goal or insight as text; '': none chosen. */
  goal: string;
  of: 'conversions' | 'conversionRate';
  insight: string;
  event: string;
  on: IssueSignal[];
  ingestion: IngestionNumber;
  /** Of a metric or goal. */
  filters: (AlertSubject & { kind: 'metric' })['filters'];
  interval: AlertInterval;
  condition: AlertConditionKind;
  limit: string;
  direction: ChangeDirection;
  percent: string;
  silent: string;
  targets: TargetInput[];
  /** One more, which saving adds as well. */
  begun: DraftTarget;
}

const empty: Draft = {
  name: '',
  kind: 'metric',
  metric: 'visitors',
  goal: '',
  of: 'conversions',
  insight: '',
  event: '',
  on: ['new', 'regressed'],
  ingestion: 'droppedShare',
  filters: undefined,
  interval: 'day',
  condition: 'change',
  limit: '',
  direction: 'any',
  percent: '30',
  silent: '1',
  targets: [],
  begun: noTarget,
};

/** @param search of the address: what a link to a new alert names */
export function draftOf(alert: AlertSummary | null, search: URLSearchParams): Draft {
  if (alert === null) return startOf(search);
  const { subject, condition, interval, name, targets } = alert;
  const isPercent = unitOf(subject) === 'percent';
  return {
    ...empty,
    name,
    kind: subject.kind,
    ...(subject.kind === 'metric' && { metric: subject.metric }),
    ...(subject.kind === 'goal' && { goal: String(subject.goal), of: subject.of }),
    ...(subject.kind === 'insight' && { insight: String(subject.insight) }),
    ...(subject.kind === 'events' && { event: subject.event ?? '' }),
    ...(subject.kind === 'issues' && { on: subject.on }),
    ...(subject.kind === 'ingestion' && { ingestion: subject.of }),
    filters: 'filters' in subject ? subject.filters : undefined,
    interval,
    condition: condition.kind,
    ...('value' in condition && { limit: String(isPercent ? rounded(condition.value * 100) : condition.value) }),
    ...(condition.kind === 'change' && {
      percent: String(rounded(condition.share * 100)),
      direction: condition.direction,
    }),
    ...(condition.kind === 'silence' && { silent: String(condition.intervals) }),
    targets: targets.map(({ id }) => ({ kind: 'stored', id })),
  };
}

function startOf(search: URLSearchParams): Draft {
  const [metric, goal, insight, ingestion] = ['metric', 'goal', 'insight', 'ingestion'].map((name) => search.get(name));
  const named = metrics.find((each) => each === metric);
  if (named) return { ...empty, metric: named };
  if (goal) return { ...empty, kind: 'goal', goal };
  if (search.has('errors')) return { ...empty, kind: 'issues', interval: 'hour' };
  const ofIngestion = ingestionNumbers.find((each) => each === ingestion);
  if (ofIngestion) return { ...empty, kind: 'ingestion', ingestion: ofIngestion, condition: 'above', interval: 'hour' };
  return insight ? { ...empty, kind: 'insight', insight } : empty;
}

export function subjectOf(draft: Draft): AlertSubject | null {
  const filters = draft.filters && { filters: draft.filters };
  switch (draft.kind) {
    case 'metric':
      return { kind: 'metric', metric: draft.metric, ...filters };
    case 'goal':
      return draft.goal === '' ? null : { kind: 'goal', goal: Number(draft.goal), of: draft.of, ...filters };
    case 'insight':
      return draft.insight === '' ? null : { kind: 'insight', insight: Number(draft.insight) };
    case 'events': {
      const event = draft.event.trim();
      return { kind: 'events', ...(event !== '' && { event }) };
    }
    case 'issues':
      return draft.on.length === 0 ? null : { kind: 'issues', on: draft.on };
    case 'ingestion':
      return { kind: 'ingestion', of: draft.ingestion };
  }
}

/** Null while a number is missing or none. */
export function conditionOf(draft: Draft, subject: AlertSubject | null): AlertCondition | null {
  if (draft.kind === 'issues') return { kind: 'above', value: 0 };
  if (subject !== null && !conditionsFor(subject).includes(draft.condition)) return null;
  const isPercent = subject !== null && unitOf(subject) === 'percent';
  switch (draft.condition) {
    case 'above':
    case 'below': {
      const value = numberOf(draft.limit);
      return value === null ? null : { kind: draft.condition, value: isPercent ? value / 100 : value };
    }
    case 'change': {
      const percent = numberOf(draft.percent);
      if (percent === null || percent < 1 || percent > 10_000) return null;
      return { kind: 'change', share: percent / 100, direction: draft.direction };
    }
    case 'silence': {
      const intervals = numberOf(draft.silent);
      if (intervals === null || !Number.isInteger(intervals) || intervals < 1 || intervals > 168) return null;
      return { kind: 'silence', intervals };
    }
  }
}

/** Null while something is missing. */
export function targetOf({ kind, members, url, token, chat }: DraftTarget): TargetInput | null {
  if (kind === '') return null;
  if (kind === 'email') return members.length === 0 ? null : { kind, members };
  if (kind === 'telegram') {
    const isWhole = /^\d+:[\w-]{10,}$/.test(token.trim()) && /^(?:-?\d+|@\w+)$/.test(chat.trim());
    return isWhole ? { kind, token: token.trim(), chat: chat.trim() } : null;
  }
  return /^https?:\/\/[^\s/@]+/i.test(url.trim()) && URL.canParse(url.trim()) ? { kind, url: url.trim() } : null;
}

/** With the one that was begun. */
export function targetsOf({ targets, begun }: Draft): TargetInput[] {
  const added = targetOf(begun);
  return added === null ? targets : [...targets, added];
}

/** Names of fields that are missing or wrong. */
export function wrongIn(draft: Draft): string[] {
  const subject = subjectOf(draft);
  const field = { above: 'limit', below: 'limit', change: 'percent', silence: 'silent' }[draft.condition];
  return [
    ...(draft.name.trim() === '' ? ['name'] : []),
    ...(subject === null ? [draft.kind] : []),
    ...(conditionOf(draft, subject) === null ? [field] : []),
    ...(draft.begun.kind !== '' && targetOf(draft.begun) === null ? ['target'] : []),
  ];
}

/** Both "1,5" and "1.5". */
function numberOf(text: string): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) ? null : value;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const TRENDS_LISTED = 100;

export function insightsInput(project: string) {
  return { project, kind: 'trends', limit: TRENDS_LISTED } as const;
}

/** What the form chooses from. */
export function formQueries(trpc: Trpc, project: string): ScreenQuery[] {
  return [
    trpc.insights.goals.list.queryOptions({ project }),
    trpc.insights.saved.list.queryOptions(insightsInput(project)),
    trpc.alerts.members.queryOptions({ project }),
  ].map((options) => ({ options, critical: true }) as ScreenQuery);
}
