/**
 * What one event of 1970, which anybody can send with the public token, does to *All time*: overview and weekly heatmap before and after it, asked
 * again and for the first time, and for how long the event loop stood still meanwhile.
 *
 * `node build.mjs run bench/early.ts [--events 200000] [--home /a/folder] [--runs 5] [--port 4797]`
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createColumns } from '#src/columns/columns.ts';
import { createEvents } from '#src/events/events.ts';
import { createInsights } from '#src/insights/insights.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects } from '#src/projects/projects.ts';
import { type Data, openData, openServer } from './questions-data.ts';

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    home: { type: 'string' },
    runs: { type: 'string', default: '5' },
    port: { type: 'string', default: '4797' },
  },
});
const home = given.home ?? (await mkdtemp(join(tmpdir(), 'luneta-bench-')));
await mkdir(home, { recursive: true });
await chmod(home, 0o755);
const postgres = await openServer(home, Number(given.port));
try {
  const events = Number(given.events);
  const data = await openData(postgres, events, events / 100);
  await data.text(`delete from events where project_id = ${data.project.id} and ts < '2000-01-01'`);
  await measure(data, 'without it');
  await storeEarly(data);
  await measure(data, 'with one event of 1970');
  await data.close();
} finally {
  await postgres.stop();
  if (given.home === undefined) await rm(home, { recursive: true, force: true });
}
process.exit(0);

async function storeEarly({ deps, project }: Data): Promise<void> {
  const room = createEvents(deps, { persons: createPersons(deps), projects: createProjects(deps) });
  await room.store([
    {
      ...{ projectId: project.id, uuid: uuidV7(Date.now()), event: '$pageview', distinctId: 'early', ts: 0 },
      ...{ receivedAt: Date.now(), session: null, marks: 0, groups: { page: { $pathname: '/' } }, properties: {} },
      person: { process: false, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
    },
  ]);
  await room.stop();
}

async function measure({ deps, project }: Data, title: string): Promise<void> {
  const columns = createColumns(deps, { threads: 2 });
  await columns.seal();
  const insights = createInsights(deps, { columns, changes: { version: () => null } });
  const scope = { ...project, seesPersons: true };
  const decades = { from: '1970-01-01', to: new Date().toISOString().slice(0, 10) };
  const asked = {
    'overview, all_time': () => insights.query(kinds.overview, scope, { range: 'all_time', compare: 'none' }),
    'heatmap, all_time': () => insights.query(kinds.heatmap, scope, { range: 'all_time' }),
    'heatmap, from 1970': () => insights.query(kinds.heatmap, scope, { range: decades }),
  };
  for (const [name, ask] of Object.entries(asked)) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const took: number[] = [];
    for (let run = 0; run < Number(given.runs); run++) {
      const begin = performance.now();
      await ask().catch((error: Error) => console.log(`${name} failed: ${error.message}`));
      took.push(performance.now() - begin);
    }
    delay.disable();
    const [first = 0, ...again] = took;
    const median = again.sort((one, other) => one - other)[again.length >> 1] ?? 0;
    const [new_, repeated, still] = [first, median, delay.max / 1e6].map((ms) => ms.toFixed(0).padStart(6));
    console.log(
      `${title.padEnd(24)} ${name.padEnd(20)} first ${new_} ms, again ${repeated} ms, loop still ${still} ms`,
    );
  }
  await columns.stop();
}
