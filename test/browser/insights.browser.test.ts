/** Questions about behaviour are asked on one screen, whose address is the query. */
import { readFileSync, writeFileSync } from 'node:fs';
import { uuidV7 } from '#src/kit/ids.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const phone = { locale: 'pt-BR', viewport: { width: 390, height: 844 } };

let editor = '';

type Page = Awaited<ReturnType<typeof browser.newPage>>['page'];

/** Twelve people view a page on three days, eight of them look at a product, and four of those pay. */
beforeAll(async () => {
  const [row] = await database.query<{ id: number; token: string }>(
    `select projects.id, token from projects join project_tokens on project_id = projects.id where not built_in`,
  );
  editor = `${luneta.url}/project/${row?.id}/insights/new`;
  const now = Date.now();
  const batch = Array.from({ length: 12 }, (_, person) => {
    const ts = now - 60 * 60_000 - (person % 3) * 86_400_000;
    const properties = { $session_id: uuidV7(ts), plan: person % 2 === 0 ? 'pro' : 'free' };
    const event = (name: string, minute: number, more: object) => ({
      uuid: uuidV7(ts + minute * 60_000),
      event: name,
      distinct_id: `person ${person}`,
      timestamp: new Date(ts + minute * 60_000).toISOString(),
      properties: { ...properties, ...more },
    });
    return [
      event('$pageview', 0, { $pathname: '/', $host: 'shop.example' }),
      ...(person < 8 ? [event('product viewed', 5, { price: 10 + person })] : []),
      ...(person < 4 ? [event('order paid', 20, { price: 10 + person })] : []),
    ];
  }).flat();
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, batch }),
  });
  expect(sent.status).toBe(200);
});

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Opens the button of a choice, and takes what is found by a text. */
async function choose(page: Page, button: string, typed: string, option: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('combobox', { name: button.replace(/: .*$/, '') }).fill(typed);
  await page.getByRole('option', { name: option }).first().click();
}

/** Drags a row above all others. @param before it is let go */
async function dragUp(page: Page, handle: RegExp, before?: () => Promise<void>): Promise<void> {
  const button = page.getByRole('button', { name: handle });
  await button.hover();
  await page.mouse.down();
  const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 4, y - 200, { steps: 5 });
  await page.locator('[data-dragged]').waitFor();
  await before?.();
  await page.mouse.up();
}

const queryOf = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('q') ?? '{}');

it('asks a trend: the address is the query, Back and reload show it again', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(editor);
  await hydrated(page, 'aside [popover]');
  const table = page.getByRole('region', { name: 'Results' }).getByRole('table');
  await table
    .getByRole('row', { name: /Page view/ })
    .getByText('12')
    .waitFor();

  // A misspelt name is said to be one, and exchanged.
  await choose(page, 'Event, series A', 'ordr paid', 'ordr paid');
  await page.getByText('No event with this name has been received. Did you mean').waitFor();
  await page.getByRole('button', { name: 'Use “order paid”' }).click();
  await table
    .getByRole('row', { name: /order paid/ })
    .getByText('4')
    .waitFor();
  expect(queryOf(page).series).toEqual([{ event: { event: 'order paid' }, measure: 'persons' }]);

  // What is changed while the change before becomes the address is not lost.
  const measure = page.getByRole('combobox', { name: 'Measure, series A' });
  await measure.evaluate((select: HTMLSelectElement) => {
    const push = history.pushState;
    history.pushState = (...entry) => {
      history.pushState = push;
      push.apply(history, entry);
      select.selectedIndex = [...select.options].findIndex(({ label }) => label === 'Property value: Sum');
      select.dispatchEvent(new Event('change', { bubbles: true }));
    };
  });
  await measure.selectOption({ label: 'Sessions' });
  await choose(page, 'Property, series A', 'price', 'price');
  await table
    .getByRole('row', { name: /order paid/ })
    .getByText('46')
    .waitFor();

  await page.getByRole('button', { name: 'Add series' }).click();
  await choose(page, 'Event, series B', 'product', 'product viewed');
  await choose(page, 'Breakdown by', 'plan', 'plan');
  await table.getByRole('row', { name: /B pro/ }).getByText('4').waitFor();
  await expectSound(page);
  await shot(page, 'trend-breakdown');

  // Rows change places by the keyboard, and what was asked before comes back.
  await page.getByRole('button', { name: /^Reorder series B/ }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await eventually('the series change places', async () => queryOf(page).series[0].event.event === 'product viewed');
  const asked = page.url();
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually('the order comes back', async () => queryOf(page).series[0].event.event === 'order paid');
  await page.getByRole('button', { name: 'Redo' }).click();
  await eventually('and goes again', async () => page.url() === asked);
  await page.goBack();
  await eventually('as by Back', async () => queryOf(page).series[0].event.event === 'order paid');
  await page.goForward();

  await page.reload();
  await table.getByRole('row', { name: /A pro/ }).getByText('4').waitFor();

  // The pointer moves them too; Escape leaves them where they are.
  await hydrated(page, '[data-handle]');
  await dragUp(page, /^Reorder series B/, () => page.keyboard.press('Escape'));
  expect(await page.locator('[data-dragged]').count()).toBe(0);
  await dragUp(page, /^Reorder series B/);
  await eventually('the series are dragged', async () => queryOf(page).series[0].event.event === 'order paid');
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually('and go back', async () => queryOf(page).series[0].event.event === 'product viewed');
  await table.getByRole('row', { name: /A pro/ }).getByText('4').waitFor();

  await page.getByRole('button', { name: 'Add breakdown' }).click();
  await choose(page, 'Breakdown 2', 'Event name', 'Event name');
  await table
    .getByRole('row', { name: /A pro · product viewed/ })
    .getByText('4')
    .waitFor();
  await shot(page, 'trend-two-breakdowns');
  await choose(page, 'Breakdown 2', 'None', 'None');
  await table.getByRole('row', { name: /A pro · product viewed/ }).waitFor({ state: 'detached' });
  await table.getByRole('row', { name: /A pro/ }).waitFor();

  // A formula takes the place of its series, and is asked as soon as it makes sense.
  await page.getByRole('button', { name: 'Add formula' }).click();
  const formula = page.getByRole('textbox', { name: 'Formula 1' });
  await formula.fill('B / ');
  await page.getByText('Incomplete at position 4').waitFor();
  await formula.fill('B / A');
  await table.getByRole('row', { name: 'pro' }).getByText('5.5').waitFor();
  await expectSound(page);
  await shot(page, 'trend-formula');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('button', { name: 'Chart (PNG)' }).click();
  const image = readFileSync(await (await download).path());
  expect([image.subarray(1, 4).toString(), image.length > 10_000]).toEqual(['PNG', true]);
  if (process.env['SHOTS']) writeFileSync(`${process.env['SHOTS']}/image.png`, image);
  await page.getByRole('button', { name: /Chart type/ }).click();
  await page.getByRole('link', { name: 'Table', exact: true }).click();
  await page.getByRole('columnheader', { name: 'Day' }).waitFor();
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await page.getByRole('link', { name: 'Table (CSV)' }).getAttribute('href');
  const csv = await page.request.get(new URL(file ?? '', luneta.url).href);
  expect([csv.status(), (await csv.text()).split('\n')[0]?.trim()]).toEqual([
    200,
    'series,value,from,to,points,previous',
  ]);
  expect(complaints).toEqual([]);
});

it('has the numbers and the chart in the first response, without a script', async () => {
  const { page } = await browser.newPage({ locale: 'en', javaScriptEnabled: false });
  const query = encodeURIComponent(JSON.stringify({ steps: [{ event: '$pageview' }, { event: 'order paid' }] }));
  await page.goto(`${editor}?kind=funnel&v=1&q=${query}`);
  await page.getByText('33.3%').first().waitFor();
  await page.getByRole('list', { name: /^Funnel/ }).waitFor();
  await page.goto(`${editor}?kind=trends&v=1&q=%7B%22series%22%3A%5B%5D%7D`);
  await page.getByText('This link contains a query that can’t be read.').waitFor();
});

it('asks a funnel, retention, lifecycle and stickiness of the same events on a phone', async () => {
  const { page, complaints } = await browser.newPage(phone);
  await page.goto(editor);
  await hydrated(page, 'aside [popover]');
  await page.getByRole('button', { name: /^Tendências/ }).click();
  await choose(page, 'Evento, série A', 'product', 'product viewed');
  await page.getByRole('link', { name: 'Funil' }).click();
  await choose(page, 'Evento, etapa 2', 'order', 'order paid');
  const funnel = page.getByRole('list', { name: /^Funil/ });
  await funnel.getByText('order paid').waitFor();
  await funnel.getByText('50,0% da etapa 1').waitFor();
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
  await expectSound(page);
  await shot(page, 'funnel-phone');

  // Behind the drop-off there are as many people as it says, and they can be kept.
  await page.getByRole('button', { name: '4 abandonaram' }).first().click();
  const panel = page.getByRole('dialog', { name: 'Abandonaram depois da etapa 1: product viewed' });
  await panel.getByText('4 de 4').waitFor();
  await panel.getByText('4 pessoas', { exact: true }).waitFor();
  expect(await panel.getByRole('table').getByRole('link').count()).toBe(4);
  await expectSound(page);
  await shot(page, 'people-phone');
  await panel.getByRole('searchbox').fill('person 5');
  await panel.getByText('1 de 1').waitFor();
  const file = await panel.getByRole('link', { name: 'Baixar como CSV' }).getAttribute('href');
  const csv = await page.request.get(new URL(file ?? '', luneta.url).href);
  expect([csv.status(), (await csv.text()).trim().split('\n').length]).toEqual([200, 2]);
  await panel.getByRole('button', { name: 'Salvar como coorte' }).click();
  const dialog = page.getByRole('dialog', { name: 'Salvar como coorte' });
  await dialog.getByRole('textbox', { name: 'Nome' }).fill('Não pagaram');
  await dialog.getByRole('button', { name: 'Salvar coorte' }).click();
  const cohort = await panel.getByRole('link', { name: 'Não pagaram' }).getAttribute('href');
  // The four went home instead.
  await panel.getByRole('link', { name: 'O que fizeram em vez disso' }).click();
  await page.getByText('Pessoas nessa etapa').waitFor();
  await page.getByText('Nenhum passo depois').waitFor();
  await expectSound(page);
  await page.goBack();
  await funnel.getByText('50,0% da etapa 1').waitFor();

  for (const [link, found] of [
    ['Retenção', 'Média ponderada'],
    ['Ciclo de vida', 'Recorrentes'],
    ['Frequência', 'Pessoas ativas'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await page.getByRole('region', { name: 'Resultado' }).getByText(found, { exact: true }).first().waitFor();
    // The answer before stands dimmed until this one does.
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
    await expectSound(page);
    await shot(page, `${link}-phone`);
    if (link !== 'Retenção') continue;
    // What are no brackets is said in place, and the field stays where it is.
    await page.getByRole('combobox', { name: 'Colunas' }).selectOption({ label: 'Faixas' });
    const brackets = page.getByRole('textbox', { name: 'Faixas' });
    await brackets.fill('0, 2-3');
    await page.getByText('Faixas inválidas.').waitFor();
    await brackets.fill('0,1-3');
    await brackets.press('Enter');
    await page.getByRole('columnheader', { name: 'Dias 1–3' }).waitFor();
    expect(await brackets.evaluate((field) => field === document.activeElement)).toBe(true);
  }
  await page.goto(new URL(cohort ?? '', luneta.url).href);
  await page.getByText('4 pessoas').first().waitFor();
  expect(complaints).toEqual([]);
});

/** Moves the focus on until it is on what has this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let steps = 0; steps < 150; steps++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
    });
    if (name.test(focused.trim())) return;
  }
  throw new Error(`The keyboard does not reach ${name}`);
}

/** Opens the choice that has the focus, and takes what is found by a text. */
async function chooseByKeys(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Enter');
  await page.locator('input[role="combobox"]:focus').waitFor();
  await page.keyboard.type(text);
  await page.getByRole('option', { name: text }).first().waitFor();
  await page.keyboard.press('Enter');
}

it('is asked and saved by the keyboard alone, and shows a viewer no people', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(editor);
  await hydrated(page, 'aside [popover]');
  const table = page.getByRole('region', { name: 'Results' }).getByRole('table');
  await tabTo(page, /^Event, series A/);
  await chooseByKeys(page, 'order paid');
  await table.getByRole('row', { name: /order paid/ }).waitFor();
  await tabTo(page, /^Breakdown by/);
  await chooseByKeys(page, 'plan');
  await table.getByRole('row', { name: /pro/ }).waitFor();
  // Behind a number there are people, for who may see them.
  await tabTo(page, /^2$|2 people/);
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: /order paid/ });
  await panel.getByText('2 of 2').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await tabTo(page, /^Save$/);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  await page.keyboard.type('Paid orders by plan');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Paid orders by plan' }).waitFor();
  const saved = page.url();

  await database.query(`update members set role = 'viewer'`);
  try {
    const viewer = await browser.newPage({ locale: 'en' });
    await viewer.page.goto(saved);
    await hydrated(viewer.page, 'aside [popover]');
    const rows = viewer.page.getByRole('region', { name: 'Results' }).getByRole('table');
    await rows.getByRole('row', { name: /pro/ }).getByText('2').first().waitFor();
    expect(await rows.getByRole('button', { name: /2/ }).count()).toBe(0);
    expect(await viewer.page.getByText(/^person \d/).count()).toBe(0);
    await expectSound(viewer.page);
    expect(viewer.complaints).toEqual([]);
  } finally {
    await database.query(`update members set role = 'owner'`);
  }
  expect(complaints).toEqual([]);
});
