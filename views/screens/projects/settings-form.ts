/**
 * What is being changed on the settings screen: fields as they are typed, what differs from what is stored, what is wrong, and what is
 * sent. Pure, but for the drafts that are remembered while the page lives.
 */
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import type { ProjectChange, ProjectConfiguration } from '#src/projects/contract.ts';
import {
  addressEntry,
  domainEntry,
  entriesOf,
  hostEntry,
  idEntry,
  isTimeZone,
  MAX_BOUNCE,
  MAX_ENTRIES,
  originEntry,
} from '#src/projects/values.ts';
import type { Format } from '#views/words/format.ts';
import type { settingsWords } from '#views/words/settings.ts';

export interface Values {
  name: string;
  timeZone: string;
  weekStart: '0' | '1';
  decimalSeparator: DecimalSeparator;
  /** Lists are text: one entry a line. */
  allowedOrigins: string;
  internalHosts: string;
  internalAddresses: string;
  internalIds: string;
  ignoredReferrers: string;
  ipHandling: 'none' | 'truncated' | 'full';
  bots: 'flagged' | 'dropped';
  respectDnt: boolean;
  cookieless: boolean;
  autocapture: boolean;
  exceptionCapture: boolean;
  webVitals: boolean;
  bounceSeconds: string;
  /** Days; '' for always. */
  retentionDays: string;
}

export type FieldName = keyof Values;
export type Draft = Partial<Values>;
export type FieldErrors = Partial<Record<FieldName, string>>;

export const tabs = ['general', 'collection', 'privacy'] as const;
export type Tab = (typeof tabs)[number];

/** Where each field stands. */
export const tabOf: Record<FieldName, Tab> = {
  name: 'general',
  timeZone: 'general',
  weekStart: 'general',
  decimalSeparator: 'general',
  bounceSeconds: 'general',
  allowedOrigins: 'collection',
  autocapture: 'collection',
  exceptionCapture: 'collection',
  webVitals: 'collection',
  bots: 'collection',
  internalHosts: 'collection',
  internalAddresses: 'collection',
  internalIds: 'collection',
  ignoredReferrers: 'collection',
  ipHandling: 'privacy',
  cookieless: 'privacy',
  respectDnt: 'privacy',
  retentionDays: 'privacy',
};

const lists = {
  allowedOrigins: originEntry,
  internalHosts: hostEntry,
  internalAddresses: addressEntry,
  internalIds: idEntry,
  ignoredReferrers: domainEntry,
} as const;
type ListName = keyof typeof lists;
const listNames = Object.keys(lists) as ListName[];

export function valuesOf({ name, timeZone, weekStart, settings }: ProjectConfiguration): Values {
  return {
    ...settings,
    name,
    timeZone,
    weekStart: weekStart === 0 ? '0' : '1',
    allowedOrigins: settings.allowedOrigins.join('\n'),
    internalHosts: settings.internalHosts.join('\n'),
    internalAddresses: settings.internalAddresses.join('\n'),
    internalIds: settings.internalIds.join('\n'),
    ignoredReferrers: settings.ignoredReferrers.join('\n'),
    bounceSeconds: String(settings.bounceSeconds),
    retentionDays: settings.retentionDays === null ? '' : String(settings.retentionDays),
  };
}

/** What of the draft is different from what is stored. */
export function differences(draft: Draft, stored: Values): Draft {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => value !== stored[name as FieldName]),
  ) as Draft;
}

export function validateDraft(draft: Draft, { errors }: (typeof settingsWords)['en'], format: Format): FieldErrors {
  const fieldErrors: FieldErrors = {};
  const { name, timeZone, bounceSeconds } = draft;
  if (name !== undefined && name.trim() === '') fieldErrors.name = errors.nameMissing;
  if (name !== undefined && name.trim().length > MAX_SHOWN_NAME_LENGTH) fieldErrors.name = errors.nameLong;
  if (timeZone !== undefined && !isTimeZone(timeZone)) fieldErrors.timeZone = errors.timeZone;
  if (bounceSeconds !== undefined && !isBounce(bounceSeconds))
    fieldErrors.bounceSeconds = errors.bounceSeconds(MAX_BOUNCE);
  for (const list of listNames) {
    const entries = entriesOf(draft[list] ?? '');
    const wrong = entries.find((entry) => lists[list](entry) === null);
    if (entries.length > MAX_ENTRIES) fieldErrors[list] = errors.many(format.number(MAX_ENTRIES));
    if (wrong !== undefined) fieldErrors[list] = errors[list](wrong.slice(0, 60));
  }
  return fieldErrors;
}

function isBounce(text: string): boolean {
  return /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MAX_BOUNCE;
}

/** What the server is asked for. */
export function changeOf(draft: Draft): ProjectChange {
  const { name, timeZone, weekStart, bounceSeconds, retentionDays, ...rest } = draft;
  const settings: ProjectChange['settings'] = {};
  for (const [key, value] of Object.entries(rest)) {
    const list = listNames.find((each) => each === key);
    Object.assign(settings, { [key]: list === undefined ? value : entriesOf(String(value)) });
  }
  if (bounceSeconds !== undefined) settings.bounceSeconds = Number(bounceSeconds);
  if (retentionDays !== undefined) settings.retentionDays = retentionDays === '' ? null : Number(retentionDays);
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(weekStart === undefined ? {} : { weekStart: weekStart === '0' ? 0 : 1 }),
    settings,
  };
}

/** The field that a refusal is about, by the path that the server names. */
export function fieldOf(path: string | undefined): FieldName | null {
  const name = path?.replace(/^settings\./, '').split('.')[0] ?? '';
  return name in tabOf ? (name as FieldName) : null;
}

/** Drafts by project, so that going back to another screen loses nothing. Browser only. */
const drafts = new Map<number, Draft>();

export function rememberedDraft(project: number): Draft {
  return drafts.get(project) ?? {};
}

export function rememberDraft(project: number, draft: Draft): void {
  if (Object.keys(draft).length === 0) drafts.delete(project);
  else drafts.set(project, draft);
}
