/** A project with columns, for tests of what they answer. */
import { type Columns, createColumns } from '#src/columns/columns.ts';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Project, type Projects } from '#src/projects/projects.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { finishedEvent, sessionId } from '../insights/histories.ts';
import type { Happened } from '../insights/reference.ts';

export const HOUR = 3_600_000;
export const NOON = Date.UTC(2026, 10, 19, 12);

export type Told = Partial<Happened> & { properties?: JsonObject; set?: JsonObject };

export interface Scene {
  deps: TestDeps;
  projects: Projects;
  project: Project;
  events: Events;
  columns: Columns;
  /** Stores events: views of one visit at noon unless they say otherwise. */
  happened(...told: Told[]): Promise<void>;
  /** Counts of the days around noon. */
  ask(filters?: Filters, by?: Columns): Promise<{ views: number; visitors: number; visits: number }>;
  close(): Promise<void>;
}

/** A list of conditions that all have to be true. */
export function all(...of: (Omit<FilterCondition, 'values'> & Partial<FilterCondition>)[]): Filters {
  return { match: 'all', of: of.map((condition) => ({ values: [], ...condition })) };
}

let stored = 0;

export async function openScene(databaseUrl: string): Promise<Scene> {
  const deps = testDeps(databaseUrl);
  deps.clock.set(NOON);
  const projects = createProjects(deps);
  const project = await projects.create({ name: 'columns', timeZone: 'UTC' });
  const events = createEvents(deps, { persons: createPersons(deps), projects });
  const columns = createColumns(deps, { threads: 0 });
  return {
    ...{ deps, projects, project, events, columns },
    async happened(...told) {
      await events.store(told.map((each) => toldEvent(project.id, each)));
    },
    async ask(filters, by = columns) {
      const spans = [{ from: NOON - 100 * HOUR, until: NOON + 100 * HOUR, starts: [] }];
      const question = { projectId: project.id, views: ['$pageview'], filters: filters ?? null, spans };
      const [counts] = await by.series(question);
      const { views, visitors, visits } = counts?.total ?? { views: -1, visitors: -1, visits: -1 };
      return { views, visitors, visits };
    },
    async close() {
      await columns.stop();
      await events.stop();
      await deps.close();
    },
  };
}

function toldEvent(projectId: number, { properties, set, ...told }: Told): FinishedEvent {
  const event = finishedEvent(projectId, {
    ...{ uuid: uuidV7(NOON + stored++), event: '$pageview', distinctId: 'browser', ts: NOON, bot: false },
    ...{ session: sessionId('visit'), path: '/', referringDomain: '$direct' },
    ...told,
  });
  return {
    ...event,
    properties: properties ?? {},
    person: set === undefined ? event.person : { ...event.person, process: true, set },
  };
}
