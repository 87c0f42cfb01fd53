/**
 * What is being changed on the settings screen: fields as they are typed, what differs from what is stored, what is wrong, and what is
 * sent. Pure, but for the drafts that are remembered while the page lives.
 */
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { MAX_PATH_PATTERNS, pathPatternEntry } from '#src/kit/reading/paths/values.ts';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import type { ProjectChange, ProjectConfiguration, ReadingChange } from '#src/projects/contract.ts';
import {
  entriesOf,
  hostEntry,
  isTimeZone,
  type ListSetting,
  listNames,
  listSettings,
  MAX_BOUNCE,
  MAX_ENTRIES,
  ofAll,
  primaryHostEntry,
  type SwitchSetting,
  switchNames,
  switchSettings,
} from '#src/projects/values.ts';
import type { Format } from '#views/words/format.ts';
import type { readingWords } from '#views/words/reading.ts';
import type { replaySettingsWords } from '#views/words/replay-settings.ts';
import type { settingsWords } from '#views/words/settings.ts';
import { type ChannelRuleDraft, channelDrafts, channelErrors, channelRulesOf } from './channel-rules.ts';
import {
  isReplayField,
  type ReplayValues,
  replayChangeOf,
  replayErrors,
  replayFieldOf,
  replayFields,
  replayValuesOf,
} from './replay-form.ts';

/** Lists are text: one entry a line. */
export interface Values extends Record<SwitchSetting, boolean>, Record<ListSetting, string>, ReplayValues {
  name: string;
  timeZone: string;
  weekStart: '0' | '1';
  decimalSeparator: DecimalSeparator;
  ipHandling: 'none' | 'truncated' | 'full';
  bots: 'flagged' | 'dropped';
  bounceSeconds: string;
  /** Days; '' for always. */
  retentionDays: string;
  trailingSlash: boolean;
  letterCase: boolean;
  indexFiles: boolean;
  ids: boolean;
  hashRoutes: boolean;
  /** Patterns, one a line. */
  pathRules: string;
  primaryHost: string;
  otherHosts: string;
  channelRules: readonly ChannelRuleDraft[];
}

export type FieldName = keyof Values;
export type Draft = Partial<Values>;
export type FieldErrors = Partial<Record<FieldName, string>>;

export const tabs = ['general', 'collection', 'reading', 'privacy', 'replay'] as const;
export type Tab = (typeof tabs)[number];

const tabOfSection = {
  senders: 'collection',
  capture: 'collection',
  own: 'collection',
  origin: 'collection',
  visitors: 'privacy',
} as const satisfies Record<string, Tab>;

/** Where each field stands. */
export const tabOf: Record<FieldName, Tab> = {
  name: 'general',
  timeZone: 'general',
  weekStart: 'general',
  decimalSeparator: 'general',
  bounceSeconds: 'general',
  ...ofAll(switchNames, (name) => tabOfSection[switchSettings[name].section]),
  ...ofAll(listNames, (name) => tabOfSection[listSettings[name].section]),
  bots: 'collection',
  ipHandling: 'privacy',
  retentionDays: 'privacy',
  trailingSlash: 'reading',
  letterCase: 'reading',
  indexFiles: 'reading',
  ids: 'reading',
  hashRoutes: 'reading',
  pathRules: 'reading',
  primaryHost: 'reading',
  otherHosts: 'reading',
  channelRules: 'reading',
  ...ofAll(replayFields, () => 'replay'),
};

const pathSwitches = ['trailingSlash', 'letterCase', 'indexFiles', 'ids', 'hashRoutes'] as const;

const ownLists = [...listNames, 'otherHosts'] as const;

export function valuesOf({ name, timeZone, weekStart, settings }: ProjectConfiguration): Values {
  const { pathRules, channelRules, replay: _, ...plain } = settings;
  const { patterns, ...switches } = pathRules;
  return {
    ...plain,
    ...switches,
    pathRules: patterns.join('\n'),
    otherHosts: settings.otherHosts.join('\n'),
    channelRules: channelDrafts(channelRules),
    ...replayValuesOf(settings),
    name,
    timeZone,
    weekStart: weekStart === 0 ? '0' : '1',
    ...ofAll(listNames, (name) => settings[name].join('\n')),
    bounceSeconds: String(settings.bounceSeconds),
    retentionDays: settings.retentionDays === null ? '' : String(settings.retentionDays),
  };
}

/** Fields of the draft that differ from the stored settings. */
export function differences(draft: Draft, stored: Values): Draft {
  return Object.fromEntries(
    Object.entries(draft).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as FieldName]),
    ),
  ) as Draft;
}

export function validateDraft(
  draft: Draft,
  { errors: own, lists: listWords }: (typeof settingsWords)['en'],
  reading: (typeof readingWords)['en'],
  replay: (typeof replaySettingsWords)['en'],
  format: Format,
): FieldErrors {
  const errors = { ...own, ...reading.errors, many: own.many };
  const fieldErrors: FieldErrors = replayErrors(draft, replay.errors, format);
  const { name, timeZone, bounceSeconds } = draft;
  if (name !== undefined && name.trim() === '') fieldErrors.name = errors.nameMissing;
  if (name !== undefined && name.trim().length > MAX_SHOWN_NAME_LENGTH) fieldErrors.name = errors.nameLong;
  if (timeZone !== undefined && !isTimeZone(timeZone)) fieldErrors.timeZone = errors.timeZone;
  if (bounceSeconds !== undefined && !isBounce(bounceSeconds))
    fieldErrors.bounceSeconds = errors.bounceSeconds(MAX_BOUNCE);
  for (const list of ownLists) {
    const [rule, invalid] =
      list === 'otherHosts' ? [hostEntry, errors.otherHosts] : [listSettings[list].entry, listWords[list].invalid];
    const entries = entriesOf(draft[list] ?? '');
    const wrong = entries.find((entry) => rule(entry) === null);
    if (entries.length > MAX_ENTRIES) fieldErrors[list] = errors.many(format.number(MAX_ENTRIES));
    if (wrong !== undefined) fieldErrors[list] = invalid(wrong.slice(0, 60));
  }
  const { primaryHost = '' } = draft;
  if (primaryHost.trim() !== '' && primaryHostEntry(primaryHost) === null) fieldErrors.primaryHost = errors.primaryHost;
  const patterns = linesOf(draft.pathRules ?? '');
  const wrong = patterns.find((line) => pathPatternEntry(line) === null);
  if (patterns.length > MAX_PATH_PATTERNS)
    fieldErrors.pathRules = reading.errors.many(format.number(MAX_PATH_PATTERNS));
  if (wrong !== undefined) fieldErrors.pathRules = errors.pathRules(wrong.slice(0, 60));
  const rules = draft.channelRules ?? [];
  if (Object.keys(channelErrors(rules)).length > 0) fieldErrors.channelRules = errors.channelRules;
  return fieldErrors;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Of a draft, what is different in how values are read. */
export function readingChangeOf(draft: Draft): ReadingChange {
  const { pathRules: patterns, primaryHost, otherHosts, channelRules } = draft;
  const switched = pathSwitches.filter((name) => draft[name] !== undefined);
  return {
    ...((switched.length > 0 || patterns !== undefined) && {
      pathRules: {
        ...Object.fromEntries(switched.map((name) => [name, draft[name]])),
        ...(patterns !== undefined && { patterns: linesOf(patterns) }),
      },
    }),
    ...(primaryHost !== undefined && { primaryHost: primaryHost.trim() }),
    ...(otherHosts !== undefined && { otherHosts: entriesOf(otherHosts) }),
    ...(channelRules !== undefined && { channelRules: channelRulesOf(channelRules) }),
  };
}

function isBounce(text: string): boolean {
  return /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MAX_BOUNCE;
}

/** Input of the update. */
export function changeOf(draft: Draft): ProjectChange {
  const { name, timeZone, weekStart, bounceSeconds, retentionDays, ...rest } = draft;
  const settings: ProjectChange['settings'] = readingChangeOf(draft);
  for (const [key, value] of Object.entries(rest)) {
    if (tabOf[key as FieldName] === 'reading' || isReplayField(key)) continue;
    const isList = listNames.some((each) => each === key);
    Object.assign(settings, { [key]: isList ? entriesOf(String(value)) : value });
  }
  const replay = replayChangeOf(draft);
  if (replay !== undefined) settings.replay = replay;
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
  const [name = '', inner = ''] = path?.replace(/^settings\./, '').split('.') ?? [];
  if (name === 'replay') return replayFieldOf(inner);
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
