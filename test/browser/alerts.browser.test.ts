/** An alert under hands: made with a preview, fires, is acknowledged, and tells the outbox. */
import { uuidV7 } from '#src/kit/ids.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runJob, runLuneta } from './luneta.ts';
import { expectSound, hydrated, settled } from './sound.ts';

const HOUR_MS = 3_600_000;
const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);

beforeAll(async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const now = Date.now();
  // Whichever hour is the last one that is evaluated, it has ten.
  const batch = Array.from({ length: 30 }, (_, at) => ({
    event: 'order completed',
    timestamp: new Date(now - (1 + (at % 3)) * HOUR_MS + at * 1000).toISOString(),
    properties: { distinct_id: `visitor ${at}`, $session_id: uuidV7(now - 3 * HOUR_MS + at * 1000), $lib: 'web' },
  }));
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, batch, sent_at: new Date(now).toISOString() }),
  });
  expect(sent.status).toBe(200);
});

it('is made with a preview, fires, is acknowledged and mailed once', async () => {
  const { page, complaints } = await browser.newPage({ locale: 'en', viewport: { width: 1440, height: 900 } });
  await page.goto(`${luneta.url}/project/2/alerts`);
  await page.getByText('No alerts yet').waitFor();
  await expectSound(page);
  await page.getByRole('main').getByRole('link', { name: 'New alert' }).click();
  await hydrated(page, 'main form');
  await page.getByLabel('Name', { exact: true }).fill('Many orders');
  await page.getByLabel('Number', { exact: true }).selectOption('events');
  await page.getByLabel('Event name').fill('order completed');
  await page.getByLabel('Interval', { exact: true }).selectOption('hour');
  await page.getByLabel('Fire when the value is').selectOption('above');
  await page.getByRole('button', { name: 'Save alert' }).click();
  await page.getByText('Enter a number.').waitFor();
  await page.getByLabel('Limit', { exact: true }).fill('5');
  await page.getByText(/Would have fired in \d+ intervals/).waitFor();
  await page.getByLabel('Add target').selectOption('email');
  await page.getByRole('group', { name: 'Members of the team' }).getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: /^Remove Email: / }).waitFor();
  await settled(page);
  await expectSound(page);
  await page.getByRole('button', { name: 'Save alert' }).click();
  await page.waitForURL(/\/alerts\/\d+$/);
  await page.getByText('Nothing evaluated yet.').waitFor();

  await runJob(database, 'alerts');
  await eventually('the evaluation', async () => {
    const [row] = await database.query<{ state: string }>('select state from alerts');
    return row?.state === 'firing';
  });
  await page.reload();
  await hydrated(page, 'main button');
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText('Acknowledged', { exact: true }).waitFor();
  await settled(page);
  await expectSound(page);
  const mails = await database.query<{ subject: string }>("select subject from mails where kind = 'alert'");
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Many orders is firing · /)]);

  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`${luneta.url}/project/2/alerts`);
  await page.getByRole('link', { name: 'Many orders' }).waitFor();
  await settled(page);
  await expectSound(page);
  expect(complaints).toEqual([]);
});
