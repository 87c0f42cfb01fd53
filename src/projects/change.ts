/** Changes of a project: only differences are stored, and logged by name. */
import type { Knex } from 'knex';
import { invalid } from '#src/kit/errors.ts';
import { pathPatternEntry } from '#src/kit/reading/paths/values.ts';
import type { ReadingRules } from '#src/kit/reading/reader.ts';
import type {
  ProjectChange,
  ProjectId,
  ProjectSettings,
  ReadingChange,
  ReplayChange,
  ReplaySettings,
} from './contract.ts';
import { projectSettings } from './contract.ts';
import * as queries from './queries.ts';
import { replayEventEntry, replayPathEntry, selectorEntry } from './replay/values.ts';
import {
  addressEntry,
  domainEntry,
  hostEntry,
  idEntry,
  originEntry,
  parameterEntry,
  primaryHostEntry,
} from './values.ts';

const rules = {
  allowedOrigins: originEntry,
  internalHosts: hostEntry,
  internalAddresses: addressEntry,
  internalIds: idEntry,
  ignoredReferrers: domainEntry,
  strippedParameters: parameterEntry,
} as const satisfies Partial<Record<keyof ProjectSettings, (text: string) => string | null>>;

/**
 * Two people who change different settings at the same time both get what they asked for.
 *
 * @returns names of what is different now
 * @throws AppError `invalid` for an entry of a list that means nothing
 */
export async function changeProject(db: Knex, id: ProjectId, change: ProjectChange): Promise<string[]> {
  const { pathRules, primaryHost, otherHosts, channelRules, replay, ...others } = change.settings;
  const plain = written(others);
  return db.transaction(async (trx) => {
    const before = await queries.lockProject(trx, id);
    const settings = projectSettings.parse(before.settings);
    const wanted = {
      ...plain,
      ...readingWith(settings, { pathRules, primaryHost, otherHosts, channelRules }),
      replay: replayWith(settings.replay, replay),
    };
    const columns = {
      name: change.name ?? before.name,
      timeZone: change.timeZone ?? before.time_zone,
      weekStart: change.weekStart ?? before.week_start,
    };
    const changed = [
      ...(columns.name === before.name ? [] : ['name']),
      ...(columns.timeZone === before.time_zone ? [] : ['timeZone']),
      ...(columns.weekStart === before.week_start ? [] : ['weekStart']),
      ...Object.entries(wanted).flatMap(([name, value]) =>
        JSON.stringify(settings[name as keyof ProjectSettings]) === JSON.stringify(value) ? [] : [name],
      ),
    ];
    if (changed.length > 0) await queries.updateProject(trx, id, { ...columns, settings: { ...settings, ...wanted } });
    return changed;
  });
}

/** The settings as they are stored: entries in the one form in which they are compared later, each once. */
function written(settings: Omit<ProjectChange['settings'], keyof ReadingRules | 'replay'>): Partial<ProjectSettings> {
  const wanted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue;
    const rule = name in rules ? rules[name as keyof typeof rules] : null;
    wanted[name] = rule === null ? value : entriesBy(rule, value as string[], name);
  }
  return wanted as Partial<ProjectSettings>;
}

/** Rules for reading as they are with the change, in the one form in which they are compared. @throws AppError `invalid` */
export function readingWith(settings: ReadingRules, change: ReadingChange): ReadingRules {
  const { pathRules, primaryHost, otherHosts, channelRules } = change;
  const { patterns, ...switches } = pathRules ?? {};
  return {
    pathRules: {
      ...settings.pathRules,
      ...withoutUndefined(switches),
      ...(patterns && { patterns: entriesBy(pathPatternEntry, patterns, 'pathRules') }),
    },
    primaryHost: primaryHost === undefined ? settings.primaryHost : (primaryHostEntry(primaryHost) ?? ''),
    otherHosts: otherHosts === undefined ? settings.otherHosts : entriesBy(hostEntry, otherHosts, 'otherHosts'),
    channelRules: (channelRules ?? settings.channelRules).map(({ channel, when }) => ({
      channel: channel.trim(),
      when: when.map(({ field, like }) => ({ field, like: like.trim() })),
    })),
  };
}

const replayLists = {
  events: replayEventEntry,
  maskSelectors: selectorEntry,
  blockSelectors: selectorEntry,
  onlyPaths: replayPathEntry,
  neverPaths: replayPathEntry,
} as const;

/** Settings of session replay as they are with the change. @throws AppError `invalid` */
function replayWith(settings: ReplaySettings, change: ReplayChange = {}): ReplaySettings {
  const wanted = { ...settings, ...withoutUndefined(change) };
  for (const [name, rule] of Object.entries(replayLists)) {
    const list = name as keyof typeof replayLists;
    if (change[list] !== undefined) wanted[list] = entriesBy(rule, change[list], `replay.${name}`);
  }
  return wanted;
}

function withoutUndefined<Given extends object>(
  given: Given,
): { [Name in keyof Given]: Exclude<Given[Name], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}

function entriesBy(rule: (text: string) => string | null, texts: readonly string[], name: string): string[] {
  const entries = texts.map((text) => {
    const entry = rule(text);
    if (entry === null) throw invalid(`settings.${name}`, 'Invalid list entry.');
    return entry;
  });
  return [...new Set(entries)];
}
