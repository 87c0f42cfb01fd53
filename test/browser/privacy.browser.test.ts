/**
 * Keys, privacy and email in a real browser: a key is made, used and revoked; a person is found, exported and erased; events with implausible
 * dates are deleted; the link of an invitation is copied by keyboard; nothing is left to see after signing out. All screens in both languages
 * and themes.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { TeamId } from '#src/accounts/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createMail } from '#src/mail/mail.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';
import { eventually, runJob, runLuneta } from './luneta.ts';
import { expectSound, hydrated, inBothThemes, looks } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const privacy = () => `${luneta.url}/project/2/privacy`;

beforeAll(async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const batch = ['ana', 'ana', 'bia'].map((id) => ({
    event: '$pageview',
    distinct_id: id,
    properties: { $current_url: 'https://shop.example/', $set: { email: `${id}@shop.example` } },
  }));
  const body = JSON.stringify({ api_key: row?.token, batch });
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  expect(sent.status).toBe(200);
});

it('makes a key that works, shows it once, and ends it', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(`${luneta.url}/account`);
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText('No API keys yet').waitFor();
  await hydrated(page, 'main form');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByText('Enter a name.').waitFor();
  expect(await page.evaluate<string>('document.activeElement.name')).toBe('name');
  await page.keyboard.type('Weekly spreadsheet');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Copy your API key' }).waitFor();
  const shown = (await page.textContent('main')) ?? '';
  const key = /lnk_[0-9A-Za-z]{40}/.exec(shown)?.[0] ?? '';
  // What it suggests to try is something that this key may.
  const example = /http:[^\s']+\/api\/v1\/[^\s']+/.exec(shown)?.[0] ?? '';
  const ask = () => fetch(example, { headers: { Authorization: `Bearer ${key}` } });
  expect((await ask()).status).toBe(200);
  await page.reload();
  await page.getByText('Weekly spreadsheet lnk_').waitFor();
  expect(await page.content()).not.toContain(key);
  await page.getByRole('button', { name: 'Revoke API key Weekly spreadsheet' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('No API keys yet').waitFor();
  expect((await ask()).status).toBe(401);
  expect(complaints).toEqual([]);
});

it('finds a person, exports their data and erases it', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(privacy());
  await hydrated(page, 'main form');
  await find(page, 'nobody@shop.example');
  await page.getByText('No matching person').waitFor();
  await find(page, 'ANA@shop.example');
  await page.getByRole('button', { name: 'Export all data' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export all data' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('person.ndjson');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['person', 'event', 'event']);
  await page.getByText('2 events · 1 person · 1 id').waitFor();
  await page.getByRole('button', { name: 'Erase ana@shop.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.getByText('Erasure started').waitFor();
  await runJob(database, 'privacy-requests');
  await eventually('two events are gone', async () => {
    const events = await database.query('select 1 from events where project_id = 2');
    return events.length === 1;
  });
  await find(page, 'ana');
  await page.getByText('No matching person').waitFor();
  await page.getByText('2 matching receipts below.').waitFor();
  expect(complaints).toEqual([]);
});

it.each(looks)('can be read by everybody: $locale', async (look) => {
  const { page } = await browser.keptPage({ locale: look.locale });
  for (const address of [privacy(), `${luneta.url}/account/keys`]) {
    await page.goto(address);
    await page.locator('main form').first().waitFor();
    await hydrated(page, 'main form');
    if (address === privacy()) {
      await page.locator('input[name=search]').fill('bia');
      await page.keyboard.press('Enter');
      await page.getByText('bia@shop.example').first().waitFor();
    } else await page.locator('select[name=projects]').selectOption('some');
    await inBothThemes(page, look, async (name) => {
      await expectSound(page, `${address}, ${name}`);
      const folder = process.env['LOOKS'];
      const file = `${folder}/${address.split('/').at(-1)}-${look.locale}-${name}.png`;
      if (folder) await page.screenshot({ path: file, fullPage: true });
    });
  }
});

// Sent with the public token, so anyone can send it.
it('says below the chart which events have implausible dates, leads to them, and deletes them in Settings', async () => {
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

  const { page: small, complaints: others } = await browser.newPage({
    locale: 'pt-BR',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await small.goto(`${project}/overview?range=all_time`);
  await small.getByText(/1 evento com data anterior a .* excluído/).waitFor();
  await expectSound(small);
  await small.goto(`${project}/settings?tab=privacy`);
  await small.getByRole('heading', { name: 'Datas não plausíveis' }).waitFor();
  await expectSound(small);

  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(`${project}/overview?range=all_time`);
  await page.getByText(/1 event dated before .* excluded/).waitFor();
  await page.getByRole('link', { name: 'View events' }).click();
  await page.getByText('1 event.').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Delete in Settings' }).click();
  await page.getByRole('button', { name: 'Delete these events' }).click();
  const dialog = page.getByRole('dialog');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('1 event deleted.').waitFor();
  await page.getByRole('heading', { name: 'Implausible dates', exact: true }).waitFor({ state: 'detached' });
  expect([complaints, others]).toEqual([[], []]);
});

/** Without a mail service the link of an invitation is copied from the screen. */
describe('the email screen', () => {
  const invitation = 'https://luneta.example.com/invite/9f8e7d6c5b4a';
  let team = 0;

  beforeAll(async () => {
    const [row] = await database.query<{ id: number }>('select id from teams');
    team = row?.id ?? 0;
    const deps = testDeps(database.url);
    const mail = createMail(deps, { secrets: createSecrets(deps) });
    for (const to of ['rafael@serrana.example', 'joana.com.um.nome.bem.comprido@cooperativa-da-serra.example']) {
      deps.clock.advance(60_000);
      await mail.send(deps.db, {
        kind: 'invitation',
        to,
        language: 'pt-BR',
        teamId: team as TeamId,
        data: { link: invitation, inviter: 'Marina Duarte', team: 'Serrana', role: 'member', days: 7 },
      });
    }
    await deps.close();
  });

  it('gives the link of an invitation to an admin, by keyboard', async () => {
    const { page, complaints } = await browser.keptPage({ locale: 'en' });
    await page.goto(`${luneta.url}/team/${team}/mail`);
    await page.getByText('Email isn’t set up').waitFor();
    expect(await page.content()).not.toContain('9f8e7d6c5b4a');
    await page.getByRole('button', { name: 'Show link for rafael@serrana.example' }).focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Link for rafael@serrana.example' });
    await field.waitFor();
    expect(await field.inputValue()).toBe(invitation);
    const selected = await page.evaluate<string>(
      'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
    );
    expect(selected).toBe(invitation);
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page.getByText('is in the list below').waitFor();
    await page.getByRole('rowheader', { name: 'marina@serrana.example' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.each([
    ['en', 'light', 1440],
    ['pt-BR', 'dark', 390],
  ] as const)('can be read by everybody: %s, %s, %d px', async (locale, colorScheme, width) => {
    const { page } = await browser.newPage({ locale, colorScheme, viewport: { width, height: 844 } });
    await page.goto(`${luneta.url}/team/${team}/mail`);
    await page.getByRole('table').waitFor();
    await page
      .getByRole('button', { name: /rafael@serrana/ })
      .first()
      .click();
    await page.getByRole('textbox').waitFor();
    await expectSound(page);
  });
});

// The last one: it ends the session of this file.
it('leaves nothing to see after signing out, not even by going back', async () => {
  const { page } = await browser.newPage({ locale: 'en' });
  await page.goto(`${luneta.url}/team/1/mail`);
  await page.getByRole('heading', { name: 'Email' }).waitFor();
  await page.getByRole('button', { name: 'Marina Duarte' }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  await page.goBack();
  await page.waitForURL(/\/sign-in\?next=/);
  await page.waitForLoadState('load');
  expect(await page.content()).not.toContain('Marina Duarte');
});

async function find(page: Page, search: string): Promise<void> {
  await page.getByLabel('Email or distinct ID').fill(search);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
}
