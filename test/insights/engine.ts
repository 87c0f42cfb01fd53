/** What a test of numbers asks: events stored as they come, and the engine that counts them, over one database. */
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Projects } from '#src/projects/projects.ts';
import type { TestDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';

export interface TestEngine {
  readonly deps: TestDeps;
  readonly projects: Projects;
  readonly events: Events;
  readonly columns: Columns;
}

/** Starts it for the test file; what is not sealed is kept from the first row on. The properties are known once `beforeAll` has run. */
export function useEngine(database: TestDatabase): TestEngine {
  const engine = {} as { -readonly [Key in keyof TestEngine]: TestEngine[Key] };
  beforeAll(() => {
    engine.deps = testDeps(database.url);
    engine.projects = createProjects(engine.deps);
    engine.columns = createColumns(engine.deps, { threads: 0, closeAt: 1 });
    engine.events = createEvents(engine.deps, { persons: createPersons(engine.deps), projects: engine.projects });
  });
  afterAll(async () => {
    await engine.events.stop();
    await engine.deps.close();
  });
  return engine;
}
