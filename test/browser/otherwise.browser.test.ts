/** Screens for those who look otherwise: in the system's own colours, in large text, on paper, without JavaScript, among many projects. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated, openWithoutCode, settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);

const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, locale: 'en-US' };
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, locale: 'pt-BR', colorScheme: 'dark' };

const project = '/project/2';
const screens = ['overview', 'live', 'ingestion', 'events', 'persons', 'goals', 'settings'];

beforeAll(async () => {
  await database.query(
    `insert into projects (name, time_zone, team_id, created_at)
     select 'Loja ' || n, 'UTC', 1, $1 from generate_series(1, 8) n`,
    [new Date(performance.timeOrigin)],
  );
});

async function open(path: string, options: BrowserContextOptions = desktop): Promise<Page> {
  const { page } = await browser.keptPage(options);
  await page.goto(luneta.url + path);
  await hydrated(page, 'h1');
  return page;
}

/** A style of the first element that the selector finds, as the browser works it out. */
const styleOf = (page: Page, selector: string, name: string, part = '') =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(part)}).getPropertyValue(${JSON.stringify(name)})`,
  );

describe('in the system’s own colours', () => {
  it('selected, switched and typed state is distinguishable in every theme', async () => {
    const page = await open(`${project}/settings?tab=collection`, { ...desktop, colorScheme: 'light' });
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
    const tab = 'nav a[aria-current="true"]';
    expect(await styleOf(page, tab, 'border-bottom-width')).toBe('4px');
    expect(await styleOf(page, 'nav a[href*="tab=privacy"]', 'border-bottom-width')).toBe('0px');
    // A colour that is on its way to another may be anything.
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
    const [track, knob] = [
      await styleOf(page, 'input[role=switch]:checked', 'background-color'),
      await styleOf(page, 'input[role=switch]:checked', 'background-color', '::before'),
    ];
    expect(track).not.toBe(knob);
    // The arrow of a list, which is drawn, has the colour of its text.
    const text = await styleOf(page, 'select', 'color');
    expect(await styleOf(page, 'select + svg', 'stroke')).toBe(text);
    expect(text).not.toBe(await styleOf(page, 'body', 'background-color'));
  });

  it('what opens over the page has an edge', async () => {
    const page = await open(`${project}/overview`);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('button', { name: /Switch project/ }).click();
    expect(await styleOf(page, '[popover]:popover-open', 'outline-style')).toBe('solid');
  });
});

it('draws the arrow of a list itself, inside its edge', async () => {
  const page = await open('/account');
  const list = page.getByRole('combobox', { name: 'Language' });
  expect(await styleOf(page, 'select', 'appearance')).toBe('none');
  const around = await list.boundingBox();
  const arrow = await page.locator('select + svg').first().boundingBox();
  if (around === null || arrow === null) throw new Error('not drawn');
  expect(arrow.x + arrow.width).toBeLessThan(around.x + around.width);
  expect(arrow.y).toBeGreaterThan(around.y);
  // The arrow is no obstacle: a press on it is one on the list.
  const at = { x: arrow.x + arrow.width / 2, y: arrow.y + arrow.height / 2 };
  expect(await page.evaluate<string>(`document.elementFromPoint(${at.x}, ${at.y}).tagName`)).toBe('SELECT');
});

/** What axe finds by how large things are. Everything else of these screens it is asked where they are tested. */
const bySize = { runOnly: { type: 'rule', values: ['scrollable-region-focusable'] } };

describe.each([
  ['on a desk', desktop],
  ['on a phone', phone],
])('with text twice as large, %s', (_, options) => {
  it('every screen fits', async () => {
    const { page } = await browser.newPage(options);
    const session = await page.context().newCDPSession(page);
    await session.send('Page.enable');
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const path of [...screens.map((screen) => `${project}/${screen}`), '/account', '/sign-in']) {
      if (path === '/sign-in') await page.context().clearCookies();
      await page.goto(luneta.url + path);
      await hydrated(page, 'h1');
      expect([path, new URL(page.url()).pathname, await styleOf(page, 'html', 'font-size')]).toEqual([
        path,
        path,
        '32px',
      ]);
      await expectSound(page, `${path} in large text`, bySize);
      // No button is lower than what is written on it.
      const cut = await page.evaluate<string[]>(
        `[...document.querySelectorAll('button, main a, select, input')]
          .filter((each) => each.checkVisibility() && each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).display !== 'inline' && each.clientHeight > 1)
          .map((each) => each.outerHTML.slice(0, 120))`,
      );
      expect([path, cut]).toEqual([path, []]);
    }
  });
});

it('prints whose numbers these are, and of which days', async () => {
  const page = await open(`${project}/overview`, { ...desktop, viewport: { width: 717, height: 1000 } });
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const shown = await page.evaluate<string>('document.body.innerText');
  expect(shown.indexOf('Loja')).toBeGreaterThanOrEqual(0);
  expect(shown.indexOf('Loja')).toBeLessThan(shown.indexOf('Overview'));
  expect(shown).toMatch(/Last 28 days\s*\d+.\w{3}.{1,3}–.{1,3}\d+.\w{3}/);
  // No navigation, which stands below on paper as narrow as a phone.
  expect(await page.getByRole('navigation', { name: 'Quick navigation' }).count()).toBe(0);
  expect(shown).not.toContain('More');
});

describe('without JavaScript', () => {
  const required = {
    en: 'JavaScript is required to make changes',
    'pt-BR': 'Ative o JavaScript e recarregue para fazer alterações',
  };

  it.each([
    ['/account', 'en'],
    [`${project}/goals?edit=new`, 'pt-BR'],
  ] as const)('%s says in %s that it cannot be changed', async (path, locale) => {
    const { page } = await browser.newPage({ ...desktop, locale, javaScriptEnabled: false });
    await page.goto(luneta.url + path);
    // Texts in it are not found by the browser's driver.
    const notice = page.locator('noscript > div');
    await notice.waitFor();
    expect(await notice.textContent()).toContain(required[locale]);
  });

  it.each([
    ['/account/keys', 'pt-BR'],
    [`${project}/settings`, 'en'],
    [`${project}/privacy`, 'en'],
    ['/team/1/settings', 'en'],
    ['/team/1/members', 'pt-BR'],
    ['/team/1/new-project', 'en'],
    ['/team/new', 'en'],
  ] as const)('%s says the same in %s', async (path, locale) => {
    const answer = await fetch(luneta.url + path, {
      headers: {
        cookie: luneta.cookie,
        'accept-language': locale,
        accept: 'text/html',
      },
    });
    const [, notice] = /<noscript><div[^>]*>(.*?)<\/noscript>/s.exec(await answer.text()) ?? [];
    expect([answer.status, notice]).toEqual([200, expect.stringContaining(required[locale])]);
  });

  it.each(['/account', `${project}/goals?edit=new`])(
    '%s says nothing of it where there is JavaScript',
    async (path) => {
      const page = await open(path);
      expect(await page.locator('noscript > div').count()).toBe(0);
      expect(await page.evaluate<string>('document.body.innerText')).not.toContain('JavaScript is required');
    },
  );
});

describe('the list at the project’s name', () => {
  const button = (page: Page) => page.getByRole('button', { name: /Switch project/ }).filter({ visible: true });

  it('finds a project by typing, and leads to it', async () => {
    const page = await open(`${project}/overview`);
    await button(page).click();
    const field = page.getByRole('searchbox', { name: 'Search projects' });
    await eventually('the field has the focus', () => field.evaluate((each) => each === document.activeElement));
    await page.keyboard.type('loja 7');
    const box = page.getByRole('dialog', { name: 'Projects' });
    await box.getByRole('status').getByText('1 project').waitFor({ state: 'attached' });
    expect(await box.getByRole('link').allTextContents()).toEqual(['Loja 7', 'All projects', 'New project']);
    await expectSound(page);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Switch project: Loja 7' }).first().waitFor();
    // Opened again it shows all of them.
    await button(page).click();
    await eventually('the field has the focus', () => field.evaluate((each) => each === document.activeElement));
    expect(await field.inputValue()).toBe('');
    expect(await box.getByRole('link').count()).toBeGreaterThan(8);
  });

  it('takes what is typed when it was opened before its code had come', async () => {
    const { page, complaints } = await browser.newPage(desktop);
    const letCode = await openWithoutCode(page, `${luneta.url}${project}/overview`);
    await button(page).click();
    letCode();
    const field = page.getByRole('searchbox', { name: 'Search projects' });
    await eventually('the field has the focus', () => field.evaluate((each) => each === document.activeElement));
    await page.keyboard.type('loja 7');
    await page.getByRole('dialog', { name: 'Projects' }).getByRole('link', { name: 'Loja 7' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('leads to all projects and to a new one on a phone, without JavaScript too', async () => {
    const { page } = await browser.newPage({ ...phone, javaScriptEnabled: false });
    await page.goto(`${luneta.url}${project}/overview`);
    await settled(page);
    await page
      .getByRole('button', { name: /Trocar projeto/ })
      .filter({ visible: true })
      .click();
    expect(await page.getByRole('searchbox', { name: 'Buscar projeto' }).isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Todos os projetos' }).filter({ visible: true }).first().waitFor();
    await page.getByRole('link', { name: 'Novo projeto' }).click();
    await page.waitForURL(/\/team\/1\/new-project/);
  });

  // The last one: it takes the rights away.
  it('offers no new project without permission', async () => {
    await database.query(`update members set role = 'member'`);
    try {
      const page = await open(`${project}/overview`);
      await button(page).click();
      const box = page.getByRole('dialog', { name: 'Projects' });
      await box.getByRole('link', { name: 'All projects' }).waitFor();
      expect(await box.getByRole('link', { name: 'New project' }).count()).toBe(0);
    } finally {
      await database.query(`update members set role = 'owner'`);
    }
  });
});
