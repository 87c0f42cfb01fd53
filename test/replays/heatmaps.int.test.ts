/** Heatmaps from what clients send to what screens draw. */
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { HeatmapQuery } from '#src/replays/heatmaps/contract.ts';
import { createHeatmaps } from '#src/replays/heatmaps/heatmaps.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import { element, full, meta } from './recorded.ts';

const database = useDatabase();
let collector: TestCollector;

beforeAll(async () => {
  collector = await startCollector(database.url);
});
afterAll(() => collector.stop());

const browser = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

async function create(settings: Partial<ProjectSettings>): Promise<Project> {
  const project = await collector.projects.create({ name: 'Shop', timeZone: 'UTC' });
  await collector.projects.update(project.id, { settings });
  return (await collector.projects.get(project.id)) as Project;
}

async function send(path: string, project: Project, batch: readonly JsonObject[], agent = browser): Promise<void> {
  const answer = await fetch(`${collector.url}/ingest/${path}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ api_key: project.token, batch }),
  });
  expect(answer.status).toBe(200);
}

const point = (x: number, y: number, type = 'click', target_fixed = false) => ({ x, y, type, target_fixed });

const clicked = (pages: Record<string, JsonObject[]>, more: JsonObject = {}): JsonObject => ({
  uuid: uuidV7(collector.deps.clock.now()),
  event: '$$heatmap',
  distinct_id: 'ana@shop.example',
  properties: { $heatmap_data: pages, $viewport_width: 1440, $viewport_height: 900, $lib: 'web', ...more },
});

const view = (seen: number): JsonObject => ({
  uuid: uuidV7(collector.deps.clock.now()),
  event: '$pageleave',
  distinct_id: 'ana@shop.example',
  properties: {
    $host: 'shop.example',
    $prev_pageview_pathname: '/cart',
    $prev_pageview_max_content_percentage: seen,
    $viewport_width: 1440,
    $lib: 'web',
  },
});

function ask(project: Project, more: Partial<HeatmapQuery> = {}) {
  const now = collector.deps.clock.now();
  const insights = { range: async () => ({ from: now - 86_400_000, to: now + 86_400_000 }) };
  const heatmaps = createHeatmaps(collector.deps, { insights: insights as never, reading: collector.replays });
  const asked = { range: 'today', width: 'desktop', ...more } as const;
  return Promise.all([
    heatmaps.heatmap(project, { show: 'click', ...asked }),
    heatmaps.heatmapRecording(project, asked),
  ]);
}

it('draws clicks where they were, once, whoever made them', async () => {
  const project = await create({ heatmaps: true });
  const cart = clicked({
    'https://shop.example/cart?email=ana@shop.example#top': [
      point(720, 405),
      point(725, 402),
      point(720, 405, 'rageclick'),
      point(10, 20, 'mousemove'),
      point(1400, 30, 'click', true),
      point(90_000, -5),
    ],
    'https://shop.example/p/7': [point(1, 1, 'deadclick')],
    'app://none': [point(1, 1)],
  });
  await send('e', project, [cart]);
  // The same again, after an answer that was lost; then a phone, a robot, and nonsense.
  await send('e', project, [cart, view(1), view(0.5), view(0.25), view(0.25)]);
  await send('e', project, [clicked({ 'https://shop.example/cart': [point(100, 50)] }, { $viewport_width: 390 })]);
  await send('e', project, [clicked({ 'https://shop.example/cart': [point(1, 1)] })], 'Googlebot/2.1');
  await send('e', project, [
    clicked({ 'https://shop.example/cart': 'x' as never }),
    clicked({ 'https://shop.example/cart': [point(1, 1), { x: 'a' }, 7 as never] }, { $viewport_width: null }),
  ]);
  const [map] = await ask(project);
  expect(map).toMatchObject({ isOn: true, page: '/cart', hosts: ['shop.example'], isCut: false });
  expect(map.totals).toEqual({ clicks: 4, rage: 1, dead: 0, views: 4 });
  expect(map.cells).toEqual([
    { x: 50, y: 400, fixed: false, count: 2 },
    { x: 100, y: 0, fixed: false, count: 1 },
    { x: 97, y: 30, fixed: true, count: 1 },
  ]);
  expect(map.pages.map(({ page, dead }) => [page, dead])).toEqual([
    ['/cart', 0],
    ['/p/7', 1],
  ]);
  const [scroll] = await ask(project, { show: 'scroll' });
  expect([0, 25, 26, 50, 51, 100].map((depth) => scroll.reached[depth])).toEqual([4, 4, 2, 2, 1, 1]);
  const [phone] = await ask(project, { width: 'phone', page: '/c*' });
  expect(phone.cells).toEqual([{ x: 25, y: 50, fixed: false, count: 1 }]);
  const [other] = await ask(project, { host: 'other.example' });
  expect([other.page, other.cells]).toEqual([null, []]);
  // No event, no visit, and nothing that names a person.
  const [stored] = await database.query(
    `select (select count(*)::int from events e join event_names n on n.project_id = e.project_id and n.number = e.event
              where name = '$$heatmap') as events,
            (select count(*)::int from heatmap_points p where p::text like '%ana%') as names`,
  );
  expect(stored).toEqual({ events: 0, names: 0 });
});

it('finds a recording of the page at this width, by the rules of the project', async () => {
  const now = collector.deps.clock.now();
  const project = await create({
    heatmaps: true,
    replay: { mode: 'all' } as never,
    pathRules: { patterns: ['/p/:id'] } as never,
  });
  await send('e', project, [clicked({ 'https://shop.example/p/7': [point(5, 5)] })]);
  const session = uuidV7(now);
  const events = [meta(now - 5_000, 'https://shop.example/p/7'), full(now - 4_900)];
  const sent = element(events as JsonObject[], { token: project.token, session });
  const answer = await fetch(`${collector.url}/ingest/s/`, { method: 'POST', body: JSON.stringify([sent]) });
  expect(answer.status).toBe(200);
  const [map, recording] = await ask(project);
  expect(map.page).toBe('/p/:id');
  expect(recording).toMatchObject({ session, paths: ['/p/7'], blocks: [{ hasFull: true }] });
  expect((await ask(project, { width: 'phone' }))[1]).toBeNull();
});

it('stores nothing for a project without heatmaps, and says so', async () => {
  const project = await create({});
  await send('e', project, [clicked({ 'https://shop.example/cart': [point(1, 1)] }), view(1)]);
  expect(await database.query('select from heatmap_points')).toEqual([]);
  const minutes = await database.query('select outcome, events from ingestion_minutes order by outcome');
  expect(minutes).toEqual([
    { outcome: 'heatmap', events: 1 },
    { outcome: 'stored', events: 1 },
  ]);
});
