/** Signing in with another service, in a real browser: a provider of OpenID Connect and the hosted backend, both on this machine. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { startBackend, type TestBackend } from '#test/kit/hosted.ts';
import { startProvider, type TestProvider } from '#test/kit/oidc.ts';
import { OWNER } from '#test/kit/sign-in.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated } from './sound.ts';

const { email, name } = OWNER;
const client = { clientId: 'luneta', clientSecret: 'a secret' };
const marina = { sub: 'marina-1', email, email_verified: true };
const people = { Marina: marina, Stranger: { sub: 'stranger', email: 's@example.com', email_verified: true } };
const passwordThere = 'the password there';

let provider: TestProvider;
let backend: TestBackend;
/** Known once the two have a port. */
const env: Record<string, string> = { OIDC_NAME: 'Serrana ID', PUBLIC_SUPABASE_ANON_KEY: 'anon' };

beforeAll(async () => {
  provider = await startProvider({ ...client, people });
  backend = await startBackend(passwordThere);
  backend.user = { id: 'd0c5', email, email_confirmed_at: '2026-01-01T00:00:00Z' };
  Object.assign(env, { OIDC_ISSUER: provider.issuer, PUBLIC_SUPABASE_URL: backend.url });
  Object.assign(env, { OIDC_CLIENT_ID: client.clientId, OIDC_CLIENT_SECRET: client.clientSecret });
});
afterAll(async () => {
  await provider.close();
  await backend.close();
});

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database, { env });
const browser = useBrowser();

beforeAll(() => database.query('update users set email_verified_at = now()'));

const desk: BrowserContextOptions = { locale: 'en', viewport: { width: 1440, height: 900 } };
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, locale: 'pt-BR', colorScheme: 'dark' };

async function open(path: string, options: BrowserContextOptions = desk) {
  const watched = await browser.newPage({ timezoneId: 'America/Sao_Paulo', ...options });
  await watched.page.goto(`${luneta.url}${path}`);
  await hydrated(watched.page, 'h1');
  return watched;
}

/** The way back leads through the service worker from then on: it must not ask for it twice, since one can come back only once. It comes some seconds after the page. */
async function serviceWorkerOf(page: Page): Promise<void> {
  const isAwake = 'navigator.serviceWorker.controller?.state === "activated"';
  await eventually('the service worker is there', () => page.evaluate<boolean>(isAwake));
}

/** To the provider and back, with the given choice there. */
async function goThere(page: Page, button: string, answer: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL(`${provider.issuer}/authorize?**`);
  await page.getByRole('button', { name: answer }).click();
  await page.waitForURL(`${luneta.url}/**`);
}

const identities = () => database.query('select issuer, subject from identities order by subject desc');

describe('with a provider', () => {
  it('leads in, where one wanted to go, and again after signing out', async () => {
    const { page, complaints } = await open('/project/2/live');
    await serviceWorkerOf(page);
    await goThere(page, 'Continue with Serrana ID', 'Marina');
    await page.waitForURL(`${luneta.url}/project/2/live`);
    await hydrated(page, 'h1');
    await page.getByRole('button', { name }).first().click();
    // Before its code has come it signs out as well, but what is open then is refused and says so.
    await hydrated(page, 'form[action="/sign-out"]');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await hydrated(page, 'h1');
    await goThere(page, 'Continue with Serrana ID', 'Marina');
    await page.waitForURL(`${luneta.url}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await identities()).toEqual([{ issuer: provider.issuer, subject: 'marina-1' }]);
    expect(complaints).toEqual([]);
  });

  it('leads in on a phone as well, in Portuguese', async () => {
    const { page } = await open('/sign-in?next=%2Fproject%2F2%2Fevents', phone);
    await goThere(page, 'Continuar com Serrana ID', 'Marina');
    await page.waitForURL(`${luneta.url}/project/2/events`);
  });

  it.each([
    ['refused there', desk, 'Refuse', 'Sign-in canceled at the other service. Nothing was changed.'],
    ['refused there', phone, 'Refuse', 'Login cancelado no outro serviço. Nada foi alterado.'],
    ['known to nobody here', desk, 'Stranger', 'This account isn’t connected to a Luneta user.'],
    ['known to nobody here', phone, 'Stranger', 'Esta conta não está conectada a nenhum usuário.'],
  ])('says so of who was %s, in a language that they read', async (_, options, answer, said) => {
    const { page, complaints } = await open('/sign-in?next=%2Fproject%2F2%2Flive', options);
    if (options === desk && answer === 'Refuse') await serviceWorkerOf(page);
    await goThere(page, options === desk ? 'Continue with Serrana ID' : 'Continuar com Serrana ID', answer);
    await hydrated(page, 'h1');
    await page.getByText(said).waitFor();
    await expectSound(page);
    expect(complaints).toEqual([]);
    // Where one wanted to go is not forgotten.
    await page.getByLabel(/^E-?mail/).fill(email);
    await page.getByLabel(options === desk ? 'Password' : 'Senha').fill(OWNER.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${luneta.url}/project/2/live`);
  });
});

describe('with the hosted backend', () => {
  it.each([
    [desk, { way: 'Sign in with', password: 'Password', wrong: 'Incorrect email or password.' }],
    [phone, { way: 'Entrar com sua conta em', password: 'Senha', wrong: 'E-mail ou senha incorretos.' }],
  ])('says that a password is wrong, and leads in with the right one: %#', async (options, words) => {
    const { page } = await open('/sign-in?next=%2Fproject%2F2%2Flive', options);
    await page.getByRole('link', { name: words.way }).click();
    await page.waitForURL('**/sign-in/hosted?**');
    await hydrated(page, 'h1');
    await expectSound(page);
    await page.getByLabel(/^E-?mail/).fill(email);
    await page.getByLabel(words.password).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText(words.wrong).waitFor();
    await page.getByLabel(words.password).fill(passwordThere);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${luneta.url}/project/2/live`);
    await hydrated(page, 'h1');
    const issuers = (await identities()).map(({ issuer }) => issuer);
    expect(issuers).toContain(backend.url);
  });
});

it('says that a service is away', async () => {
  backend.broken = 'token';
  const { page } = await open('/sign-in/hosted');
  await page.getByLabel(/^E-?mail/).fill(email);
  await page.getByLabel('Password').fill(passwordThere);
  await page.keyboard.press('Enter');
  await page
    .getByRole('alert')
    .filter({ hasText: /isn’t responding/ })
    .waitFor();
  backend.broken = null;
});
