/** The switches of a project, as the real posthog-js in a real browser obeys them. */
import type { BrowserContextOptions } from 'playwright-core';
import { systemClock } from '#src/kit/clock.ts';
import type { Project } from '#src/projects/projects.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import { pageAddress, siteRoutes } from '#test/kit/wire/site.ts';
import { readStored } from '#test/kit/wire/stored.ts';
import { eventually } from './luneta.ts';

const database = useDatabase({ between: 'nothing' });
const browser = useBrowser();
let collector: TestCollector;
let project: Project;

beforeAll(async () => {
  collector = await startCollector(database.url, { clock: systemClock as never, routes: siteRoutes() });
});
afterAll(() => collector.stop());
beforeEach(async () => {
  project = await collector.projects.create({ name: 'Shop', timeZone: 'UTC' });
});

/** A visitor presses a button, runs into an error and leaves a last sign. */
async function visit(options: BrowserContextOptions = {}, ready = 'true'): Promise<void> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(pageAddress(collector.url, { token: project.token, options: {} }));
  await page.waitForFunction('window.ready');
  // Autocapture waits for the settings of the project.
  await page.waitForFunction('posthog.get_property("$autocapture_disabled_server_side") !== undefined');
  await page.waitForFunction(ready);
  await page.click('#buy');
  await page.evaluate(`setTimeout(() => { throw new TypeError('of the page') })`);
  await page.waitForTimeout(200);
  await page.evaluate(`posthog.capture('last')`);
}

/** Names of the stored events, once this one is among them. */
function storedNames(last = 'last'): Promise<string[]> {
  return eventually(last, async () => {
    const { events } = await readStored(database, project.id);
    const names = events.map(({ event }) => event);
    return names.includes(last) ? names : null;
  });
}

it('captures presses and errors when they are on', async () => {
  // What captures errors is a script that is loaded when the settings say so.
  await visit({}, 'typeof window.onerror === "function"');
  await storedNames();
  // An error may come by a request of its own, after the last sign.
  const names = await storedNames('$exception');
  expect(names).toEqual(expect.arrayContaining(['$pageview', '$autocapture', '$exception', 'last']));
});

it('captures neither when they are off', async () => {
  await collector.projects.update(project.id, {
    settings: { autocapture: false, exceptionCapture: false, webVitals: false },
  });
  await visit();
  const names = await storedNames();
  expect(names).toEqual(expect.arrayContaining(['$pageview', 'last']));
  expect(names.filter((name) => ['$autocapture', '$exception', '$web_vitals'].includes(name))).toEqual([]);
});

it('stores nothing of a browser that asks not to be tracked, where the project respects it', async () => {
  await collector.projects.update(project.id, { settings: { respectDnt: true } });
  await visit({ extraHTTPHeaders: { 'Sec-GPC': '1' } });
  const dropped = await eventually('the last event', () =>
    database
      .query('select reason, times from ingestion_warnings where project_id = $1', [project.id])
      .then((rows) => rows.length > 0 && Number(rows[0]?.['times']) > 2 && rows),
  );
  expect(dropped.map(({ reason }) => reason)).toEqual(['do_not_track']);
  expect((await readStored(database, project.id)).events).toEqual([]);
});
