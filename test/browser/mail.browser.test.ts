/** The mail screen under hands: without a mail service the link of an invitation is copied from it, by keyboard, in both themes. */
import { readFileSync } from 'node:fs';
import type { BrowserContext } from 'playwright-core';
import type { TeamId } from '#src/accounts/contract.ts';
import { createMail } from '#src/mail/mail.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { axePath, useBrowser, watch } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';
import { runLuneta } from './luneta.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database, { owner: false });
const browser = useBrowser();
const axe = readFileSync(axePath(), 'utf8');
const invitation = 'https://luneta.example.com/invite/9f8e7d6c5b4a';
let team = 0;
let cookie = '';

beforeAll(async () => {
  const answer = await fetch(`${luneta.url}/api/sign-in/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: luneta.url },
    body: JSON.stringify({
      name: 'Marina Duarte',
      email: 'marina@serrana.example',
      password: 'um bule de café coado',
      language: 'en',
      timeZone: 'America/Sao_Paulo',
      team: 'Serrana',
      project: 'Café Serrana',
    }),
  });
  expect(answer.status).toBe(200);
  cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
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

async function signedIn(context: BrowserContext): Promise<BrowserContext> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: luneta.url }]);
  return context;
}

it('gives the link of an invitation to an admin, by keyboard', async () => {
  const { page, complaints } = watch(await (await signedIn(await browser.newContext({ locale: 'en' }))).newPage());
  await page.goto(`${luneta.url}/team/${team}/mail`);
  await page.getByText('Mail is not set up.').waitFor();
  expect(await page.content()).not.toContain('9f8e7d6c5b4a');
  await page.getByRole('button', { name: 'Show link of the mail to rafael@serrana.example' }).focus();
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: 'Link for rafael@serrana.example' });
  await field.waitFor();
  expect(await field.inputValue()).toBe(invitation);
  const selected = await page.evaluate<string>(
    'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
  );
  expect(selected).toBe(invitation);
  await page.getByRole('button', { name: 'Send me a test mail' }).click();
  await page.getByText('waits in the list').waitFor();
  await page.getByRole('rowheader', { name: 'marina@serrana.example' }).waitFor();
  expect(complaints).toEqual([]);
});

it.each([
  ['en', 'light', 1440],
  ['pt-BR', 'dark', 390],
] as const)('can be read by everybody: %s, %s, %d px', async (locale, colorScheme, width) => {
  const context = await browser.newContext({ locale, colorScheme, viewport: { width, height: 844 } });
  const page = await (await signedIn(context)).newPage();
  await page.goto(`${luneta.url}/team/${team}/mail`);
  await page.getByRole('table').waitFor();
  await page
    .getByRole('button', { name: /rafael@serrana/ })
    .first()
    .click();
  await page.getByRole('textbox').waitFor();
  await page.evaluate(axe);
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>('axe.run()');
  expect(found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
});
