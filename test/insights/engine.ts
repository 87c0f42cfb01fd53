/** What a test of numbers asks: events stored as they come, and the engine that counts them, over one database. */
import { createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { type CopiedQueries, copiedQueries } from '#src/clickhouse/columns.ts';
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
/** How many queries of each kind each has answered, and why the engine did. */
const answered: Record<string, { clickhouse: number; engine: number; why: Record<string, number> }> = {};
/** With fewer queries of a kind it may be chance that ClickHouse answered none. */
const ENOUGH = 2;

/** The kinds of a query: what is counted, of whom, and by what. */
function kindsOf(name: string, asked: object): string[] {
  const { kind, by, of, order, series, after, dimensions, include, people, filters } = asked as Record<string, unknown>;
  const measures = Array.isArray(series) ? series.map(({ measure }: { measure: unknown }) => nameOf(measure)) : [];
  const divided = typeof by === 'object' && by !== null && 'about' in by ? [`by ${String(by.about)}`] : [];
  const tables = Array.isArray(dimensions) ? dimensions.map((each: { of: string }) => `of ${each.of}`) : [];
  const hasAny = (list: unknown) => Array.isArray(list) && list.length > 0;
  const details = [
    ...(name.startsWith('point') ? [`of ${String(kind)}`] : []),
    ...[...measures, ...divided, ...tables],
    ...(typeof of === 'string' ? [`of ${of}`] : []),
    ...(typeof order === 'string' ? [order] : []),
    ...(['optional', 'exclusions'] as const).filter((each) => hasAny((asked as Record<string, unknown>)[each])),
    ...(after ? ['after a funnel'] : []),
    ...(hasAny(include) ? ['with traffic'] : []),
    ...(people ? ['of people'] : []),
    ...(filters ? ['filtered'] : []),
  ];
  return [name, ...new Set(details)].map((each, at) => (at === 0 ? each : `${name} ${each}`));
}

function nameOf(measure: unknown): string {
  return typeof measure === 'string' ? measure : Object.keys(measure as object).join();
}

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
    await engine.deps.close();
    if (copied === null) return;
    process.stdout.write(`Queries by kind: ${JSON.stringify(answered)}\n`);
    // Tests of copying ask other engines.
    if (expect.getState().testPath?.includes('/insights/')) expect(answered).not.toEqual({});
    const neverThere = Object.entries(answered).filter(([, by]) => by.clickhouse === 0 && by.engine >= ENOUGH);
    expect(neverThere).toEqual([]);
  });
  return engine;
}

function onClickhouse(deps: TestDeps, columns: Columns, url: string) {
  const config = { ...deps.config, CLICKHOUSE_URL: url };
  const options = {
    onAnswer(by: 'clickhouse' | 'engine', name: string, asked: object, why?: string) {
      for (const kind of kindsOf(name, asked)) {
        answered[kind] ??= { clickhouse: 0, engine: 0, why: {} };
        answered[kind][by]++;
        if (why !== undefined) answered[kind].why[why] = (answered[kind].why[why] ?? 0) + 1;
      }
    },
  };
  // It finds out by itself which projects are switched, and remembers that for a while.
  const clickhouse = createClickhouse({ ...deps, clock: systemClock, config }, options);
  if (clickhouse === null) throw new Error('no ClickHouse');
  // One after the other: who finds another one copying does not wait for it.
  let copying: Promise<unknown> = Promise.resolve();
  const ready = async () => {
    await switchProjects(deps.db, null, true);
    copying = copying.then(() => clickhouse.shipAll());
    await copying;
    return clickhouse.columnsOver(columns);
  };
  const over = (signal?: AbortSignal): Columns => {
    const own = Object.fromEntries(
      copiedQueries.map((kind) => [
        kind,
        async (...asked: unknown[]) => {
          const copied = await ready();
          const ending = signal === undefined ? copied : copied.cancellable(signal);
          return (ending[kind] as (...given: unknown[]) => Promise<unknown>)(...asked);
        },
      ]),
    ) as unknown as CopiedQueries;
    return { ...columns, ...own, cancellable: over };
  };
  return { columns: over(), stop: () => clickhouse.stop() };
}
