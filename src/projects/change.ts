/** Changes of a project: what differs is stored, and told by name. */
import type { Knex } from 'knex';
import { invalid } from '#src/kit/errors.ts';
import type { ProjectChange, ProjectId, ProjectSettings } from './contract.ts';
import { projectSettings } from './contract.ts';
import * as queries from './queries.ts';
import { addressEntry, domainEntry, hostEntry, idEntry, originEntry } from './values.ts';

const rules = {
  allowedOrigins: originEntry,
  internalHosts: hostEntry,
  internalAddresses: addressEntry,
  internalIds: idEntry,
  ignoredReferrers: domainEntry,
} as const satisfies Partial<Record<keyof ProjectSettings, (text: string) => string | null>>;

/**
 * Two people who change different settings at the same time both get what they asked for.
 *
 * @returns names of what is different now
 * @throws AppError `invalid` for an entry of a list that means nothing
 */
export async function changeProject(db: Knex, id: ProjectId, change: ProjectChange): Promise<string[]> {
  const wanted = written(change.settings);
  return db.transaction(async (trx) => {
    const before = await queries.lockProject(trx, id);
    const settings = projectSettings.parse(before.settings);
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
function written(settings: ProjectChange['settings']): Partial<ProjectSettings> {
  const wanted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue;
    const rule = name in rules ? rules[name as keyof typeof rules] : null;
    wanted[name] = rule === null ? value : entriesBy(rule, value as string[], name);
  }
  return wanted as Partial<ProjectSettings>;
}

function entriesBy(rule: (text: string) => string | null, texts: string[], name: string): string[] {
  const entries = texts.map((text) => {
    const entry = rule(text);
    if (entry === null) throw invalid(`settings.${name}`, 'Invalid list entry.');
    return entry;
  });
  return [...new Set(entries)];
}
