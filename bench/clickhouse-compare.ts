/** The generated queries over the two largest projects: whether both engines say the same, and the times of both and of DuckDB. What was compared is kept, a line for each. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createClickhouse } from '#src/clickhouse/clickhouse.ts';
import { noteCaughtUp } from '#src/clickhouse/state.ts';
import type { Columns } from '#src/columns/columns.ts';
import { createQueryCache } from '#src/insights/query/cache.ts';
import { runQuery } from '#src/insights/query/run-query.ts';
import { systemClock } from '#src/kit/clock.ts';
import { createProjects, type Project } from '#src/projects/projects.ts';
import { type GeneratedQuery, generateQueries } from './clickhouse-queries.ts';
import { type Duckdb, openDuckdb } from './duckdb/duckdb.ts';
import { fillDuckdb } from './duckdb/fill.ts';

type Deps = Parameters<typeof createClickhouse>[0] & Parameters<typeof createProjects>[0];

export interface CompareOptions {
  /** Folder for DuckDB's files. */
  home: string;
  /** File of what was compared. */
  results: string;
  /** The moment at which all is asked. */
  now: number;
  /** After it, no other query is begun. */
  limitMs: number;
  /** Also those that were compared before. */
  isAgain: boolean;
  /** Of the keys of queries. */
  kinds: RegExp;
  /** Of each group and project. */
  most: number;
}

interface Compared {
  /** Project and query. */
  key: string;
  group: string;
  isEqual: boolean;
  /** ms */
  engine: number;
  clickhouse: number;
  duckdb: number | null;
  /** Why the engine answered in ClickHouse's place; null: it did not. */
  left: string | null;
}

/** Ends early when the time is over. */
export async function compareGenerated(deps: Deps, columns: Columns, options: CompareOptions): Promise<void> {
  const { kinds, most, results, limitMs, isAgain } = options;
  const { db } = deps;
  const begin = performance.now();
  const rows = async <Row>(text: string) => (await db.raw(text)).rows as Row[];
  const largest = await rows<{ id: number }>(
    'select project_id as id from event_counts group by 1 order by sum(events) desc limit 2',
  );
  const known = new Set(isAgain ? [] : readResults(results).map(({ key }) => key));
  for (const { id } of largest) {
    const project = await createProjects(deps).byRef(String(id));
    if (project === null) continue;
    const names = await rows<{ name: string }>(
      `select name from event_names as names
         join event_counts as counts on counts.project_id = names.project_id and counts.event = names.number
        where names.project_id = ${id} group by 1 order by sum(events) desc limit 3`,
    );
    const asked = new Map<string, number>();
    const wanted = generateQueries(names.map(({ name }) => name)).flatMap((query, at) => {
      const count = (asked.get(query.group) ?? 0) + 1;
      asked.set(query.group, count);
      const key = `${id} ${at} ${query.name}`;
      return kinds.test(key) && count <= most && !known.has(key) ? { key, query } : [];
    });
    if (wanted.length === 0) continue;
    const duckdb = await openDuckdb(join(options.home, `project-${id}.duckdb`));
    if (duckdb !== null)
      await fillDuckdb(duckdb, { url: deps.config.DATABASE_URL ?? '', project: id, home: options.home });
    for (const { key, query } of wanted) {
      if (performance.now() - begin > limitMs) return console.log('the time is over');
      const found = await compareOne(deps, columns, { project, query, now: options.now, duckdb });
      appendFileSync(results, `${JSON.stringify({ key, ...found })}\n`);
      const ms = (value: number) => `${value.toFixed(0)} ms`;
      console.log(
        [
          `${found.isEqual ? 'equal' : 'NOT EQUAL'} ${key}: engine ${ms(found.engine)}, ClickHouse ${ms(found.clickhouse)}`,
          ...(found.duckdb === null ? [] : [`DuckDB ${ms(found.duckdb)}`]),
          ...(found.left === null ? [] : [`left to the engine: ${found.left}`]),
        ].join(', '),
      );
    }
  }
}

interface One {
  project: Project;
  query: GeneratedQuery;
  now: number;
  duckdb: Duckdb | null;
}

async function compareOne(
  deps: Deps,
  columns: Columns,
  { project, query: { group, kind, input, duckdb: sqlOf }, now, duckdb }: One,
): Promise<Omit<Compared, 'key'>> {
  let left: string | null = null;
  const clickhouse = createClickhouse(deps, {
    onAnswer(by, query, _asked, why) {
      if (by === 'engine') left = `${query}, ${why}`;
    },
  });
  if (clickhouse === null) throw new Error('no ClickHouse');
  const ask = async (over: Columns) => {
    const begin = performance.now();
    const parts = {
      clock: { now: () => now },
      columns: over,
      goals: { get: async () => null, use: async () => null, list: async () => [] },
      cache: createQueryCache({ ...systemClock, now: () => now }, { version: () => null }),
    };
    const asked = runQuery(parts, kind, { ...project, seesPersons: true }, kind.input.parse(input) as never);
    // A query that fails is to fail on both sides.
    const found = await asked.catch((error: Error) => ({ error: error.message }));
    return { found, ms: performance.now() - begin };
  };
  columns.forgetResults();
  const one = await ask(columns);
  // Nothing was stored since: a copy that is older than a minute is not asked.
  await noteCaughtUp(deps.db, systemClock.now());
  columns.forgetResults();
  const two = await ask(clickhouse.columnsOver(columns));
  await clickhouse.stop();
  const isEqual = isDeepStrictEqual(rounded(one.found), rounded(two.found));
  if (!isEqual) console.log(firstDifference(rounded(one.found), rounded(two.found)));
  return {
    group,
    isEqual,
    engine: one.ms,
    clickhouse: two.ms,
    duckdb: duckdb && sqlOf ? await timeOf(duckdb, sqlOf(spanOf(one.found, now))) : null,
    left,
  };
}

function readResults(file: string): Compared[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Compared);
}

/** Adds up what was compared: of each query the last time. */
export function summarize(file: string): void {
  const all = [...new Map(readResults(file).map((each) => [each.key, each])).values()];
  const groups = [...new Set(all.map(({ group }) => group))];
  console.log('kind: equal; sum and median in ms of engine, ClickHouse, and of those that DuckDB was asked, all three');
  for (const group of [...groups, null]) {
    const own = all.filter((each) => group === null || each.group === group);
    const asked = own.filter(({ duckdb }) => duckdb !== null);
    const figures = (list: readonly Compared[], of: 'engine' | 'clickhouse' | 'duckdb') => {
      const sorted = list.map((each) => each[of] ?? 0).sort((one, other) => one - other);
      const sum = sorted.reduce((total, each) => total + each, 0);
      return `${sum.toFixed(0)} / ${(sorted[sorted.length >> 1] ?? 0).toFixed(0)}`;
    };
    console.log(
      [
        `${group ?? 'all'}: ${own.filter(({ isEqual }) => isEqual).length} of ${own.length} equal`,
        `left to the engine ${own.filter(({ left }) => left !== null).length}`,
        `engine ${figures(own, 'engine')}, ClickHouse ${figures(own, 'clickhouse')}`,
        ...(asked.length === 0
          ? []
          : [
              `of ${asked.length}: engine ${figures(asked, 'engine')}, ClickHouse ${figures(asked, 'clickhouse')}, DuckDB ${figures(asked, 'duckdb')}`,
            ]),
      ].join('; '),
    );
  }
}

/** The range of an answer; else the last 30 days. */
function spanOf(found: unknown, now: number): { from: number; until: number } {
  const { range } = found as { range?: { from: number; to: number } };
  return range === undefined
    ? { from: now - 30 * DAY_MS, until: now }
    : { from: range.from, until: Math.min(range.to, now) };
}

const DAY_MS = 86_400_000;

async function timeOf(duckdb: Duckdb, statements: readonly string[]): Promise<number> {
  const begin = performance.now();
  for (const statement of statements) await duckdb.rows(statement);
  return performance.now() - begin;
}

/** Sums of fractions depend on their order in the last digits. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(12));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rounded(each)]));
}

function firstDifference(one: unknown, other: unknown, path = ''): string {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    const different = [...names].find((name) => !isDeepStrictEqual(one[name], other[name]));
    if (different !== undefined) return firstDifference(one[different], other[different], `${path}.${different}`);
  }
  return `  ${path}: engine ${JSON.stringify(one)?.slice(0, 300)}, ClickHouse ${JSON.stringify(other)?.slice(0, 300)}`;
}
