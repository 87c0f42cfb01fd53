/**
 * One's own account under hands: codes of an app and a passkey are turned on, sign in and prove; sessions end elsewhere; who is signed in
 * is known to own telemetry by a number alone. On a phone, in both languages and themes, readable by everybody.
 */
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { useBrowser, type WatchedPage } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { OWNER } from '#test/kit/sign-in.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const signedIn = useBrowser(luneta);
const stranger = useBrowser();

const now = () => Math.floor((performance.timeOrigin + performance.now()) / 1_000);

/** A device with a lock of its own, which its person opens at once. */
async function addDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: OWNER.name }).first().click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
}

async function giveFirstStep({ page }: WatchedPage): Promise<void> {
  await page.goto(`${luneta.url}/sign-in?next=${encodeURIComponent('/account')}`);
  await page.getByRole('textbox', { name: 'Email' }).fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
  await page.keyboard.press('Enter');
}

/** The last proof is an hour old. */
const makeProofOld = () =>
  database.query(
    `update sign_in_sessions set sess = jsonb_set(sess::jsonb, '{luneta,provedAt}', to_jsonb($1::float8))::json`,
    [now() * 1_000 - 3_600_000],
  );

it('turns codes on, signs in with one, and with a recovery code', async () => {
  const { page, complaints } = await signedIn.newPage({ locale: 'en' });
  await page.goto(`${luneta.url}/account?show=sign-in`);
  await page.getByRole('button', { name: 'Turn on 2FA', exact: true }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = ((await page.locator('p.mono').textContent()) ?? '').replaceAll(' ', '');
  const field = page.getByRole('textbox', { name: 'Authentication code' });
  await field.fill(generateSync({ secret, epoch: now() }));
  await page.keyboard.press('Enter');
  const codes = page.locator('ul.mono li');
  await codes.first().waitFor();
  const [recovery = ''] = await codes.allTextContents();
  expect(await codes.count()).toBe(10);
  await page.getByRole('button', { name: 'I’ve saved my codes' }).click();
  await page.getByText('10 recovery codes left').waitFor();
  expect(await page.content()).not.toContain(recovery);
  expect(complaints).toEqual([]);

  const withApp = await stranger.newPage({ locale: 'en' });
  await giveFirstStep(withApp);
  // As long as its end has not come, a page does not hold back what is pressed.
  await withApp.page.waitForURL('**/sign-in/second-step*');
  // A code serves once; the next one is taken from phones whose clock is ahead.
  await withApp.page
    .getByRole('textbox', { name: 'Authentication code' })
    .fill(generateSync({ secret, epoch: now() + 30 }));
  await withApp.page.keyboard.press('Enter');
  await withApp.page.getByRole('heading', { name: 'Account' }).waitFor();
  expect(withApp.page.url()).toBe(`${luneta.url}/account`);

  const withRecovery = await stranger.newPage({ locale: 'en' });
  await giveFirstStep(withRecovery);
  await withRecovery.page.waitForURL('**/sign-in/second-step*');
  await withRecovery.page.getByRole('button', { name: 'Use a recovery code' }).click();
  await withRecovery.page.getByRole('textbox', { name: 'Recovery code' }).fill(recovery);
  await withRecovery.page.keyboard.press('Enter');
  await withRecovery.page.getByRole('heading', { name: 'Account' }).waitFor();

  await page.getByRole('button', { name: 'Turn off 2FA' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off 2FA' }).click();
  await page.getByText('Two-factor authentication turned off').waitFor();
});

it('adds a passkey after a proof, signs in with it alone, and takes it away again', async () => {
  const { page, complaints } = await signedIn.newPage({ locale: 'en' });
  await addDevice(page);
  await page.goto(`${luneta.url}/account?show=sign-in`);
  await makeProofOld();
  await page.getByRole('textbox', { name: 'Passkey name' }).fill('Notebook');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Rename Notebook' }).waitFor();
  expect(await dialog.count()).toBe(0);

  // This device answers what the browser offers by itself as soon as it is asked.
  await signOut(page);
  await page.waitForURL(`${luneta.url}/`);
  await page.goto(`${luneta.url}/account?show=sessions`);
  await page.getByText('passkey ·').waitFor();

  // Browsers that do not offer it by themselves have the button.
  await page.addInitScript('delete PublicKeyCredential.isConditionalMediationAvailable');
  await page.goto(`${luneta.url}/account`);
  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(`${luneta.url}/`);

  await makeProofOld();
  await page.goto(`${luneta.url}/account?show=sign-in`);
  await page.getByRole('button', { name: 'Remove Notebook' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('No passkeys yet').waitFor();
  // Refused once, as it should be, before the dialog.
  expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);
});

it('ends the sign-in of another browser', async () => {
  const other = await stranger.newPage({ locale: 'en' });
  await giveFirstStep(other);
  await other.page.getByRole('heading', { name: 'Account' }).waitFor();
  const mine = await stranger.newPage({ locale: 'en' });
  await giveFirstStep(mine);
  await mine.page.getByRole('heading', { name: 'Account' }).waitFor();
  await mine.page.goto(`${luneta.url}/account?show=sessions`);
  await mine.page.getByRole('button', { name: 'Sign out all other sessions' }).click();
  await mine.page.getByText('All other sessions signed out').waitFor();
  expect(await mine.page.getByRole('listitem').count()).toBe(1);
  await other.page.reload();
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

it('tells own telemetry who is there by a number alone, and forgets at sign-out', async () => {
  const [person] = await database.query<{ uuid: string }>('select uuid from users');
  const known = () => page.evaluate<string | undefined>(`window.posthog && window.posthog.get_property('$user_id')`);
  const watched = await stranger.newPage({ locale: 'en' });
  const { page } = watched;
  await giveFirstStep(watched);
  await page.getByRole('heading', { name: 'Account' }).waitFor();
  await eventually('identified', async () => (await known()) === person?.uuid);
  await page.goto(`${luneta.url}/account?show=sessions`);
  await eventually('still identified', async () => (await known()) === person?.uuid);
  await eventually('stored', async () => {
    const rows = await database.query<{ n: number }>(
      'select count(*)::int as n from distinct_ids where distinct_id = $1',
      [person?.uuid],
    );
    return rows[0]?.n === 1;
  });
  await signOut(page);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await eventually('loaded', async () => page.evaluate('Boolean(window.posthog && window.posthog.__loaded)'));
  expect(await known()).toBeUndefined();
  expect(await page.evaluate('window.posthog.get_distinct_id()')).not.toBe(person?.uuid);

  const tables = ['events', 'persons', 'distinct_ids', 'property_groups', 'sessions'];
  for (const table of tables) {
    const rows = await database.query<{ text: string }>(`select ${table}::text as text from ${table}`);
    const stored = rows.map(({ text }) => text).join('\n');
    for (const secret of [OWNER.email, OWNER.name, 'Marina']) expect(stored).not.toContain(secret);
  }
});

it.each([
  ['en', 'light', 1440],
  ['pt-BR', 'dark', 390],
] as const)('can be read by everybody: %s, %s, %d px', async (locale, colorScheme, width) => {
  const watched = await stranger.newPage({ locale: 'en', colorScheme, viewport: { width, height: 844 } });
  const { page } = watched;
  await giveFirstStep(watched);
  await page.getByRole('heading', { name: 'Account' }).waitFor();
  await page.context().addCookies([{ name: 'luneta_lang', value: locale, url: luneta.url }]);
  for (const path of ['/account', '/account?show=sign-in', '/account?show=sessions', '/sign-in/second-step']) {
    await page.goto(luneta.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectSound(page, path);
  }
});
