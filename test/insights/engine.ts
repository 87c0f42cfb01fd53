/** What a test of numbers asks: events stored as they come, and the engine that counts them, over one database. */
import { createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { switchProjects } from '#src/clickhouse/state.ts';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Projects } from '#src/projects/projects.ts';
import { useClickhouse } from '#test/kit/clickhouse.ts';
import type { TestDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';

export interface TestEngine {
  readonly deps: TestDeps;
  readonly projects: Projects;
  readonly events: Events;
  readonly columns: Columns;
}

/**
 * The same engine with what ClickHouse answers instead, for `npm run test:clickhouse`: the tests of the reference model run on both. Everything that is
 * stored is copied before each query.
 */
const server = process.env['TEST_CLICKHOUSE'] === '1' ? useClickhouse() : null;
/** How many queries of each kind each has answered. */
const answered: Record<string, { clickhouse: number; engine: number }> = {};
/** With fewer queries of a kind it may be chance that ClickHouse answered none. */
const ENOUGH = 8;

/** Starts it for the test file; what is not sealed is kept from the first row on. The properties are known once `beforeAll` has run. */
export function useEngine(database: TestDatabase): TestEngine {
  const engine = {} as { -readonly [Key in keyof TestEngine]: TestEngine[Key] };
  let copied: { columns: Columns; stop(): Promise<void> } | null = null;
  beforeAll(() => {
    engine.deps = testDeps(database.url);
    engine.projects = createProjects(engine.deps);
    const columns = createColumns(engine.deps, { threads: 0, closeAt: 1 });
    copied = server && onClickhouse(engine.deps, columns, server.url);
    engine.columns = copied?.columns ?? columns;
    engine.events = createEvents(engine.deps, { persons: createPersons(engine.deps), projects: engine.projects });
  });
  afterAll(async () => {
    await engine.events.stop();
    await copied?.stop();
    if (copied === null) return;
    await engine.deps.close();
    process.stdout.write(`Queries by kind: ${JSON.stringify(answered)}\n`);
    const neverThere = Object.entries(answered).filter(([, by]) => by.clickhouse === 0 && by.engine >= ENOUGH);
    expect(neverThere).toEqual([]);
  });
  return engine;
}

function onClickhouse(deps: TestDeps, columns: Columns, url: string) {
  const config = { ...deps.config, CLICKHOUSE_URL: url };
  const options = {
    onAnswer(by: 'clickhouse' | 'engine', kind: string) {
      answered[kind] ??= { clickhouse: 0, engine: 0 };
      answered[kind][by]++;
    },
  };
  // It finds out by itself which projects are switched, and remembers that for a while.
  const clickhouse = createClickhouse({ ...deps, clock: systemClock, config }, options);
  if (clickhouse === null) throw new Error('no ClickHouse');
  const ready = async () => {
    await switchProjects(deps.db, null, true);
    await clickhouse.shipAll();
    return clickhouse.columnsOver(columns);
  };
  const own: Columns = {
    ...columns,
    trends: async (asked) => (await ready()).trends(asked),
    activity: async (asked) => (await ready()).activity(asked),
    retention: async (asked) => (await ready()).retention(asked),
    funnel: async (asked) => (await ready()).funnel(asked),
  };
  return { columns: own, stop: () => clickhouse.stop() };
}
