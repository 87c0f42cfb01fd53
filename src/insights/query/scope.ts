/** Project and scope of queries. */
import type { People } from '#src/columns/columns.ts';
import type { Filters, Traffic } from '#src/columns/contract.ts';
import { type ReadingRules, readerOf, rulesIn } from '#src/kit/reading/reader.ts';
import type { ProjectId, ProjectSettings } from '#src/projects/contract.ts';

/** The part of a project that numbers depend on. */
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

/** A project with the reader's access. */
export interface QueryScope extends QueryProject {
  /** True with access to persons; goals that reveal personal data are hidden from others. */
  seesPersons: boolean;
}

/** Names of the events that are views. */
export const viewNames = ['$pageview', '$screen'];

/** Selection of events, with sets of persons in the engine's form. */
export interface EventScope {
  filters?: Filters | undefined;
  people?: People | null | undefined;
  include?: readonly Traffic[] | undefined;
}

/** A query with resolved segment, goal and persons. */
export type Resolved<Input> = Omit<Input, 'project' | 'segment' | 'goal' | keyof EventScope> & EventScope;

/** The views of a project as part of what the engine is asked, and which of its visits are bounces. */
export function viewsOf({ id, settings }: QueryProject) {
  return { projectId: id, views: viewNames, bounceMs: settings.bounceSeconds * 1000 };
}

/** The selection of events in the engine's form. */
export function eventScopeOf({ filters, people, include }: EventScope) {
  return { filters: filters ?? null, people, include };
}
