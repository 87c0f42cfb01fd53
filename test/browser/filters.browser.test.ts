/** Filters of the Overview under hands: set by typing, changed part by part, joined, taken off; by keys, on a phone, and without JavaScript. */
import type { Locator, Page } from 'playwright-core';
import { uuidV7 } from '#src/kit/ids.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { hydrated, openWithoutCode, settled, violations } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const overview = (search = '') => `${luneta.url}/project/2/overview${search}`;

const eventsOf = (search: string) => `${luneta.url}/project/2/events?${search}`;

const agent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const desktop = { locale: 'en', viewport: { width: 1440, height: 900 } };
const phone = { locale: 'pt-BR', viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };

beforeAll(async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const now = Date.now();
  const countries = ['BR', 'BR', 'BR', 'PT', 'PT', 'DE'];
  const batch = countries.map((country, at) => {
    const start = now - 3_600_000 + at * 60_000;
    return {
      event: '$pageview',
      timestamp: new Date(start).toISOString(),
      properties: {
        ...{ distinct_id: `visitor ${at}`, $session_id: uuidV7(start), $lib: 'web', $geoip_country_code: country },
        ...{ $current_url: `https://shop.example/${at % 2}`, $pathname: `/${at % 2}`, $host: 'shop.example' },
        ...{ plan: at === 0 ? 'pro' : 'free', seats: at, $device_id: `device ${at}` },
        trial_ends: at < 2 ? '2026-11-30' : at === 2 ? '2026-12-01T01:00:00Z' : '2026-12-24',
        $raw_user_agent: agent,
      },
    };
  });
  const ordered = (visitor: number, minutes: number) => ({
    event: 'order',
    timestamp: new Date(now - minutes * 60_000).toISOString(),
    properties: { distinct_id: `visitor ${visitor}`, $lib: 'node', parcel: visitor === 0 ? 'small' : 'big' },
  });
  batch.push(...([ordered(0, 9), ordered(0, 8), ordered(4, 7)] as unknown as typeof batch));
  const sent = await fetch(`${luneta.url}/ingest/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, batch, sent_at: new Date(now).toISOString() }),
  });
  expect(sent.status).toBe(200);
});

/** Opens it, and waits until the filters are taken over. */
async function open(search = '', options: Parameters<typeof browser.newPage>[0] = desktop) {
  const watched = await browser.keptPage(options);
  await watched.page.goto(overview(search));
  await hydrated(watched.page, '[data-hotkey=f]');
  return watched;
}

const visits = (page: Page, count: number) =>
  page.locator('main li', { hasText: new RegExp(`^(Visits|Visitas)\\s*${count}`) }).waitFor();

const chip = (page: Page, name: string) => page.locator('search').getByRole('group', { name, exact: true });

it('is set by keys alone, changed, and taken off with Backspace', async () => {
  const { page, complaints } = await open();
  await page.keyboard.press('f');
  const form = page.getByRole('dialog', { name: 'Filter', exact: true });
  await form.getByRole('combobox', { name: 'Property' }).waitFor();
  await page.keyboard.type('countr');
  await form.getByRole('option', { name: 'Country', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await form.getByRole('option', { name: 'Brazil 3' }).waitFor();
  await page.keyboard.type('portu');
  const option = form.getByRole('option', { name: 'Portugal 2' });
  const offered = form.getByRole('listbox').getByRole('option');
  await eventually('only Portugal is offered', async () => (await offered.count()) === 2);
  expect(await page.evaluate(`document.activeElement.getAttribute('aria-activedescendant')`)).toBe(
    await option.getAttribute('ID'),
  );
  await page.keyboard.press('Enter');
  await form.getByRole('listitem').filter({ hasText: 'Portugal' }).waitFor();
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/editor.png` });
  await page.keyboard.press('Enter');
  await page.waitForURL(overview('?filter=country:equals:PT'));
  await visits(page, 2);

  // Any part opens the form at that part.
  await chip(page, 'Country equals Portugal').getByRole('button', { name: 'Portugal' }).click();
  const change = page.getByRole('dialog', { name: 'Edit Country equals Portugal' });
  await change.getByRole('option', { name: 'Germany 1' }).click();
  await change.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?filter=country:equals:PT%7CDE'));
  await visits(page, 3);
  await chip(page, 'Country equals Portugal, Germany').getByRole('button', { name: 'equals', exact: true }).click();
  const select = page.getByRole('dialog').getByRole('combobox', { name: 'Operator' });
  await select.selectOption({ label: 'does not equal' });
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?filter=country:notEquals:PT%7CDE'));
  await visits(page, 3);
  await page.goBack();
  await chip(page, 'Country equals Portugal, Germany').waitFor();
  await chip(page, 'Country equals Portugal, Germany').getByRole('button', { name: 'Country' }).focus();
  await page.keyboard.press('Backspace');
  await page.waitForURL(overview());
  await visits(page, 6);
  expect(complaints).toEqual([]);
});

it('gives focus back to the button whose key opened something', async () => {
  const { page, complaints } = await open();
  const focused = () => page.evaluate('document.activeElement.dataset.hotkey ?? document.activeElement.tagName');
  for (const [key, name] of [
    ['f', 'Filter'],
    ['d', 'Date range'],
  ] as const) {
    await page.keyboard.press(key);
    const opened = page.getByRole('dialog', { name, exact: true });
    await opened.waitFor();
    await opened.getByRole('textbox').or(opened.getByRole('combobox')).first().focus();
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'hidden' });
    expect([key, await focused()]).toEqual([key, key]);
  }
  await page.keyboard.press('d');
  await page.getByLabel('Custom period').fill('yesterday');
  await page.keyboard.press('Enter');
  await page.waitForURL(/range=yesterday/);
  expect(await focused()).toBe('d');
  expect(complaints).toEqual([]);
});

it('compares data of any kind, and says what is wrong at the field', async () => {
  const { page, complaints } = await open();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Filter', exact: true });
  await form.getByRole('button', { name: 'Apply' }).click();
  await form.getByText('Select a property.').waitFor();
  await form.getByRole('combobox', { name: 'Property' }).fill('seats');
  await form.getByRole('option', { name: 'seats' }).click();
  await form.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'greater than' });
  await form.getByRole('combobox', { name: 'Value' }).fill('many');
  await form.getByRole('button', { name: 'Apply' }).click();
  await form.getByText('Enter a number.').waitFor();
  await form.getByRole('combobox', { name: 'Value' }).fill('3');
  await page.keyboard.press('Enter');
  await page.waitForURL(overview('?filter=seats:gt:3'));
  await visits(page, 2);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await form.getByRole('combobox', { name: 'Property' }).fill('page');
  await form.getByRole('option', { name: 'Page', exact: true }).click();
  await form.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'matches regex' });
  await form.getByRole('combobox', { name: 'Value' }).fill('(');
  await form.getByRole('button', { name: 'Apply' }).click();
  await form.getByText('Invalid regular expression').waitFor();
  await form.getByRole('combobox', { name: 'Value' }).fill('^/0');
  await form.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?filter=seats:gt:3&filter=page:regex:%5E/0'));
  await visits(page, 1);
  await page.getByRole('link', { name: 'or', exact: true }).click();
  await page.waitForURL(/match=any/);
  await visits(page, 4);
  await page.reload();
  await visits(page, 4);
  await page.getByRole('link', { name: 'Clear all' }).click();
  await visits(page, 6);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await form.getByRole('combobox', { name: 'Property' }).fill('trial');
  await form.getByRole('option', { name: 'trial_ends' }).click();
  await form.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'on or before' });
  await form.getByRole('button', { name: 'Apply' }).click();
  await form.getByText('Select a date.').waitFor();
  await form.getByLabel('Date', { exact: true }).fill('2026-11-30');
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/date.png` });
  await form.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?filter=trial_ends:onOrBefore:2026-11-30'));
  // An hour after midnight in Greenwich is still the evening of the day before in the zone of the project.
  await visits(page, 3);
  await chip(page, 'trial_ends on or before 30 Nov 2026').waitFor();
  await page.route(/insights\.values/, (route) => route.abort());
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await form.getByRole('combobox', { name: 'Property' }).fill('plan');
  await form.getByRole('option', { name: 'plan' }).click();
  await form.getByText('Couldn’t load values.').waitFor();
  await page.unroute(/insights\.values/);
  await page.goto(`${luneta.url}/project/2/events`);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await form.getByRole('combobox', { name: 'Property' }).fill('$device_id');
  await form.getByRole('option', { name: '$device_id' }).click();
  await form.getByText('Too many values to list.').waitFor();
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/device.png` });
  expect(complaints.filter((text) => !/400|ERR_FAILED/.test(text))).toEqual([]);
});

it('compares with a time where one is written, and changes nothing that was not touched', async () => {
  const { page, complaints } = await open('?filter=trial_ends:onOrBefore:2026-11-30');
  await visits(page, 3);
  const change = page.getByRole('dialog', { name: /^Edit trial_ends/ });
  const edit = async (value: string) => {
    await hydrated(page, 'search [role=group] button');
    await page.locator('search').getByRole('group').getByRole('button', { name: value, exact: true }).click();
    await change.getByRole('button', { name: 'Apply' }).waitFor();
  };
  const time = change.getByLabel('Time (optional)', { exact: true });
  // 22:00 in the zone of the project is the hour after midnight in Greenwich.
  await edit('30 Nov 2026');
  await time.fill('21:30');
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/time.png` });
  expect(['the form', await violations(page)]).toEqual(['the form', []]);
  await change.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?filter=trial_ends:onOrBefore:2026-11-30T21:30'));
  await visits(page, 2);

  // A part of a time is none, and none is the whole day.
  await edit('30 Nov 2026 21:30');
  await time.press('Backspace');
  await eventually('a part is taken off', async () => (await time.inputValue()) === '');
  await change.getByRole('button', { name: 'Apply' }).click();
  await change.getByText('Enter a full time or leave it empty.').waitFor();
  await page.keyboard.type('10');
  // The rest is as it was, whichever clock the browser shows.
  await eventually('the time is whole', async () => /^(10|22):30$/.test(await time.inputValue()));
  await time.fill('');
  await change.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?filter=trial_ends:onOrBefore:2026-11-30'));
  await visits(page, 3);

  // Seconds, and a time elsewhere, outlive a change of something else.
  for (const [value, shown] of [
    ['2026-11-30T21:30:05', '30 Nov 2026 21:30:05'],
    ['2026-12-01T01:00:00Z', '1 Dec 2026 01:00:00Z'],
  ] as const) {
    await page.goto(overview(`?filter=trial_ends:before:${value}`));
    await visits(page, 2);
    await edit(shown);
    await change.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'on or after' });
    await change.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(overview(`?filter=trial_ends:onOrAfter:${value}`));
    await visits(page, 4);
  }
  expect(complaints).toEqual([]);
});

it('makes a group of conditions by hand, from nothing and of one that is there', async () => {
  const { page, complaints } = await open();
  const choose = async (form: Locator, property: string, value: string) => {
    await form.getByRole('combobox', { name: 'Property' }).fill(property);
    await form.getByRole('option', { name: property, exact: true }).click();
    await form.getByRole('option', { name: value }).click();
  };
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Filter', exact: true });
  await form.getByRole('combobox', { name: 'Property' }).fill('$device_id');
  await form.getByText('No matching property').waitFor();
  await choose(form, 'Country', 'Portugal 2');
  await form.getByRole('button', { name: '+ or' }).click();
  await form.getByText('Country equals Portugal').waitFor();
  await choose(form, 'plan', 'pro 1');
  await form.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?filter=any%28country:equals:PT%3Bplan:equals:pro%29'));
  await visits(page, 3);

  // Beside it another one, which becomes a group too: both have to be fulfilled.
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await choose(form, 'Page', '/0 3');
  await page.keyboard.press('Enter');
  await page.waitForURL(/filter=page:equals:\/0/);
  await chip(page, 'Page equals /0').getByRole('button', { name: '/0' }).click();
  const change = page.getByRole('dialog', { name: 'Edit Page equals /0' });
  await change.getByRole('button', { name: '+ or' }).click();
  await choose(change, 'seats', '5');
  await change.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(
    overview('?filter=any%28country:equals:PT%3Bplan:equals:pro%29&filter=any%28page:equals:/0%3Bseats:equals:5%29'),
  );
  await visits(page, 2);
  expect(complaints).toEqual([]);
});

it('takes a value that nothing has said yet, and says that nothing is left', async () => {
  const { page, complaints } = await open('?filter=plan:equals:pro');
  await visits(page, 1);
  await chip(page, 'plan equals pro').getByRole('button', { name: 'pro', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit plan equals pro' });
  await form.getByRole('option', { name: 'pro 1' }).click();
  await form.getByRole('combobox', { name: 'Value' }).fill('gold');
  await form.getByRole('option', { name: 'Use “gold”' }).click();
  await form.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?filter=plan:equals:gold'));
  await page.getByText('No matching data').waitFor();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await visits(page, 6);
  expect(complaints).toEqual([]);
});

it('asks for people by what they did, in words that can be changed, and keeps them in a segment', async () => {
  const { page, complaints } = await open();
  await page.keyboard.press('f');
  const form = page.getByRole('dialog', { name: 'Filter', exact: true });
  await form.getByRole('combobox', { name: 'Property' }).waitFor();
  await page.keyboard.type('people who did');
  await form.getByRole('option', { name: 'did an event' }).waitFor();
  await page.keyboard.press('Enter');
  await form.getByRole('option', { name: 'order 3' }).waitFor();
  await form.getByRole('button', { name: 'Apply' }).click();
  await form.getByText('Select or enter an event.').waitFor();
  await page.keyboard.type('ord');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForURL(overview('?who=did:all_time:1:order'));
  await visits(page, 2);

  // Only those of the events that say something.
  await chip(page, 'did order').getByRole('button', { name: 'did order' }).click();
  const where = page.getByRole('dialog', { name: /^Edit people who did order/ });
  await where.getByRole('button', { name: '+ Where' }).click();
  await where.getByRole('combobox', { name: 'Property' }).fill('parc');
  await where.getByRole('option', { name: 'parcel' }).waitFor();
  await page.keyboard.press('Enter');
  await where.getByRole('option', { name: 'small 2' }).click();
  await where.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?who=did:all_time:1:order%3Bparcel:equals:small'));
  await visits(page, 1);
  await chip(page, 'did order where parcel equals small').getByRole('button').click();
  await where.getByRole('button', { name: 'where parcel equals small' }).click();
  await where.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'does not equal' });
  await where.getByRole('button', { name: '+ Where' }).click();
  await where.getByRole('button', { name: 'where parcel does not equal small' }).waitFor();
  // Looking at another kind costs nothing that was set.
  await where.getByRole('combobox', { name: 'Condition', exact: true }).selectOption('completed');
  await where.getByRole('button', { name: 'where parcel does not equal small' }).waitFor({ state: 'hidden' });
  await where.getByRole('combobox', { name: 'Condition', exact: true }).selectOption('did');
  await where.getByRole('combobox', { name: 'Property' }).fill('parc');
  await where.getByRole('option', { name: 'parcel' }).waitFor();
  await page.keyboard.press('Enter');
  await where.getByRole('button', { name: 'Apply' }).click();
  await where.getByText('Select or enter a value.').waitFor();
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/where.png` });
  expect(['the form', await violations(page)]).toEqual(['the form', []]);
  await where.getByRole('combobox', { name: 'Value' }).fill('large');
  await where.getByRole('option', { name: 'Use “large”' }).waitFor();
  await page.keyboard.press('Enter');
  await where.getByRole('button', { name: 'Remove large' }).waitFor();
  await where.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?who=did:all_time:1:order%3Bparcel:notEquals:small%3Bparcel:equals:large'));
  await page.getByText('No matching data').waitFor();
  await page.reload();
  await chip(page, 'did order where parcel does not equal small and parcel equals large').waitFor();
  await hydrated(page, 'search [role=group] button');
  await chip(page, 'did order where parcel does not equal small and parcel equals large').getByRole('button').click();
  await where.getByRole('combobox', { name: 'Combine conditions with' }).selectOption({ label: 'or' });
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/where-or.png` });
  expect(['the form', await violations(page)]).toEqual(['the form', []]);
  await where.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?who=did:all_time:1:order%3Bany%3Bparcel:notEquals:small%3Bparcel:equals:large'));
  await visits(page, 1);
  await chip(page, 'did order where parcel does not equal small or parcel equals large').getByRole('button').click();
  await where.getByRole('button', { name: 'Remove parcel does not equal small' }).click();
  await where.getByRole('button', { name: 'Remove parcel equals large' }).click();
  await where.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?who=did:all_time:1:order'));
  await visits(page, 2);

  await chip(page, 'did order').getByRole('button', { name: 'did order' }).click();
  const change = page.getByRole('dialog', { name: 'Edit people who did order' });
  await change.getByRole('textbox', { name: 'At least (times)' }).fill('2');
  await change.getByRole('combobox', { name: 'Time range' }).selectOption({ label: 'in the last 7 days' });
  expect(['the form', await violations(page)]).toEqual(['the form', []]);
  await change.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(overview('?who=did:last_7_days:2:order'));
  await visits(page, 1);

  // Everybody else, of those who came first this month (an hour ago may be yesterday); then any of both.
  await chip(page, 'did order at least 2 times in the last 7 days').getByRole('button').click();
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: 'Condition', exact: true })
    .selectOption({ label: 'did not do' });
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await visits(page, 5);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await form.getByRole('option', { name: 'were first seen in a period' }).click();
  await form.getByRole('combobox', { name: 'Time range' }).selectOption({ label: 'last month' });
  await form.getByRole('combobox', { name: 'Condition', exact: true }).selectOption({ label: 'were not first seen' });
  await form.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/who=not-first:last_month$/);
  await visits(page, 5);
  await page.getByRole('link', { name: 'or', exact: true }).click();
  await visits(page, 6);
  await page.getByRole('button', { name: 'Segment', exact: true }).click();
  await page.getByRole('button', { name: 'Save as segment' }).click();
  const save = page.getByRole('dialog', { name: 'Save as segment' });
  await save.getByRole('textbox', { name: 'Name' }).fill('Some people');
  await save.getByRole('button', { name: 'Save segment' }).click();
  await page.waitForURL(/\?segment=\d+$/);
  await page.goto(`${page.url()}&who=did:all_time:1:order`);
  await visits(page, 2);
  await hydrated(page, 'search [role=group][aria-label="did order"]');
  await chip(page, 'did order').getByRole('button').focus();
  await page.keyboard.press('Backspace');
  await page.waitForURL(/\?segment=\d+$/);
  await visits(page, 6);
  expect(complaints).toEqual([]);
});

it('fits a phone, in Portuguese, and axe finds nothing', async () => {
  await database.query(`update projects set name = $1 where id = 2`, ['Loja '.repeat(18).trim()]);
  const { page, complaints } = await open('?filter=country:equals:BR%7CPT%7CDE&filter=plan:isSet', phone);
  await chip(page, 'País é igual a Brasil, Portugal, Alemanha').getByText('Brasil, Portugal +1').waitFor();
  const find = async (where: string) => {
    expect([where, await violations(page)]).toEqual([where, []]);
  };
  await find('closed');
  await page.getByRole('button', { name: 'Filtro', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Filtro', exact: true });
  await form.getByRole('combobox', { name: 'Propriedade' }).fill('naveg');
  await form.getByRole('option', { name: 'Navegador' }).click();
  await form.getByRole('option', { name: /^Chrome/ }).waitFor();
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/phone.png` });
  const box = await form.boundingBox();
  expect([box?.x, Math.round((box?.y ?? 0) + (box?.height ?? 0)), box?.width]).toEqual([0, 844, 390]);
  await find('open');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'hidden' });
  await page.locator('[popovertarget=projects]:visible').click();
  const projects = await page.locator('#projects').boundingBox();
  expect([projects?.x, Math.round((projects?.y ?? 0) + (projects?.height ?? 0)), projects?.width]).toEqual([
    0, 844, 390,
  ]);
  expect(complaints).toEqual([]);
});

it('keeps filters under a name, within which others stand, and says when a link names one that is gone', async () => {
  const { page, complaints } = await open('?filter=country:equals:BR%7CPT');
  await visits(page, 5);
  await page.getByRole('button', { name: 'Segment', exact: true }).click();
  await page.getByRole('button', { name: 'Save as segment' }).click();
  const form = page.getByRole('dialog', { name: 'Save as segment' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Portuguese');
  await form.getByRole('checkbox', { name: 'Share with team' }).check();
  await form.getByRole('button', { name: 'Save segment' }).click();
  await page.waitForURL(/\?segment=\d+$/);
  await visits(page, 5);
  const address = page.url();
  // Its conditions are chips that open it up, and what is beside them can be kept in it.
  await page.goto(`${address}&filter=page:equals:/0`);
  await visits(page, 3);
  const bar = page.getByRole('group', { name: 'Segment “Portuguese”, unsaved changes' });
  await hydrated(page, 'search button');
  await bar.getByRole('link', { name: 'Remove Page equals /0' }).click();
  const saved = page.getByRole('group', { name: 'Segment “Portuguese”', exact: true });
  await saved.waitFor();
  await visits(page, 5);
  await page.goBack();
  await bar.getByRole('link', { name: 'Remove Country equals Brazil, Portugal' }).click();
  await page.waitForURL(/edited=\d+&filter=page:equals:\/0$/);
  await bar.getByRole('link', { name: 'Discard changes' }).click();
  await page.waitForURL(address);
  await page.goto(`${address}&filter=page:equals:/0`);
  await hydrated(page, 'search button');
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/segment.png` });
  expect(await violations(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Update segment' }).click();
  await page.waitForURL(address);
  await chip(page, 'Page equals /0').waitFor();
  await saved.waitFor();
  await visits(page, 3);
  await page.goto(`${address}&filter=plan:equals:pro`);
  await hydrated(page, 'search button');
  await bar.getByRole('button', { name: 'Save as new' }).click();
  await form.getByRole('textbox', { name: 'Name' }).fill('Buyers');
  await form.getByRole('button', { name: 'Save segment' }).click();
  await page.getByRole('group', { name: 'Segment “Buyers”', exact: true }).waitFor();
  await visits(page, 1);
  await page.getByRole('link', { name: 'Remove segment' }).click();
  await page.waitForURL(overview());
  await page.goto(`${address}&filter=page:equals:/0`);
  await visits(page, 3);
  await page.getByRole('button', { name: 'Portuguese' }).click();
  await page.getByRole('link', { name: 'All visitors' }).click();
  await page.waitForURL(overview('?filter=page:equals:/0'));
  await page.goto(address);
  await hydrated(page, 'search button');
  await page.getByRole('button', { name: 'Portuguese' }).click();
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/segments.png` });
  await page.getByRole('button', { name: 'Rename / Delete' }).click();
  const change = page.getByRole('dialog', { name: 'Rename' });
  await change.getByRole('button', { name: 'Delete' }).click();
  await change.getByText('Delete “Portuguese”?').waitFor();
  await change.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(overview());
  await page.goto(address);
  await page.getByText('This link’s segment was deleted').waitFor();
  expect(await violations(page)).toEqual([]);
  // Without the segment the numbers would be everybody's: none are shown until the reader takes it out.
  expect(await page.locator('main li', { hasText: /^Visits\s*\d/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Remove from link' }).click();
  await visits(page, 6);
  expect(complaints.filter((each) => !/404/.test(each))).toEqual([]);
});

it('says that a filter of the link cannot be read, and takes it out', async () => {
  const { page, complaints } = await open('?filter=garbage');
  await page.getByRole('status').filter({ hasText: 'was ignored. Showing all visitors.' }).waitFor();
  await visits(page, 6);
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/left-out.png` });
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Remove from link' }).press('Enter');
  await page.waitForURL(overview());
  const notice = page.getByRole('status').filter({ hasText: 'was ignored' });
  await notice.waitFor({ state: 'detached' });
  // Beside another, and where tables are in full, and events.
  const some = 'filter=country:equals:PT&filter=page:regex:^/(0%7C1)';
  for (const address of [overview(`?${some}`), overview(`?details=page&${some}`), eventsOf(some)]) {
    await page.goto(address);
    await notice.waitFor();
    expect(await notice.textContent()).not.toContain('everybody');
    expect(await page.getByRole('link', { name: 'Remove from link' }).getAttribute('href')).toMatch(
      /filter=country:equals:PT$/,
    );
  }
  const { page: small } = await browser.newPage({ ...phone, viewport: { width: 320, height: 700 } });
  await small.goto(overview('?filter=garbage'));
  await small.getByText('Um filtro deste link é inválido e foi ignorado. Mostrando todas as pessoas.').waitFor();
  if (process.env['SHOTS']) await small.screenshot({ path: `${process.env['SHOTS']}/left-out-phone.png` });
  expect(await violations(small)).toEqual([]);
  const { page: still } = await browser.newPage({ ...desktop, javaScriptEnabled: false });
  await still.goto(overview('?filter=garbage'));
  await still.getByText('Showing all visitors.').waitFor();
  expect(complaints).toEqual([]);
});

it('says nothing of a link that is followed before the code of filters has come', async () => {
  const { page, complaints } = await browser.newPage(desktop);
  const held = Promise.withResolvers<void>();
  await page.route(/\/FilterChips-[^/]*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(overview());
  await hydrated(page, 'main table [aria-pressed]');
  await page.getByRole('button', { name: 'Portugal' }).click();
  await page.waitForURL(/filter=country:equals:PT/);
  await visits(page, 2);
  held.resolve();
  await chip(page, 'Country equals Portugal').waitFor();
  expect(await page.getByText('cannot be read').count()).toBe(0);
  expect(complaints).toEqual([]);
});

it('says which dates a period has, on a phone of 390 px and of 320', async () => {
  const { page, complaints } = await browser.newPage(phone);
  for (const address of ['overview?', 'overview?details=page&', 'events?']) {
    for (const range of ['last_7_full_days', 'last_12_months', 'all_time']) {
      await page.setViewportSize(phone.viewport);
      await page.goto(`${luneta.url}/project/2/${address}range=${range}`);
      const period = page.locator('[data-hotkey=d]');
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await period.waitFor();
        if (range !== 'all_time') await period.getByText(/\s– \d/).waitFor();
        // Charts are drawn again when they hear of it.
        await eventually(`${address}${range} fits into ${width} pixels`, () =>
          page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
        );
        const folder = process.env['SHOTS'];
        const name = `period-${address.replace(/\W/g, '-')}${width}.png`;
        if (folder && range === 'all_time') await page.screenshot({ path: `${folder}/${name}` });
      }
    }
  }
  expect(complaints).toEqual([]);
});

it('takes a button that was pressed before its code had come', async () => {
  const { page, complaints } = await browser.newPage(desktop);
  const letCome = await openWithoutCode(page, overview('?filter=country:equals:PT'));
  await page.getByRole('button', { name: 'Segment', exact: true }).click();
  const save = page.getByRole('button', { name: 'Save as segment' });
  await save.click();
  letCome();
  const form = page.getByRole('dialog', { name: 'Save as segment' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Portuguese');
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'hidden' });
  expect(complaints).toEqual([]);
});

it('shows filters and numbers without JavaScript, and a link takes one off', async () => {
  const { page } = await browser.newPage({ ...desktop, javaScriptEnabled: false });
  await page.goto(overview('?filter=country:equals:PT&filter=plan:equals:free'));
  await chip(page, 'plan equals free').waitFor();
  await visits(page, 2);
  await settled(page);
  await page.getByRole('link', { name: 'Remove Country equals Portugal' }).click();
  await page.waitForURL((url) => url.href.replace('&wait=1', '') === overview('?filter=plan:equals:free'));
  await visits(page, 5);
  expect(await page.getByRole('button', { name: 'Filter', exact: true }).count()).toBe(0);
});

it('reads and takes letters in paths that browsers send as bytes', async () => {
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = 2');
  const now = Date.now();
  const properties = {
    ...{ distinct_id: 'visitor é', $session_id: uuidV7(now), $lib: 'web', $raw_user_agent: agent },
    ...{ $pathname: '/busca/caf%C3%A9', $host: 'shop.example' },
  };
  const sent = await fetch(`${luneta.url}/ingest/e/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, event: '$pageview', properties }),
  });
  expect(sent.status).toBe(200);
  const { page, complaints } = await open();
  await page.getByText('/busca/café').first().waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Filter', exact: true });
  await form.getByRole('combobox', { name: 'Property' }).fill('page');
  await form.getByRole('option', { name: 'Page', exact: true }).click();
  await form.getByRole('combobox', { name: 'Value' }).fill('CAFÉ');
  await form.getByRole('option', { name: '/busca/café 1' }).click();
  await form.getByRole('button', { name: 'Apply' }).click();
  await chip(page, 'Page equals /busca/café').waitFor();
  await visits(page, 1);
  expect(new URL(page.url()).searchParams.getAll('filter')).toEqual(['page:equals:/busca/café']);
  await page.goto(overview('?filter=page:contains:caf%25C3%25A9'));
  await chip(page, 'Page contains café').waitFor();
  expect(complaints).toEqual([]);
});
