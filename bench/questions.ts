/**
 * How long the procedures of the Overview take in the columns engine, beside the same questions as plain SQL on the rows and, where it is
 * installed (`npm install --prefix bench/duckdb`), in DuckDB on the same data; what sealing costs; and the whole screen.
 *
 * `node build.mjs run bench/questions.ts [--events 10000000] [--people 100000] [--days 90] [--home /a/folder] [--parts sealing,questions,screen]
 *    [--runs 15] [--cold 3] [--sql 1] [--duckdb 3] [--filters 'group|other'] [--questions 'overview|page'] [--beside 1000000]
 *    [--cache 1024]`
 *
 * `--home`: where the PostgreSQL of its own and what it was filled with are kept for the next run; without it, both go. `--parts sealing`
 * seals everything once more. `--values 500000`: instead, questions about a property with so many values and about one that an event in 10,000 has. `--beside`: the screen with so many events, in turns with the other, to see how it grows.
 * `--cache`: `COLUMN_CACHE_MB` of questions.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { type Duckdb, openDuckdb } from './duckdb/duckdb.ts';
import { fillDuckdb } from './duckdb/fill.ts';
import { type BenchQuery, type Filter, filtersOf, questionsOf } from './questions-asked.ts';
import { type Data, openData, openServer, sealEverything } from './questions-data.ts';
import { measureScreens } from './questions-screen.ts';
import { valuesQuestionsOf } from './questions-values.ts';

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    people: { type: 'string' },
    days: { type: 'string', default: '90' },
    home: { type: 'string' },
    parts: { type: 'string', default: 'questions,screen' },
    runs: { type: 'string', default: '15' },
    cold: { type: 'string', default: '3' },
    sql: { type: 'string', default: '1' },
    duckdb: { type: 'string', default: '3' },
    filters: { type: 'string', default: '' },
    questions: { type: 'string', default: '' },
    beside: { type: 'string' },
    values: { type: 'string' },
    cache: { type: 'string' },
    port: { type: 'string', default: '4791' },
  },
});
const runs = Number(given.runs);
const days = Number(given.days);
const values = given.values === undefined ? null : Number(given.values);
/** Values of filters that were used up: with another one, nothing was asked before. */
let salts = 0;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as NodeJS.GCFunction;
const parts = new Set(given.parts.split(','));
const home = given.home ?? (await mkdtemp(join(tmpdir(), 'luneta-bench-')));
await mkdir(home, { recursive: true });
await chmod(home, 0o755);
const postgres = await openServer(home, Number(given.port));
try {
  const data = await open(Number(given.events));
  if (parts.has('sealing')) await sealEverything(data, postgres, true);
  if (parts.has('questions')) await askEverything(data, await filledDuckdb(data));
  if (parts.has('screen')) {
    const beside = given.beside === undefined ? [] : [await open(Number(given.beside))];
    await measureScreens([data, ...beside], {
      days,
      runs,
      cold: Number(given.cold),
      folder: home,
      port: Number(given.port) + 1,
    });
    for (const each of beside) await each.close();
  }
  await data.close();
} finally {
  await postgres.stop();
  if (given.home === undefined) await rm(home, { recursive: true, force: true });
}
process.exit(0);

/** People grow with events. */
async function open(events: number): Promise<Data> {
  const data = await openData(postgres, events, Number(given.people ?? events / 100), { values: values ?? undefined });
  await sealEverything(data, postgres, false);
  const [{ people }] = (await data.text(
    `select count(*)::int as people from persons where project_id = ${data.project.id}`,
  )) as [{ people: number }];
  console.log(
    `${data.events} events stored, ${data.ofProject} of ${people} people in the project; load of the machine ${loadavg()[0]?.toFixed(1)}`,
  );
  return data;
}

async function filledDuckdb(data: Data): Promise<Duckdb | null> {
  const duckdb = await openDuckdb(join(home, `${data.events}${values === null ? '' : `-${values}`}.duckdb`));
  if (duckdb === null) console.log('DuckDB is not installed: without it');
  else await fillDuckdb(duckdb, { url: data.url, project: data.project.id, home });
  return duckdb;
}

// --------------------------------------------------------------------------------------------------------------- asking

async function askEverything(data: Data, duckdb: Duckdb | null): Promise<void> {
  console.log(
    [
      '',
      `${days} days and those before. Median / 95th percentile in ms; CPU of Node.`,
      '"again": what chunks said before is kept. "new": columns are in memory, nothing was asked before, least of all with this value of the filter.',
      '"cold": nothing is in memory, but the threads have begun and practised, as they do when the server starts.',
      ['', 'again', 'new', 'cold', 'CPU new', 'SQL', 'DuckDB']
        .map((title, at) => title.padStart(at === 0 ? -34 : 15))
        .join(' '),
    ].join('\n'),
  );
  const columns = columnsOf(data.deps);
  if (values !== null) {
    const anything = { title: '', filters: () => undefined, kept: null };
    for (const asked of valuesQuestionsOf(data, days)) {
      if (!new RegExp(given.questions).test(asked.title)) continue;
      const stops = monitorEventLoopDelay({ resolution: 1 });
      stops.enable();
      await ask(data, asked, anything, columns, duckdb);
      stops.disable();
      console.log(`    longest stop of the main thread ${(stops.max / 1e6).toFixed(0)} ms, ${memoryMb()} MB`);
    }
  } else {
    for (const filter of filtersOf(data)) {
      if (!new RegExp(given.filters).test(filter.title)) continue;
      console.log(filter.title === '' ? 'no filter' : filter.title);
      for (const asked of questionsOf(data, days, filter.kept, filter.title === '')) {
        if (new RegExp(given.questions).test(asked.title)) await ask(data, asked, filter, columns, duckdb);
      }
    }
  }
  console.log(`kept in memory: ${(columns.cachedBytes() / 1024 / 1024).toFixed(0)} MB`);
  await columns.stop();
}

async function ask(
  { deps, rows }: Data,
  asked: BenchQuery,
  filter: Filter,
  columns: Columns,
  duckdb: Duckdb | null,
): Promise<void> {
  const usual = filter.filters('nobody 0');
  await asked.engine(columns, usual);
  const again = await timesOf(runs, () => asked.engine(columns, usual));
  const before = process.cpuUsage();
  const fresh = await timesOf(runs, () => {
    columns.forgetResults();
    return asked.engine(columns, filter.filters(`nobody ${++salts}`));
  });
  const freshCpu = cpuMs(before) / runs;
  const cold: number[] = [];
  for (let run = 0; run < Number(given.cold); run++) {
    const another = columnsOf(deps);
    await another.warmUp();
    collectGarbage(); // of the runs before: a server that has just started has none
    cold.push(...(await timesOf(1, () => asked.engine(another, usual))));
    await another.stop();
  }
  const said: [string, Record<string, unknown>[][], number[]][] = [];
  const compare = async (who: string, times: number, questions: (() => Promise<Record<string, unknown>[]>)[]) => {
    const answers: Record<string, unknown>[][] = [];
    const took = await timesOf(times, async () => {
      answers.splice(0);
      for (const question of questions) answers.push(await question());
    });
    said.push([who, answers, took]);
  };
  if (asked.others && Number(given.sql) > 0)
    await compare(
      'SQL',
      Number(given.sql),
      asked.others.sql.map((each) => () => rows(each)),
    );
  if (asked.others && duckdb && Number(given.duckdb) > 0)
    await compare(
      'DuckDB',
      Number(given.duckdb),
      asked.others.duckdb.map((each) => () => duckdb.rows(each)),
    );
  const answer = (await asked.engine(columns, usual)) as never;
  const others = ['SQL', 'DuckDB'].map((name) => shown(said.find(([who]) => who === name)?.[2] ?? []));
  console.log(
    `  ${[asked.title.padEnd(32), shown(again), shown(fresh), shown(cold.sort(byValue)), freshCpu.toFixed(0).padStart(15), ...others].join(' ')}`,
  );
  for (const [who, answers] of said) {
    if (!asked.same(answer, answers))
      console.log(
        `    ${who} says something else: ${JSON.stringify(answers).slice(0, 300)} ${JSON.stringify(answer).slice(0, 300)}`,
      );
  }
}

function columnsOf(deps: Data['deps']): Columns {
  const own = given.cache === undefined ? {} : { COLUMN_CACHE_MB: Number(given.cache) };
  return createColumns({ ...deps, config: { ...deps.config, ...own } });
}

function memoryMb(): string {
  return (process.memoryUsage().rss / 1024 / 1024).toFixed(0);
}

async function timesOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < count; run++) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return times.sort(byValue);
}

function byValue(one: number, other: number): number {
  return one - other;
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function shown(times: number[]): string {
  if (times.length === 0) return '-'.padStart(15);
  const at = (share: number) => (times[Math.ceil(share * (times.length - 1))] as number).toFixed(1);
  return `${at(0.5)} / ${at(0.95)}`.padStart(15);
}
