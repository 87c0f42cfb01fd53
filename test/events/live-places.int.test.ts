/** Live as one viewer wants it: filters applied to the one shared read, and where the people of the last minutes are. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveFilter, LivePresence } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createLive, type Live } from '#src/events/live.ts';
import { systemClock } from '#src/kit/clock.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Project, type Projects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';
import { finishedEvent, sessionId } from '../insights/histories.ts';
import type { Happened } from '../insights/reference.ts';

const database = useDatabase();
let deps: TestDeps;
let live: Live;
let events: Events;
let projects: Projects;
let project: Project;
let reads = 0;

beforeEach(async () => {
  deps = testDeps(database.url, { clock: systemClock as never });
  deps.db.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('order by received_at desc')) reads += 1;
  });
  projects = createProjects(deps);
  live = createLive(deps, { projects });
  events = createEvents(deps, { persons: createPersons(deps), projects });
  project = await projects.create({ name: 'places', timeZone: 'UTC' });
});

afterEach(async () => {
  await Promise.all([live.stop(), events.stop()]);
  await deps.close();
});

async function store(...happened: (Partial<Happened> & { utm?: string })[]): Promise<void> {
  const ts = systemClock.now();
  await events.store(
    happened.map(({ utm, ...each }, place) => {
      const event = finishedEvent(project.id, {
        ...{ uuid: uuidV7(ts), event: '$pageview', distinctId: 'd', ts: ts - 1_000 + place, session: null },
        ...{ bot: false, path: '/', referringDomain: null },
        ...each,
      });
      if (utm !== undefined) event.groups.source = { ...event.groups.source, $session_entry_utm_source: utm };
      return event;
    }),
  );
}

function watch(filter?: LiveFilter) {
  const leaving = new AbortController();
  const names: string[] = [];
  let summary: LivePresence | null = null;
  const ended = (async () => {
    for await (const update of live.stream(project.id, { filter }, leaving.signal)) {
      names.push(...update.rows.map(({ event }) => event));
      summary = update.summary;
    }
  })();
  return {
    names,
    summary: () => summary,
    async leave() {
      leaving.abort();
      await ended;
    },
  };
}

it('gives each viewer what they want of one read', async () => {
  const viewers = [
    watch(),
    watch({ names: ['ping'] }),
    watch({ page: '/a/*' }),
    watch({ bots: 'hide', exceptNames: ['ping'] }),
  ];
  await until(() => viewers.every((viewer) => viewer.summary() !== null));
  await sleep(600);
  const before = reads;
  await store({ event: 'ping', path: null }, { event: 'x', path: '/a/b' }, { event: 'y', bot: true }, { event: 'z' });
  await until(() => viewers.every(({ names }) => names.length > 0));
  expect(reads - before).toBeLessThanOrEqual(2);
  expect(viewers.map(({ names }) => names.toSorted())).toEqual([['ping', 'x', 'y', 'z'], ['ping'], ['x'], ['x', 'z']]);
  const { rows } = await live.snapshot(project.id, { names: ['y', 'z'] });
  expect(rows.map(({ event }) => event).toSorted()).toEqual(['y', 'z']);
  for (const viewer of viewers) await viewer.leave();
});

it('tells where people are and where they came from, each of them once', async () => {
  const watching = watch();
  await until(() => watching.summary() !== null);
  // A first commit uses up the shared summary: what follows must not wait for the next look without news.
  await store({ distinctId: 'early', path: '/first' });
  await sleep(650);
  const at = systemClock.now();
  await store(
    { distinctId: 'a', path: '/one', session: sessionId('a'), referringDomain: 'wa.me', ts: at - 5_000 },
    { distinctId: 'a', path: '/two', session: sessionId('a'), referringDomain: 'wa.me', ts: at - 4_000 },
    { distinctId: 'a', event: 'ping', path: null, ts: at - 3_000, session: sessionId('a') },
    { distinctId: 'b', path: '/two', referringDomain: '$direct', utm: 'NewsLetter', session: sessionId('b') },
    { distinctId: 'c', event: '$identify', path: '/three', anonymousId: 'b', session: sessionId('b') },
    { distinctId: 'robot', path: '/two', bot: true },
    { distinctId: 'gone', path: '/two', ts: at - 301_000 },
  );
  await until(() => watching.summary()?.pages.some(({ value }) => value === '/two') === true);
  expect(watching.summary()?.pages).toEqual([
    { value: '/first', people: 1 },
    { value: '/three', people: 1 },
    { value: '/two', people: 1 },
  ]);
  expect(watching.summary()?.sources).toEqual([
    { value: '', people: 1 },
    { value: 'newsletter', people: 1 },
    { value: 'wa.me', people: 1 },
  ]);
  expect(watching.summary()?.peopleNow).toBe(3);
  expect(await live.now(project.id)).not.toHaveProperty('pages');
  await watching.leave();
});

it('lists the eight places with most people', async () => {
  await store(
    ...Array.from({ length: 55 }, (_, n) => {
      const place = Math.floor((Math.sqrt(8 * n + 1) - 1) / 2);
      return { distinctId: `d${n}`, path: `/${place}`, referringDomain: `${place}.example` };
    }),
  );
  const { summary } = await live.snapshot(project.id);
  expect(summary.pages).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map((n) => ({ value: `/${n}`, people: n + 1 })));
  expect(summary.sources.map(({ people }) => people)).toEqual([10, 9, 8, 7, 6, 5, 4, 3]);
});
