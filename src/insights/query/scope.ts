/** What every question of this room is about. */
import type { People } from '#src/columns/columns.ts';
import type { Filters, Traffic } from '#src/columns/contract.ts';
import { type ReadingRules, readerOf, rulesIn } from '#src/kit/reading/reader.ts';
import type { ProjectId, ProjectSettings } from '#src/projects/contract.ts';

/** What of a project the numbers depend on. */
export interface QueryProject {
  id: ProjectId;
  timeZone: string;
  weekStart: 0 | 1;
  settings: Pick<ProjectSettings, 'bounceSeconds'> & Partial<Pick<ProjectSettings, 'decimalSeparator'> & ReadingRules>;
}

/** Differs when the settings of a project say that numbers are others. */
export function settingsKeyOf(project: Pick<QueryProject, 'settings'>): unknown {
  const { bounceSeconds, decimalSeparator } = project.settings;
  return [bounceSeconds, decimalSeparator, readerOf(rulesIn(project.settings)).key];
}

/** A project, and what of it is there for who asks. */
export interface QueryScope extends QueryProject {
  /** Whether they may know of persons; a goal that tells of some is not there for others. */
  seesPersons: boolean;
}

/** Names of the events that are views. */
export const viewNames = ['$pageview', '$screen'];

/** Which events count, with sets of persons as the columns engine takes them. */
export interface EventScope {
  filters?: Filters | undefined;
  people?: People | null | undefined;
  include?: readonly Traffic[] | undefined;
}

/** A question as it is asked when its segment, its goal and the persons whose events count are known. */
export type Resolved<Input> = Omit<Input, 'project' | 'segment' | 'goal' | keyof EventScope> & EventScope;

/** The views of a project as part of what the engine is asked, and which of its visits are bounces. */
export function viewsOf({ id, settings }: QueryProject) {
  return { projectId: id, views: viewNames, bounceMs: settings.bounceSeconds * 1000 };
}

/** Which events count, as part of what the engine is asked. */
export function eventScopeOf({ filters, people, include }: EventScope) {
  return { filters: filters ?? null, people, include };
}
