/** Queries whose askers have gone stop, and disturb no others: over a real database, with threads. */
import { Worker } from 'node:worker_threads';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import type { TaskRequest } from '#src/columns/threads/thread.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import type { TrendsInput } from '#src/insights/kinds/trends/contract.ts';
import { createQueryCache } from '#src/insights/query/cache.ts';
import { runQuery } from '#src/insights/query/run-query.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import { useDatabase } from '#test/kit/database.ts';
import { HOUR, NOON, openScene, type Scene } from '../columns/scene.ts';

const database = useDatabase();
const DAYS = 6;
const goals = { get: async () => null, use: async () => null, list: async () => [] };

let scene: Scene;
let columns: Columns;
let dropped = 0;
/** Called before each task of a query that can be cancelled is sent to a thread. */
let onTask: () => void = () => undefined;
let tasks = 0;

beforeEach(async () => {
  scene = await openScene(database.url);
  [dropped, tasks] = [0, 0];
  onTask = () => undefined;
  columns = createColumns(scene.deps, { threads: 1, onCancelled: () => dropped++ });
  const post = Worker.prototype.postMessage;
  jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...message) {
    if ((message[0] as TaskRequest).flag !== null) {
      tasks++;
      onTask();
    }
    post.apply(this, message);
  });
  const days = Array.from({ length: DAYS }, (_, day) => NOON - HOUR - day * 24 * HOUR);
  for (const ts of days) {
    await scene.happened(...['ada', 'ben', 'eva'].map((distinctId, at) => ({ distinctId, ts: ts - at * 1000 })));
  }
  await columns.seal();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await columns.stop();
  await scene.close();
});

const people: TrendsInput = {
  ...{ range: 'last_7_days', compare: 'none', interval: 'day', limit: 3 },
  series: [{ event: { event: '$pageview' }, measure: 'persons' }],
};

function asker() {
  const cache = createQueryCache(scene.deps.clock, { version: () => 1 });
  const parts = { clock: scene.deps.clock, columns, goals, cache };
  const scope = { ...scene.project, seesPersons: true };
  return (input: TrendsInput, gone?: AbortSignal) => runQuery(parts, kinds.trends, scope, input, gone);
}

const totalOf = ({ series }: Awaited<ReturnType<ReturnType<typeof asker>>>) => series[0]?.rows[0]?.total;

it('drops the tasks of a query whose last asker has gone, and gives the right answer to the next', async () => {
  const query = asker();
  const gone = [new AbortController(), new AbortController()] as const;
  onTask = () => {
    for (const each of gone) each.abort();
  };
  const asked = await Promise.allSettled(gone.map(({ signal }) => query(people, signal)));
  expect(asked.map((each) => each.status === 'rejected' && each.reason instanceof Cancelled)).toEqual([true, true]);
  // The result is there at once for who asks anew; what was sent to the thread before comes back undone.
  const found = await query(people);
  expect(totalOf(found)).toBe(3);
  expect(found.series[0]?.rows[0]?.points.filter((point) => point === 3)).toHaveLength(DAYS);
  expect(dropped).toBeGreaterThan(0);
  const sent = tasks;
  expect(totalOf(await query(people))).toBe(3);
  expect(tasks).toBe(sent);
});

it('goes on for a second asker', async () => {
  const query = asker();
  const gone = new AbortController();
  onTask = () => gone.abort();
  const [first, second] = await Promise.allSettled([query(people, gone.signal), query(people)]);
  expect(first.status).toBe('rejected');
  expect(second.status === 'fulfilled' && totalOf(second.value)).toBe(3);
  expect(dropped).toBe(0);
});

it('counts anew what another query was at when it was cancelled', async () => {
  const query = asker();
  const gone = new AbortController();
  onTask = () => gone.abort();
  // The same chunks are counted for both: the second waits for the first.
  const results = await Promise.allSettled([query(people, gone.signal), query({ ...people, limit: 2 })]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(results[1]?.status === 'fulfilled' && totalOf(results[1].value)).toBe(3);
});
