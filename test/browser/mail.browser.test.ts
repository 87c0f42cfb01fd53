/** The mail screen under hands: without a mail service the link of an invitation is copied from it, by keyboard, in both themes. */
import type { TeamId } from '#src/accounts/contract.ts';
import { createMail } from '#src/mail/mail.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';
import { runLuneta } from './luneta.ts';
import { expectSound } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
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
  const { page, complaints } = await browser.newPage({ locale: 'en' });
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
