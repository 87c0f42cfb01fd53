/** Home and the settings of a project under hands: in both languages, both themes, on a phone, and by keyboard. */
import type { Page } from 'playwright-core';
import { uuidV7 } from '#src/kit/ids.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated, openWithoutCode } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
/** Where nothing listens: copying fails, which the settings of a project say. */
const luneta = runLuneta(database, { env: { CLICKHOUSE_URL: 'http://127.0.0.1:9' } });
const browser = useBrowser(luneta);
let project = 0;
let team = 0;

beforeAll(async () => {
  const [row] = await database.query<{ id: number; team_id: number }>(
    'select id, team_id from projects where not built_in',
  );
  project = row?.id ?? 0;
  team = row?.team_id ?? 0;
});

const settings = async () => {
  const [row] = await database.query<{ name: string; settings: Record<string, unknown> }>(
    'select name, settings from projects where id = $1',
    [project],
  );
  return row as { name: string; settings: Record<string, unknown> };
};

/** Opens the settings, and waits until they react. */
async function openSettings(page: Page, search = ''): Promise<void> {
  await page.goto(`${luneta.url}/project/${project}/settings${search}`);
  await hydrated(page, '#settings');
}

it('makes a project from Home, and leads on to its snippet', async () => {
  const { page, complaints } = await browser.newPage({ locale: 'en', timezoneId: 'America/Recife' });
  await page.goto(luneta.url);
  await page.getByRole('link', { name: 'New project' }).click();
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await eventually('the own zone', async () => (await zone.inputValue()) === 'America/Recife');
  await zone.fill('Recife');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByText('Enter a name.').waitFor();
  await page.getByText('Unknown time zone.').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('name');
  await page.keyboard.type('Padaria');
  await zone.fill('America/Recife');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/project\/\d+\/install/);
  expect(complaints).toEqual([]);
  await page.goto(luneta.url);
  await page.getByRole('link', { name: 'Padaria', exact: true }).waitFor();
  await page.getByText('Waiting for the first event').first().waitFor();
});

it('saves together what was changed on several tabs, and leads to what is wrong', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  page.setDefaultTimeout(5000);
  await openSettings(page);
  await page.getByRole('textbox', { name: 'Name' }).fill('Loja nova');
  await page.getByRole('link', { name: 'Data collection' }).click();
  await page.getByRole('switch', { name: 'Clicks and form submissions' }).press('Space');
  const origins = page.getByRole('textbox', { name: 'Allowed origins' });
  await origins.fill('https://loja.example\nloja serrana');
  await page.getByRole('link', { name: 'Privacy & data' }).click();
  await page.getByText('3 unsaved changes').waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Invalid origin “loja serrana”.').waitFor();
  await page.getByText('1 field needs attention').waitFor();
  await eventually('the focus', async () => (await page.evaluate('document.activeElement.name')) === 'allowedOrigins');
  expect((await settings()).name).not.toBe('Loja nova');
  await origins.fill('Loja.example');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await settings()).toMatchObject({
    name: 'Loja nova',
    settings: { autocapture: false, allowedOrigins: ['https://loja.example'] },
  });
  expect(await page.getByText('unsaved').count()).toBe(0);
  await page.reload();
  expect(await origins.inputValue()).toBe('https://loja.example');
  expect(complaints).toEqual([]);
});

it('takes from which second on a visit is no bounce, and domains that are no referrers; says what is wrong with them', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(`${luneta.url}/project/${project}/settings`);
  await hydrated(page, '#settings');
  await page.getByRole('textbox', { name: 'Bounce threshold (seconds)' }).fill('0');
  await page.getByRole('link', { name: 'Data collection' }).click();
  const domains = page.getByRole('textbox', { name: 'Ignored referrers' });
  await domains.fill('www.pay.example\nhttps://mypay.example');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const seconds = page.getByRole('textbox', { name: 'Bounce threshold (seconds)' });
  await seconds.fill('15');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Invalid domain “https://mypay.example”.').waitFor();
  await domains.fill('www.pay.example\nmypay.example');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await settings()).settings).toMatchObject({
    ...{ bounceSeconds: 15, ignoredReferrers: ['pay.example', 'mypay.example'] },
  });
  expect(complaints).toEqual([]);
});

it('shows what rules for pages and channels would change, before they are saved', async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    project,
  ]);
  const properties = {
    ...{ distinct_id: 'visitor', $session_id: uuidV7(Date.now()), $pathname: '/orders/1042' },
    $raw_user_agent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  };
  const sent = await fetch(`${luneta.url}/ingest/e/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, event: '$pageview', properties }),
  });
  expect(sent.status).toBe(200);
  const { page, complaints } = await browser.newPage({ locale: 'en', viewport: { width: 390, height: 844 } });
  await openSettings(page, '?tab=reading');
  const preview = page.getByRole('button', { name: 'Preview changes' });
  await preview.click();
  await page.getByText('These rules change nothing in the last 28 days.').waitFor();
  await page.getByRole('switch', { name: 'Replace IDs' }).press('Space');
  const rule = (number: number) => page.getByRole('group', { name: `Rule ${number}`, exact: true });
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.keyboard.type('*.news');
  await rule(1).getByLabel('If').selectOption('Referrer');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Enter a name of up to 60 characters.').waitFor();
  await page.keyboard.type('Press');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.keyboard.type('partner*');
  await rule(2).getByLabel('Channel').fill('Partners');
  await rule(2).getByRole('button', { name: 'Add condition' }).click();
  await rule(2).getByLabel('Matches').last().fill('blog');
  await page.getByRole('button', { name: 'Move rule 2 up' }).press('Enter');
  expect(await rule(1).getByLabel('Channel').inputValue()).toBe('Partners');
  await page.keyboard.press('Enter'); // on the same button, which cannot go further
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('button', { name: 'Remove rule 3' }).click();
  await preview.click();
  await page.getByRole('cell', { name: '/orders/:id' }).waitFor();
  await expectSound(page, 'the preview');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await settings()).settings).toMatchObject({
    pathRules: { ids: true, patterns: [] },
    channelRules: [
      {
        channel: 'Partners',
        when: [
          { field: 'source', like: 'partner*' },
          { field: 'medium', like: 'blog' },
        ],
      },
      { channel: 'Press', when: [{ field: 'referrer', like: '*.news' }] },
    ],
  });
  await page.goto(`${luneta.url}/project/${project}/overview`);
  await page.getByText('/orders/:id').first().waitFor();
  expect(complaints).toEqual([]);
});

it('keeps what was typed while the page was still coming alive', async () => {
  const { page, complaints } = await browser.newPage({ locale: 'en' });
  const release = await openWithoutCode(page, `${luneta.url}/project/${project}/settings?tab=collection`);
  await page.getByRole('textbox', { name: 'IP addresses' }).fill('203.0.113.7');
  await page.getByRole('switch', { name: 'Web Vitals' }).press('Space');
  release();
  await page.getByText('2 unsaved changes').waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await settings()).settings).toMatchObject({ internalAddresses: ['203.0.113.7'], webVitals: false });
  expect(complaints).toEqual([]);
});

it('asks before unsaved changes are discarded, and keeps them on cancel', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  page.setDefaultTimeout(5000);
  await page.goto(`${luneta.url}/project/${project}/overview`);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Another');
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await page.getByRole('dialog', { name: 'Discard unsaved changes?' }).waitFor();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  expect(await name.inputValue()).toBe('Another');
  await page.goBack();
  await page.waitForURL(/overview/);
  await page.goForward();
  await page.getByText('Your unsaved changes were kept.').waitFor();
  expect(await name.inputValue()).toBe('Another');
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL(/overview/);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await name.waitFor();
  expect(await name.inputValue()).not.toBe('Another');
  expect(complaints).toEqual([]);
});

it('replaces the token, and takes another one in', async () => {
  const { page, complaints } = await browser.newPage({ locale: 'pt-BR', viewport: { width: 390, height: 844 } });
  await openSettings(page);
  const shown = page.getByRole('textbox', { name: 'Token do projeto' });
  const old = await shown.inputValue();
  await page.getByRole('button', { name: 'Trocar…' }).click();
  await page.getByRole('combobox', { name: 'Aceitar o antigo por' }).selectOption('1 hora');
  await page.getByRole('button', { name: 'Trocar token' }).click();
  await page.getByText('Token trocado.').waitFor();
  expect(await shown.inputValue()).not.toBe(old);
  await page.getByText(/Trocado, aceito até/).waitFor();
  const other = page.getByRole('textbox', { name: 'Adicionar outro token' });
  await other.fill('phx_personal');
  await page.keyboard.press('Enter');
  await page.getByText('Esta é uma chave pessoal.').waitFor();
  await other.fill('phc_moved');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remover phc_moved' }).click();
  await page.getByRole('button', { name: 'Remover phc_moved' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Encerrar agora: ${old}` }).click();
  await page.getByText(/Trocado, aceito até/).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

it('lets a project wait to be deleted, and keeps it from Home', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  page.setDefaultTimeout(5000);
  await openSettings(page);
  const { name } = await settings();
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('textbox', { name: `Type ${name} to confirm` }).fill(name);
  await page.keyboard.press('Enter');
  await page
    .getByText(/Scheduled for deletion on/)
    .first()
    .waitFor();
  await page.goto(luneta.url);
  await page.getByText(/Scheduled for deletion on/).waitFor();
  await page.getByRole('button', { name: 'Cancel deletion' }).click();
  await page.getByText(`${name} will not be deleted.`).waitFor();
  await eventually('it does not wait any more', async () => {
    const [row] = await database.query('select deletes_at from projects where id = $1', [project]);
    return row?.['deletes_at'] === null;
  });
  expect(complaints).toEqual([]);
});

it.each([
  ['en', 'light', 1440],
  ['pt-BR', 'dark', 320],
] as const)('can be read by everybody: %s, %s, %d px', async (locale, colorScheme, width) => {
  const { page, complaints } = await browser.newPage({ locale, colorScheme, viewport: { width, height: 844 } });
  // The longest that is said of copying, and of its failure.
  await database.query(
    `update clickhouse_state
        set target = gen_random_uuid(), rows = 149770, caught_up_at = now() - interval '1 minute 39 seconds',
            error = $1, error_at = now()`,
    ['DB::Exception: Cannot reserve 1.00 MiB, not enough space: while writing part 684_18_18_0. (NOT_ENOUGH_SPACE)'],
  );
  const paths = [
    '/',
    '/status',
    `/team/${team}/new-project`,
    ...['', '?tab=collection', '?tab=reading', '?tab=privacy', '?tab=replay'].map(
      (tab) => `/project/${project}/settings${tab}`,
    ),
  ];
  for (const path of paths) {
    await page.goto(luneta.url + path);
    await page.locator('h1').waitFor();
    await expectSound(page, path);
  }
  expect(complaints).toEqual([]);
});
