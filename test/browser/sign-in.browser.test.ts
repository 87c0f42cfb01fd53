/** From an empty installation to being signed in, out and in again, in a real browser: both languages, on a phone, without a mail service. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated, openWithoutCode, settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database, { owner: false });
const browser = useBrowser();

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, locale: 'pt-BR', colorScheme: 'dark' };
const password = 'doze garrafas de azeite';
const another = 'treze garrafas de vinagre';

async function open(path: string, options: BrowserContextOptions = { locale: 'en' }) {
  const watched = await browser.newPage({ timezoneId: 'America/Sao_Paulo', ...options });
  await watched.page.goto(`${luneta.url}${path}`);
  await ready(watched.page);
  return watched;
}

/** The cookies of a new session, without a look at the screens that lead to one. */
async function startSession() {
  const context = await browser.newContext({ locale: 'en' });
  const answer = await context.request.post(`${luneta.url}/api/sign-in/password`, {
    data: { email: 'marina@serrana.example', password },
    headers: { origin: luneta.url },
  });
  expect(answer.status()).toBe(200);
  return context.storageState();
}

async function openSignedIn(path: string) {
  return open(path, { locale: 'en', storageState: await startSession() });
}

/** Interactive: forms are sent by code from now on. */
const ready = (page: Page) => hydrated(page, 'h1');

const focused = (page: Page) => page.evaluate<string>('document.activeElement.getAttribute("name")');

async function signIn(page: Page, typed: string, { email = 'marina@serrana.example' } = {}): Promise<void> {
  await page.getByLabel(/^E-?mail/).fill(email);
  await page.getByLabel(/^(Password|Senha)/).fill(typed);
  await page.keyboard.press('Enter');
}

it('is set up by the first who comes, on a phone, by keyboard, in the language and zone of the browser', async () => {
  const { page, complaints } = await open('/', phone);
  expect(page.url()).toBe(`${luneta.url}/setup`);
  await page.getByRole('heading', { level: 1, name: 'Configurar a Luneta' }).waitFor();
  await expectSound(page);
  const answers = { name: 'Marina Duarte', email: 'marina', password: 'senha123', team: 'Serrana', project: 'Loja' };
  await page.getByLabel('Seu nome').focus();
  for (const each of Object.values(answers)) {
    await page.keyboard.type(each);
    await page.keyboard.press('Tab');
  }
  expect(await page.getByLabel('Idioma').inputValue()).toBe('pt-BR');
  expect(await page.getByLabel('Fuso horário').inputValue()).toBe('America/Sao_Paulo');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('E-mail inválido.').waitFor();
  expect(await focused(page)).toBe('email');
  await page.keyboard.type('@serrana.example');
  await page.keyboard.press('Enter');
  await page.getByText('Esta senha é fácil de adivinhar.').waitFor();
  expect(await focused(page)).toBe('password');
  await page.getByLabel('Senha').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/project/2/install');
  const [owner] = await database.query('select email, language, time_zone from users');
  expect(owner).toEqual({ email: 'marina@serrana.example', language: 'pt-BR', time_zone: 'America/Sao_Paulo' });
  expect(complaints.filter((complaint) => !/status of 400/.test(complaint))).toEqual([]);
});

it.each<[string, BrowserContextOptions]>([
  ['on a desk, light, in English', { locale: 'en', viewport: { width: 1440, height: 900 } }],
  ['on a phone, dark, in Portuguese', phone],
])('has screens that fit and that everybody can use: %s', async (_, options) => {
  for (const path of [
    '/sign-in',
    '/sign-in?problem=unknown',
    '/sign-in/forgot',
    '/sign-in/link?token=x',
    '/sign-in/confirm',
  ]) {
    const { page, complaints } = await open(path, options);
    await expectSound(page);
    expect(complaints).toEqual([]);
  }
});

it('measures nothing where the address holds a secret', async () => {
  const measures = async (path: string) => {
    const { page, requests } = await open(path);
    return { page, isMeasured: () => requests.some((request) => request.includes('/ingest/')) };
  };
  const secret = await Promise.all(['/sign-in/confirm?token=x', '/invite/x'].map(measures));
  const plain = await measures('/sign-in');
  await eventually('where there is no secret, it measures', async () => plain.isMeasured());
  await plain.page.waitForTimeout(2_000);
  expect(secret.map(({ isMeasured }) => isMeasured())).toEqual([false, false]);
});

it('leads to where one wanted to go, after a mistake as well', async () => {
  const { page } = await open('/project/2/live?x=1');
  expect(page.url()).toBe(`${luneta.url}/sign-in?next=%2Fproject%2F2%2Flive%3Fx%3D1`);
  await page.getByRole('button', { name: 'Português (Brasil)' }).click();
  await page.getByRole('heading', { level: 1, name: 'Entrar' }).waitFor();
  await signIn(page, 'errada');
  await page.getByText('E-mail ou senha incorretos. Confira e tente de novo.').waitFor();
  expect(await focused(page)).toBe('password');
  await signIn(page, password);
  await page.waitForURL('**/project/2/live?x=1');
});

it('takes what was pressed before the code of the page had come', async () => {
  const { page, complaints } = await browser.newPage({ locale: 'en' });
  const letCome = await openWithoutCode(page, `${luneta.url}/sign-in?next=${encodeURIComponent('/project/2/live')}`);
  await signIn(page, password);
  await page.waitForTimeout(500);
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  letCome();
  await page.waitForURL('**/project/2/live');
  expect(complaints).toEqual([]);
});

it('takes it with what only the browser knows', async () => {
  const storageState = await startSession();
  const { page } = await browser.newPage({ locale: 'en', timezoneId: 'America/Manaus', storageState });
  const letCome = await openWithoutCode(page, `${luneta.url}/team/1/new-project`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Manaus');
  await page.keyboard.press('Enter');
  letCome();
  await page.waitForURL('**/install');
  expect(await database.query("select time_zone from projects where name = 'Manaus'")).toEqual([
    { time_zone: 'America/Manaus' },
  ]);
});

it('says how long to wait after too many mistakes', async () => {
  const { page } = await open('/sign-in');
  for (let guess = 0; guess < 6; guess++) {
    const answered = page.waitForResponse(/\/api\/sign-in\/password/);
    await signIn(page, `guess ${guess}`, { email: 'rafael@serrana.example' });
    await answered;
  }
  await page.getByText(/Too many attempts\. Try again in \d+ s or reset your password\./).waitFor();
});

it('leaves nothing behind after signing out', async () => {
  const { page, requests } = await openSignedIn('/project/2/overview');
  const link = await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Goals' }).boundingBox();
  const held = Promise.withResolvers<void>();
  await page.route('**/sign-out', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Marina Duarte' }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click({ noWaitAfter: true });
  // What the page asks from here on would be refused: it asks no more.
  const before = requests.length;
  await page.mouse.move((link?.x ?? 0) + 20, (link?.y ?? 0) + 10);
  await page.waitForTimeout(500);
  expect(requests.slice(before).filter((request) => request.includes('/api/trpc/'))).toEqual([]);
  held.resolve();
  await page.waitForURL('**/sign-in');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await page.content()).not.toContain('Loja');
});

it('shows nothing of the reader before in another tab', async () => {
  const { page } = await openSignedIn('/');
  const context = page.context();
  const tabs = await Promise.all(
    ['/project/2/overview', '/account'].map(async (path) => {
      const tab = await context.newPage();
      await tab.goto(luneta.url + path);
      await ready(tab);
      return tab;
    }),
  );
  const loaded: string[] = [];
  for (const tab of tabs) tab.on('load', () => loaded.push(tab.url()));
  // A page of the same reader is nothing new.
  await page.goto(`${luneta.url}/project/2/events`);
  await ready(page);
  expect(loaded).toEqual([]);
  await page.getByRole('button', { name: 'Marina Duarte' }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  for (const tab of tabs) await tab.waitForURL('**/sign-in?next=*');
  // A session that ended elsewhere is noticed with the next question.
  await signIn(page, password);
  for (const tab of tabs) await tab.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
  const [tab] = tabs as [Page];
  await tab.goto(`${luneta.url}/project/2/overview`);
  await ready(tab);
  await context.clearCookies();
  await tab.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Goals' }).click();
  await tab.waitForURL('**/sign-in?next=*');
});

it('goes on when signing out was broken off', async () => {
  const { page, requests } = await openSignedIn('/project/2/overview');
  await page.route('**/sign-out', (route) => route.abort('aborted'));
  await page.getByRole('button', { name: 'Marina Duarte' }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  const before = requests.length;
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Goals' }).click();
  await page.getByRole('heading', { name: 'Goals', level: 1 }).waitFor();
  await eventually('the page asks', async () => requests.slice(before).some((each) => each.includes('/api/trpc/')));
});

it.each([
  ['the menu', '/project/2/overview', 'Marina Duarte'],
  ['the bar', '/', null],
])('signs out from %s also before any code has come', async (_, path, menu) => {
  const storageState = await startSession();
  const { page } = await browser.newPage({ locale: 'en', storageState, javaScriptEnabled: false });
  await page.goto(luneta.url + path);
  await settled(page);
  if (menu !== null) await page.getByRole('button', { name: menu }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  await page.goto(luneta.url + path);
  await page.waitForURL('**/sign-in?next=*');
});

it('passes a new password on without a mail service: asked for here, copied from the outbox by an owner', async () => {
  const stranger = await open('/sign-in');
  await stranger.page.getByRole('link', { name: 'Forgot your password?' }).click();
  await stranger.page.getByText('Email isn’t set up on this server').waitFor();
  await stranger.page.getByLabel('Email').fill('marina@serrana.example');
  await stranger.page.getByRole('button', { name: 'Request reset link' }).click();
  await stranger.page.getByRole('heading', { level: 1, name: 'Reset link created' }).waitFor();
  await stranger.page.getByRole('button', { name: 'Back to sign-in' }).click();
  await stranger.page.waitForURL('**/sign-in');

  const owner = await openSignedIn('/');
  const link = await eventually('the mail is in the outbox', () =>
    owner.page.evaluate<string | null>(`(async () => {
      const list = await (await fetch('/api/trpc/mail.outbox?input=' + encodeURIComponent('{"json":{"team":1}}'))).json();
      const mail = list.result.data.json.items.find(({ kind }) => kind === 'resetPassword');
      if (!mail) return null;
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ json: { team: 1, id: mail.id } });
      const got = await (await fetch('/api/trpc/mail.link', { method: 'POST', headers, body })).json();
      return got.result.data.json;
    })()`),
  );
  await stranger.page.goto(link);
  await ready(stranger.page);
  await expectSound(stranger.page);
  await stranger.page.getByLabel('New password').fill(another);
  await stranger.page.getByRole('button', { name: 'Save and sign in' }).click();
  await stranger.page.waitForURL(`${luneta.url}/`);
  await owner.page.reload();
  await owner.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await stranger.page.goto(link);
  await stranger.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
});
