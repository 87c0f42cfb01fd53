/** One event of 1970, sent with the public token: *All time* leaves it out and says so, and an owner looks at it and deletes it. */
import { uuidV7 } from '#src/kit/ids.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { runLuneta } from './luneta.ts';
import { expectSound } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const phone = { locale: 'pt-BR', viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

type Page = Awaited<ReturnType<typeof browser.newPage>>['page'];

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

it('is said below the chart, leads to the event, and ends in Settings', async () => {
  const [row] = await database.query<{ id: number; token: string }>(
    'select p.id, t.token from projects p join project_tokens t on t.project_id = p.id where not p.built_in',
  );
  const times = ['1970-01-01T00:00:10Z', ...Array.from({ length: 5 }, (_, at) => new Date(Date.now() - at * 60_000))];
  const session = uuidV7(Date.now());
  const batch = times.map((timestamp) => ({
    ...{ event: '$pageview', distinct_id: 'Ana', timestamp },
    properties: { $pathname: '/cardapio', $session_id: session },
  }));
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, batch }),
  });
  expect(sent.status).toBe(200);
  const project = `${luneta.url}/project/${row?.id}`;

  const { page: small, complaints: others } = await browser.newPage(phone);
  await small.goto(`${project}/overview?range=all_time`);
  await small.getByText(/1 evento com data anterior a .* excluído/).waitFor();
  await expectSound(small);
  await shot(small, 'early-note-pt');
  await small.goto(`${project}/settings?tab=privacy`);
  await small.getByRole('heading', { name: 'Datas não plausíveis' }).waitFor();
  await expectSound(small);
  await shot(small, 'early-settings-pt');

  const { page, complaints } = await browser.newPage({ locale: 'en' });
  await page.goto(`${project}/overview?range=all_time`);
  await page.getByText(/1 event dated before .* excluded/).waitFor();
  await shot(page, 'early-note-en');
  await page.getByRole('link', { name: 'View events' }).click();
  await page.getByText('1 event.').waitFor();
  await shot(page, 'early-events-en');
  await page.goBack();
  await page.getByRole('link', { name: 'Delete in Settings' }).click();
  await page.getByRole('button', { name: 'Delete these events' }).click();
  const dialog = page.getByRole('dialog');
  await expectSound(page);
  await shot(page, 'early-dialog-en');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('1 event deleted.').waitFor();
  await page.getByRole('heading', { name: 'Implausible dates', exact: true }).waitFor({ state: 'detached' });
  expect([complaints, others]).toEqual([[], []]);
});
