/**
 * Old versions of posthog-js against the real collector: do they start on what we tell them? They read their settings from the flags
 * call, and without an answer that they understand they capture no clicks and compress nothing. The packages are installed under
 * names with their versions.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#src/kit/clock.ts';
import type { Project } from '#src/projects/projects.ts';
import { useBrowser, watch } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startCollector, type TestCollector } from '#test/kit/wire/collector.ts';
import { pageAddress, siteRoutes } from '#test/kit/wire/site.ts';
import { readStored } from '#test/kit/wire/stored.ts';

const old = ['1.20.0', '1.57.4', '1.96.1', '1.260.0'];

function moduleOf(version: string): string {
  const files = ['module.mjs', 'es.js', 'module.js'].map((file) =>
    join(process.cwd(), `node_modules/posthog-js-${version}/dist`, file),
  );
  const found = files.find((file) => existsSync(file));
  if (found === undefined) throw new Error(`posthog-js-${version} is not installed`);
  return found;
}

const addresses = Object.fromEntries(old.map((version) => [`/old/${version}.mjs`, moduleOf(version)]));

describe('an old posthog-js', () => {
  const database = useDatabase({ between: 'nothing' });
  const browser = useBrowser();
  let collector: TestCollector;
  const compressed = new Set<string>();
  beforeAll(async () => {
    const site = siteRoutes(addresses);
    collector = await startCollector(database.url, {
      clock: systemClock as never,
      routes(req, res, next) {
        if (/^\/ingest\/(?:e|i\/v0\/e)\/$/.test(req.path)) compressed.add(String(req.query['compression'] ?? 'none'));
        site(req, res, next);
      },
    });
  });
  afterAll(() => collector.stop());

  for (const version of old) {
    it(`${version} starts, captures a click, compresses, and says nothing in the console`, async () => {
      const project: Project = await collector.projects.create({ name: version, timeZone: 'UTC' });
      const context = await browser.newContext();
      const page = await context.newPage();
      const { complaints } = watch(page);
      const failed: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
      });
      compressed.clear();
      await page.goto(pageAddress(collector.url, { token: project.token, client: `/old/${version}.mjs` }));
      await page.waitForFunction('window.ready');
      await page.waitForLoadState('networkidle'); // its settings have arrived
      await page.click('#buy');
      await page.evaluate(`posthog.identify('ana', { email: 'ana@example.com' })`);
      await page.waitForTimeout(200);
      await page.goto('about:blank');
      const until = performance.now() + 30_000;
      let stored = await readStored(database, project.id);
      while (stored.events.length < 4 && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        stored = await readStored(database, project.id);
      }
      const names = new Set(stored.events.map(({ event }) => event));
      expect([...names]).toEqual(expect.arrayContaining(['$pageview', '$autocapture', '$identify', '$pageleave']));
      expect(stored.persons).toMatchObject([{ identified: true, properties: { email: 'ana@example.com' } }]);
      expect(compressed).toContain('gzip-js');
      expect(complaints).toEqual([]);
      expect(failed).toEqual([]);
    });
  }
});
