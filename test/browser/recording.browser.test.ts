/** The recorder of the real posthog-js in a real browser: what it sends is what is stored, and nothing that was typed in secret. */
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { systemClock } from '#src/kit/clock.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { Project } from '#src/projects/projects.ts';
import { useBrowser, watch } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import { pageAddress, siteRoutes } from '#test/kit/wire/site.ts';
import { eventually } from './luneta.ts';

const database = useDatabase({ between: 'nothing' });
const browser = useBrowser();
let collector: TestCollector;

/** A database server that is away for some requests. */
let refuses = 0;

beforeAll(async () => {
  const site = siteRoutes();
  collector = await startCollector(database.url, {
    clock: systemClock as never,
    routes(req, res, next) {
      if (req.path === '/ingest/s/' && refuses > 0) {
        refuses--;
        return void res.writeHead(503, { 'Retry-After': '1' }).end('away');
      }
      site(req, res, next);
    },
  });
});
afterAll(() => collector.stop());

const create = async (replay: JsonObject): Promise<Project> => {
  const project = await collector.projects.create({ name: 'Shop', timeZone: 'UTC' });
  await collector.projects.update(project.id, { settings: { replay } });
  return (await collector.projects.get(project.id)) as Project;
};

/** Events of the requests that the page sent, as they were before the client compressed them. */
function recordedBy(page: Page): JsonObject[] {
  const events: JsonObject[] = [];
  page.on('requestfinished', (request) => {
    void request.response().then((response) => {
      const body = request.postDataBuffer();
      if (!request.url().includes('/ingest/s/') || response?.status() !== 200 || body === null) return;
      for (const { properties } of JSON.parse(gunzipSync(body).toString()) as { properties: JsonObject }[]) {
        events.push(...(properties['$snapshot_data'] as JsonObject[]).map(plain));
      }
    });
  });
  return events;
}

const unpacked = (text: string) => JSON.parse(gunzipSync(Buffer.from(text, 'latin1')).toString());

function plain({ cv, ...event }: JsonObject): JsonObject {
  if (cv === undefined) return event;
  if (typeof event['data'] === 'string') return { ...event, data: unpacked(event['data']) };
  const data = Object.entries(event['data'] as JsonObject).map(([name, value]) => [
    name,
    typeof value === 'string' && value.startsWith('\x1f\x8b') ? unpacked(value) : value,
  ]);
  return { ...event, data: Object.fromEntries(data) };
}

interface Line {
  window: string;
  event: JsonObject;
}

async function storedOf(project: Project): Promise<Line[]> {
  const rows = await database.query<{ session: string }>('select session from replay_sessions where project_id = $1', [
    project.id,
  ]);
  const lines: Line[] = [];
  for (const { session } of rows) {
    for await (const piece of collector.replays.readBlocks(project.id, session, 0, 10_000)) {
      for (const line of piece.toString().split('\n')) if (line !== '') lines.push(JSON.parse(line) as Line);
    }
  }
  return lines;
}

const sorted = (events: readonly JsonObject[]) =>
  events
    .filter((event) => (event['data'] as JsonObject | null)?.['tag'] !== '$posthog_config')
    .map((event) => JSON.stringify(event))
    .sort();

it('stores what the recorder sends, after a refusal too, and nothing that was typed into a password', async () => {
  const project = await create({ mode: 'all', minimumSeconds: 0 });
  const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
  const page = await context.newPage();
  const { complaints, requests } = watch(page);
  const sent = recordedBy(page);
  refuses = 1;
  await page.goto(pageAddress(collector.url, { token: project.token, options: {} }));
  await page.waitForFunction('window.ready');
  await page.waitForFunction(
    'posthog.sessionRecording?.status === "active" || posthog.sessionRecording?.status === "sampled"',
  );
  expect(requests.some((each) => /\/ingest\/static\/.*recorder\.js/.test(String(each)))).toBe(true);
  await page.evaluate(`
    document.body.insertAdjacentHTML('beforeend', '<form><input id="mail" name="mail"><input id="secret" type="password"></form>');
    history.pushState({}, '', '/site/cart' + location.search);
    console.error('broken');
  `);
  await page.fill('#mail', 'ana@shop.example');
  await page.fill('#secret', 'geheim-123');
  await page.evaluate(`document.querySelector('#secret').type = 'text'`);
  await page.click('#buy');
  await page.evaluate(`document.querySelector('#words').textContent = 'the last word'`);
  await eventually('last word', async () => JSON.stringify(sent).includes('the last word'));
  // What was answered with 200 is stored.
  const answered = [...sent];
  const stored = await storedOf(project);
  const of = (events: readonly JsonObject[]) => sorted(events).filter((text) => !text.includes('"plugin"'));
  expect(answered.length).toBeGreaterThan(5);
  expect(of(stored.map(({ event }) => event))).toEqual(expect.arrayContaining(of(answered)));
  expect(stored.some(({ event }) => event['type'] === 2)).toBe(true);
  const text = JSON.stringify([stored, await database.query('select * from replay_sessions')]);
  expect(text).not.toMatch(/geheim|ana@shop/);
  expect(text).toContain('broken');
  const [session] = await database.query('select * from replay_sessions where project_id = $1', [project.id]);
  expect(session).toMatchObject({ errors: 1, clicks: expect.any(Number), width: 900, height: 600 });
  expect(complaints.filter((each) => !/broken|503/.test(each))).toEqual([]);
});

it('records a session from before its error on, and one without problems not at all', async () => {
  const project = await create({ mode: 'problems', samplePercent: 0, minimumSeconds: 0 });
  const visit = async (throws: boolean) => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(pageAddress(collector.url, { token: project.token, options: { capture_exceptions: true } }));
    await page.waitForFunction('window.ready');
    await page.waitForFunction('posthog.sessionRecording?.status === "buffering"');
    await page.evaluate(`document.querySelector('#words').textContent = 'before the error'`);
    await page.click('#buy');
    if (throws) await page.evaluate(`posthog.captureException(new TypeError('of the page'))`);
    await page.waitForTimeout(throws ? 0 : 3_000);
  };
  await visit(false);
  expect(await storedOf(project)).toEqual([]);
  await visit(true);
  const stored = await eventually('recording', async () => {
    const lines = await storedOf(project);
    return lines.length > 0 ? lines : null;
  });
  expect(JSON.stringify(stored)).toContain('before the error');
});
