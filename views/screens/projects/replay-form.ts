/** Settings of session replay as fields of the form: as they are typed, what is wrong, and what is sent. Pure. */
import type { ProjectConfiguration, ReplayChange } from '#src/projects/contract.ts';
import {
  MAX_REPLAY_BUDGET,
  MAX_REPLAY_RETENTION,
  MAX_REPLAY_SECONDS,
  type ReplayMasking,
  type ReplayMode,
  replayEventEntry,
  replayPathEntry,
  selectorEntry,
} from '#src/projects/replay/values.ts';
import { MAX_ENTRIES } from '#src/projects/values.ts';
import type { Format } from '#views/words/format.ts';
import type { replaySettingsWords } from '#views/words/replay-settings.ts';

/** Lists are text: one entry a line. */
export interface ReplayValues {
  replayMode: ReplayMode;
  replaySample: string;
  replaySeconds: string;
  replayEvents: string;
  replayConsole: boolean;
  replayNetwork: boolean;
  replayMasking: ReplayMasking;
  replayMask: string;
  replayBlock: string;
  replayOnly: string;
  replayNever: string;
  replayRetention: string;
  replayBudget: string;
  replayViewers: boolean;
}

/** Names of the stored settings. */
const stored = {
  replayMode: 'mode',
  replaySample: 'samplePercent',
  replaySeconds: 'minimumSeconds',
  replayEvents: 'events',
  replayConsole: 'console',
  replayNetwork: 'network',
  replayMasking: 'masking',
  replayMask: 'maskSelectors',
  replayBlock: 'blockSelectors',
  replayOnly: 'onlyPaths',
  replayNever: 'neverPaths',
  replayRetention: 'retentionDays',
  replayBudget: 'budgetGb',
  replayViewers: 'viewersWatch',
} as const satisfies Record<keyof ReplayValues, keyof ReplayChange>;

export const replayFields = Object.keys(stored) as (keyof ReplayValues)[];

const numbers = {
  replaySample: { least: 0, most: 100, isWhole: false },
  replaySeconds: { least: 0, most: MAX_REPLAY_SECONDS, isWhole: true },
  replayRetention: { least: 1, most: MAX_REPLAY_RETENTION, isWhole: true },
  replayBudget: { least: 0.1, most: MAX_REPLAY_BUDGET, isWhole: false },
} as const;

const lists = {
  replayEvents: replayEventEntry,
  replayMask: selectorEntry,
  replayBlock: selectorEntry,
  replayOnly: replayPathEntry,
  replayNever: replayPathEntry,
} as const;

export function isReplayField(name: string): name is keyof ReplayValues {
  return name in stored;
}

export function replayValuesOf({ replay }: ProjectConfiguration['settings']): ReplayValues {
  return {
    replayMode: replay.mode,
    replaySample: String(replay.samplePercent),
    replaySeconds: String(replay.minimumSeconds),
    replayEvents: replay.events.join('\n'),
    replayConsole: replay.console,
    replayNetwork: replay.network,
    replayMasking: replay.masking,
    replayMask: replay.maskSelectors.join('\n'),
    replayBlock: replay.blockSelectors.join('\n'),
    replayOnly: replay.onlyPaths.join('\n'),
    replayNever: replay.neverPaths.join('\n'),
    replayRetention: String(replay.retentionDays),
    replayBudget: String(replay.budgetGb),
    replayViewers: replay.viewersWatch,
  };
}

export function replayErrors(
  draft: Partial<ReplayValues>,
  words: (typeof replaySettingsWords)['en']['errors'],
  format: Format,
): Partial<Record<keyof ReplayValues, string>> {
  const errors: Partial<Record<keyof ReplayValues, string>> = {};
  for (const [field, { least, most, isWhole }] of Object.entries(numbers)) {
    const typed = draft[field as keyof typeof numbers];
    if (typed === undefined) continue;
    const value = numberOf(typed);
    const isRight = value >= least && value <= most && (!isWhole || Number.isInteger(value));
    if (!isRight) errors[field as keyof typeof numbers] = words.number(format.number(least), format.number(most));
  }
  for (const [field, rule] of Object.entries(lists)) {
    const list = field as keyof typeof lists;
    const entries = linesOf(draft[list] ?? '');
    const wrong = entries.find((entry) => rule(entry) === null);
    if (entries.length > MAX_ENTRIES) errors[list] = words.many(format.number(MAX_ENTRIES));
    if (wrong !== undefined) errors[list] = words[list](wrong.slice(0, 60));
  }
  return errors;
}

/** Of a draft, what is different in session replay; undefined: nothing. */
export function replayChangeOf(draft: Partial<ReplayValues>): ReplayChange | undefined {
  const change: Record<string, unknown> = {};
  for (const name of replayFields) {
    const value = draft[name];
    if (value === undefined) continue;
    change[stored[name]] = name in numbers ? numberOf(String(value)) : name in lists ? linesOf(String(value)) : value;
  }
  return Object.keys(change).length === 0 ? undefined : (change as ReplayChange);
}

/** The field that a refusal is about. @param path below `settings.replay` */
export function replayFieldOf(path: string): keyof ReplayValues | null {
  return replayFields.find((name) => stored[name] === path) ?? null;
}

/** A number with a point or a comma; NaN for what is none. */
function numberOf(text: string): number {
  const typed = text.trim().replace(',', '.');
  return /^\d{1,6}(?:\.\d{1,3})?$/.test(typed) ? Number(typed) : Number.NaN;
}

/** One entry a line: names of events and selectors may hold commas. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
