/** A project with people, for tests of what is shown of them. */
import { type Columns, createColumns } from '#src/columns/columns.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createHistory } from '#src/events/history.ts';
import { createInsights, type Insights } from '#src/insights/insights.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createPeople, type People } from '#src/persons/people.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProfiles, type Profiles } from '#src/profiles/profiles.ts';
import { createProjects, type Project, type Projects } from '#src/projects/projects.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';
import { identify, type Said, said } from '../persons/history.ts';

export interface PeopleScene {
  deps: TestDeps;
  projects: Projects;
  project: Project;
  events: Events;
  people: People;
  columns: Columns;
  insights: Insights;
  profiles: Profiles;
  /** Stores them as one batch. */
  tell(...all: Told[]): Promise<FinishedEvent[]>;
  /** The person who has this id. */
  whoIs(distinctId: string): Promise<string>;
  close(): Promise<void>;
}

export type Told = Said & { visit?: string; of?: Project };

export const MINUTE = 60_000;
export { identify, TEST_TIME };

export async function openPeople(databaseUrl: string): Promise<PeopleScene> {
  const deps = testDeps(databaseUrl);
  const projects = createProjects(deps);
  const project = await projects.create({ name: 'Shop', timeZone: 'UTC' });
  const events = createEvents(deps, { persons: createPersons(deps), projects });
  const people = createPeople(deps);
  const columns = createColumns(deps, { threads: 0 });
  const insights = createInsights(deps, { columns, changes: { version: () => null } });
  const profiles = createProfiles(deps, { people, history: createHistory(deps), columns, projects, insights });
  const visits = new Map<string, string>();
  return {
    ...{ deps, projects, project, events, people, columns, insights, profiles },
    async tell(...all) {
      const batch = all.map(({ visit, of = project, ...each }) => {
        const session = visit === undefined ? null : (visits.get(visit) ?? uuidV7(each.ts));
        if (visit !== undefined && session !== null) visits.set(visit, session);
        return { ...said(each, of.id), session };
      });
      await events.store(batch);
      return batch;
    },
    async whoIs(distinctId) {
      const found = await people.ofDistinctId(project.id, distinctId);
      const person = found && (await people.current(project.id, [found.person]));
      if (!person) throw new Error(`nobody has the id ${distinctId}`);
      return person.uuid;
    },
    async close() {
      await columns.stop();
      await events.stop();
      await deps.close();
    },
  };
}
