/** A goal is made on its screen, from the phone's keyboard too, and its numbers stand on the Overview. */
import { uuidV7 } from '#src/kit/ids.ts';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { eventually, runLuneta } from './luneta.ts';
import { expectSound, hydrated, settled } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const phone = { locale: 'pt-BR', viewport: { width: 390, height: 844 } };

let project = 0;
let tokenOfProject = '';

type Page = Awaited<ReturnType<typeof browser.newPage>>['page'];

beforeAll(async () => {
  const [row] = await database.query<{ id: number; token: string }>(
    `select projects.id, token from projects join project_tokens on project_id = projects.id where not built_in`,
  );
  project = row?.id ?? 0;
  tokenOfProject = row?.token ?? '';
  const now = Date.now();
  const batch = Array.from({ length: 40 }, (_, at) => {
    const ts = now - 60_000 - (at % 10) * 86_400_000;
    const isPaid = at % 4 === 3;
    return {
      ...{ uuid: uuidV7(ts + at), event: isPaid ? 'paid' : '$pageview', distinct_id: `person ${at % 9}` },
      timestamp: new Date(ts + at).toISOString(),
      properties: {
        ...{ $pathname: at % 5 === 0 ? '/thanks/1' : '/', $host: 'shop.example', $session_id: uuidV7(ts) },
        ...(isPaid ? { total: 19.9 + at, currency: 'BRL' } : {}),
        // An hour after midnight in Greenwich is 22:00 of the day before in the zone of the project.
        ...(isPaid ? { trial_ends: at % 8 === 3 ? '2026-11-30T14:00' : '2026-12-01T01:00:00Z' } : {}),
      },
    };
  });
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

/** What is said of a number when it is pointed at lies above everything around it, in all of its four corners. */
async function expectHintsWhole(page: Page): Promise<void> {
  for (const number of await page.locator('li > a:has([class*=hint])').all()) {
    await number.evaluate((each) => each.scrollIntoView({ block: 'center' }));
    await number.hover();
    const hint = number.locator('[class*=hint]');
    await hint.waitFor();
    const covered = await hint.evaluate((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      const corners = [left + 3, right - 3].flatMap((x) => [top + 3, bottom - 3].map((y) => [x, y] as const));
      return corners.filter(([x, y]) => !each.contains(document.elementFromPoint(x, y))).length;
    });
    expect([await hint.textContent(), covered]).toEqual([await hint.textContent(), 0]);
  }
}

it('is made with a preview, and chosen on the Overview', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(`${luneta.url}/project/${project}/overview`);
  await page.getByRole('button', { name: 'Goal' }).click();
  await page.getByRole('link', { name: 'Create your first goal' }).click();
  await page.getByText('No goals yet').waitFor();
  await page.getByRole('link', { name: 'New goal' }).click();
  await page.getByRole('button', { name: 'Save goal' }).click();
  expect(await page.getByText('Required').count()).toBe(2);
  await shot(page, 'goal-missing');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Paid orders');
  const event = page.getByRole('combobox', { name: 'Event name' });
  await event.fill('payd');
  await page.getByText('No event with this name has been received. Did you mean').waitFor();
  await shot(page, 'goal-unknown-event');
  await expectSound(page);
  await page.getByRole('button', { name: 'Use “paid”' }).click();
  expect(await event.inputValue()).toBe('paid');
  await page.getByRole('status').filter({ hasText: '10 conversions by' }).waitFor();
  // Dates are compared with dates, in fields of them, and with times where they matter.
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByRole('combobox', { name: 'Property', exact: true }).fill('trial');
  await page.getByRole('option', { name: 'trial_ends' }).click();
  await page.getByRole('textbox', { name: 'Value', exact: true }).fill('pro');
  await page.getByRole('combobox', { name: 'Operator', exact: true }).selectOption({ label: 'before' });
  const date = page.getByLabel('Date', { exact: true });
  await date.waitFor();
  expect([await date.getAttribute('type'), await date.inputValue()]).toEqual(['text', '']);
  await page.getByRole('button', { name: 'Save goal' }).click();
  await page.getByText('Select a date.').waitFor();
  await shot(page, 'goal-date-missing');
  await date.fill('2026-11-30');
  await page.getByRole('status').filter({ hasText: 'No conversions yet' }).waitFor();
  await page.getByText('Select a date.').waitFor({ state: 'detached' });
  const time = page.getByLabel('Time (optional)', { exact: true });
  await time.fill('21:30');
  await page.getByRole('status').filter({ hasText: '5 conversions by' }).waitFor();
  await time.fill('22:30');
  await page.getByRole('status').filter({ hasText: '10 conversions by' }).waitFor();
  await shot(page, 'goal-date');
  await expectSound(page);
  // A part of a time is none, and none is the whole day.
  await time.press('Backspace');
  await eventually('a part is taken off', async () => (await time.inputValue()) === '');
  await page.getByRole('button', { name: 'Save goal' }).click();
  await page.getByText('Enter a full time or leave it empty.').waitFor();
  await shot(page, 'goal-time-half');
  await page.keyboard.type('10');
  await page.getByText('Enter a full time or leave it empty.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove condition' }).click();
  await page.getByRole('status').filter({ hasText: '10 conversions by' }).waitFor();
  await page.getByRole('checkbox', { name: 'Track revenue' }).check();
  await page.getByRole('combobox', { name: 'Amount property' }).fill('total');
  await page.getByRole('status').filter({ hasText: 'R$' }).waitFor();
  await page.getByRole('button', { name: 'How it’s calculated' }).click();
  await page.getByRole('region', { name: 'SQL for revenue (BRL)' }).waitFor();
  await shot(page, 'goal-form');
  await expectSound(page);
  await page.getByRole('button', { name: 'Save goal' }).click();
  await page.getByRole('row', { name: /Paid orders/ }).waitFor();
  await page.getByRole('columnheader', { name: 'Last conversion' }).waitFor();
  await shot(page, 'goals');
  await expectSound(page);
  await page.getByRole('link', { name: 'Paid orders', exact: true }).click();
  const numbers = page.getByRole('list', { name: 'Goal: Paid orders' });
  await numbers.getByRole('link', { name: /^Conversions 10/ }).waitFor();
  await page.getByRole('figure', { name: /^Conversions/ }).waitFor();
  await shot(page, 'overview-goal');
  const bar = page.getByRole('group', { name: 'Goal “Paid orders”' });
  await bar.getByRole('button', { name: 'Event equals paid' }).click();
  const panel = page.getByRole('dialog', { name: 'Edit “Paid orders”' });
  await panel.getByRole('button', { name: 'Add condition' }).click();
  await panel.getByRole('combobox', { name: 'Property', exact: true }).fill('currency');
  await panel.getByRole('textbox', { name: 'Value', exact: true }).fill('BRL');
  await shot(page, 'overview-goal-panel');
  await expectSound(page);
  await panel.getByRole('button', { name: 'Save goal' }).click();
  await bar.getByRole('button', { name: 'currency equals BRL' }).waitFor();
  await panel.waitFor({ state: 'detached' });
  await numbers.getByRole('link', { name: /^Conversion rate/ }).click();
  await page.getByRole('figure', { name: /^Conversion rate/ }).waitFor();
  await page.getByRole('button', { name: 'Paid orders' }).click();
  await page.getByRole('link', { name: 'Per visit', exact: true }).click();
  await page.getByRole('figure', { name: /^Conversion rate \(visits\)/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('per')).toBe('visit');
  await numbers.getByRole('link', { name: /^Revenue \(BRL\)/ }).click();
  await page.getByRole('figure', { name: /^Revenue \(BRL\)/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('metric')).toBe('revenue.BRL');
  await shot(page, 'overview-revenue');
  await expectSound(page);
  await expectHintsWhole(page);
  await page.setViewportSize(phone.viewport);
  await expectHintsWhole(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.reload();
  await page.getByRole('figure', { name: /^Revenue \(BRL\)/ }).waitFor();
  // Pages say how many of their visitors reached it anywhere; a filter by one of them holds for the goal's event as well.
  const chosen = page.url();
  await page.goto(`${chosen.replace(/(metric|per)=[^&]*&?/g, '')}&details=page&sort=conversions`);
  await page.getByRole('columnheader', { name: 'Sort by Conversion rate', exact: true }).waitFor();
  await hydrated(page, '[aria-label="Select goal"]');
  await shot(page, 'goal-pages');
  await expectSound(page);
  const row = page.getByRole('row', { name: /^\/ / });
  expect((await row.getByRole('cell').allInnerTexts()).slice(-2)).toEqual(['8', '100%']);
  await row.getByRole('button').click();
  await row.getByRole('button', { pressed: true }).waitFor();
  await page.locator('a[href*="goal="]').getByText('Overview', { exact: true }).click();
  await numbers.getByRole('link', { name: /^Conversions 8/ }).waitFor();
  await numbers.getByRole('link', { name: /^Conversion rate 77.8 ?%/ }).waitFor();
  await page.getByText('Event filters also apply to the goal event.').waitFor();
  await page.getByText('Bounce rate may be too high: no autocaptured interactions').waitFor();
  await shot(page, 'overview-goal-filtered');
  await expectSound(page);
  await page.goto(chosen);
  await page.getByRole('figure', { name: /^Revenue \(BRL\)/ }).waitFor();
  await page.getByRole('button', { name: 'Paid orders' }).click();
  await page.getByRole('link', { name: 'No goal' }).click();
  await page.getByRole('figure', { name: /^Visitors/ }).waitFor();
  expect(await numbers.count()).toBe(0);
  expect(complaints).toEqual([]);
});

it('is made of several ways by keyboard on a phone, changed and deleted', async () => {
  const { page, complaints } = await browser.keptPage({ ...phone, colorScheme: 'dark' });
  await page.goto(`${luneta.url}/project/${project}/goals?edit=new`);
  await page.getByRole('textbox', { name: 'Nome', exact: true }).focus();
  await page.keyboard.type('Chegou ao fim');
  await page.keyboard.press('Tab');
  await page.getByRole('combobox', { name: 'O que conta' }).selectOption('action');
  await page.getByRole('combobox', { name: 'Tipo' }).selectOption('page');
  await page.getByRole('textbox', { name: 'Página' }).fill('/thanks/*');
  await page.getByRole('button', { name: 'Adicionar regra' }).press('Enter');
  await page.getByRole('group', { name: 'Regra 2' }).getByRole('textbox', { name: 'Seletor CSS' }).fill('a:hover');
  await page.getByRole('button', { name: 'Salvar meta' }).press('Enter');
  await page.getByText('Seletor inválido. Use tags').waitFor();
  await page.getByRole('group', { name: 'Regra 2' }).getByRole('textbox', { name: 'Seletor CSS' }).fill('button.cta');
  await page.getByRole('status').filter({ hasText: 'conversões, de' }).waitFor();
  await shot(page, 'goal-form-phone');
  await expectSound(page);
  await page.getByRole('button', { name: 'Salvar meta' }).press('Enter');
  await page.getByRole('row', { name: /Chegou ao fim/ }).waitFor();
  await shot(page, 'goals-phone');
  await expectSound(page);
  await page.getByRole('link', { name: 'Editar Chegou ao fim' }).press('Enter');
  await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Fim');
  expect(await page.getByRole('textbox', { name: 'Página' }).first().inputValue()).toBe('/thanks/*');
  await page.getByRole('button', { name: 'Salvar meta' }).press('Enter');
  await page.getByRole('link', { name: 'Fim', exact: true }).press('Enter');
  await page.getByRole('list', { name: 'Meta: Fim' }).waitFor();
  const chosen = page.url();
  await shot(page, 'overview-goal-phone');
  await expectSound(page);
  await page.goBack();
  await page.getByText('alterada em').first().waitFor();
  await page.getByRole('button', { name: 'Excluir Fim' }).press('Enter');
  await page.getByRole('dialog').getByText('Eventos e anotações não mudam').waitFor();
  // It opens from a cell whose text is right and never breaks.
  const sticksOut = `(() => {
    const dialog = document.querySelector('dialog[open]');
    const { right } = dialog.getBoundingClientRect();
    return [...dialog.querySelectorAll('h2, p')].filter((each) => each.getBoundingClientRect().right > right).length;
  })()`;
  expect(await page.evaluate<number>(sticksOut)).toBe(0);
  await expectSound(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).press('Enter');
  await eventually('the row is gone', async () => (await page.getByRole('row', { name: /Fim/ }).count()) === 0);
  await page.goto(chosen);
  await page.getByText('A meta deste link não existe mais.').waitFor();
  await page.getByRole('link', { name: 'Remover do link' }).press('Enter');
  await page.getByRole('figure', { name: /^Visitantes/ }).waitFor();
  expect(await page.getByRole('list', { name: 'Meta: Fim' }).count()).toBe(0);
  await database.query(
    `insert into segments (project_id, owner, shared, name, definition, created_at, changed_at)
     select $1, users.id, true, 'Quem pagou', jsonb_build_object('version', 2,
              'filters', jsonb_build_object('match', 'all', 'of', jsonb_build_array()),
              'people', jsonb_build_object('match', 'all', 'of', jsonb_build_array(
                jsonb_build_object('did', jsonb_build_object('goal', goals.id), 'times', 1, 'within', 'all_time')))),
            to_timestamp(0), to_timestamp(0)
       from users, goals where goals.project_id = $1`,
    [project],
  );
  await page.goto(`${luneta.url}/project/${project}/overview?who=did:all_time:1:payd`);
  await page.getByText('Nenhum evento chamado “payd” foi recebido. Você quis dizer').waitFor();
  await shot(page, 'overview-unknown-event-phone');
  await expectSound(page);
  await page.getByRole('link', { name: 'Usar “paid”' }).press('Enter');
  await page.getByRole('group', { name: /realizaram paid/ }).waitFor();
  await page.getByText('Nenhum evento chamado').waitFor({ state: 'detached' });
  await page.goto(`${luneta.url}/project/${project}/goals`);
  await hydrated(page, '[aria-label="Excluir Paid orders"]');
  await page.getByRole('button', { name: 'Excluir Paid orders' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Quem pagou' }).waitFor();
  await dialog.getByRole('button', { name: 'Excluir' }).press('Enter');
  await dialog.getByRole('alert').getByText('Não foi possível excluir').waitFor();
  expect(complaints.filter((each) => !/400|404|409/.test(each))).toEqual([]);
});

it('shows its numbers without JavaScript', async () => {
  const context = await browser.newContext({ locale: 'en', javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${luneta.url}/project/${project}/goals`);
  await settled(page);
  await page.getByRole('link', { name: 'Paid orders', exact: true }).click();
  await page
    .getByRole('list', { name: 'Goal: Paid orders' })
    .getByRole('link', { name: /^Conversions 10/ })
    .waitFor();
  await page.getByRole('figure', { name: /^Conversions/ }).waitFor();
  await settled(page);
  await page.getByRole('navigation', { name: 'Events' }).getByRole('link', { name: 'Goals' }).click();
  const row = page.getByRole('table', { name: 'Goals' }).getByRole('button', { name: 'Paid orders' });
  expect(await row.getAttribute('aria-pressed')).toBe('true');
  await settled(page);
  await row.click();
  await page.getByRole('figure', { name: /^Visitors/ }).waitFor();
  await settled(page);
  expect(await row.getAttribute('aria-pressed')).toBe('false');
  expect(new URL(page.url()).searchParams.get('goal')).toBeNull();
});

it('keeps dates and times of a rule that were not touched, with seconds and elsewhere', async () => {
  const ends = (operator: string, value: string) => ({ about: 'event', name: 'trial_ends', operator, values: [value] });
  const rule = (operator: string) => ({
    ...{ kind: 'event', event: 'paid' },
    filters: {
      match: 'all',
      of: [
        ends(operator, '2026-11-30T14:00:05'),
        ends('before', '2026-12-01T01:00:00Z'),
        ends('onOrAfter', '2026-11-01'),
      ],
    },
  });
  const [made] = await database.query<{ id: number }>(
    `insert into goals (project_id, name, definition, created_at, changed_at)
     values ($1, 'Fim do teste', $2, to_timestamp(0), to_timestamp(0)) returning id`,
    [project, JSON.stringify({ version: 1, rule: rule('before'), amount: null })],
  );
  const { page, complaints } = await browser.keptPage({ ...phone, colorScheme: 'dark' });
  await page.goto(`${luneta.url}/project/${project}/goals?edit=${made?.id}`);
  await hydrated(page, 'form [type=time]');
  await page.getByRole('status').filter({ hasText: '5 conversões, de' }).waitFor();
  const written = page.locator('[name^="value "]');
  const values = await Promise.all((await written.all()).map((field) => field.inputValue()));
  expect(values).toEqual(['30/11/2026', '14:00:05', '2026-12-01T01:00:00Z', '01/11/2026', '']);
  await shot(page, 'goal-times-phone');
  await expectSound(page);
  await page.getByRole('combobox', { name: 'Condição', exact: true }).first().selectOption({ label: 'a partir de' });
  await page.getByRole('status').filter({ hasText: 'Nenhuma conversão ainda.' }).waitFor();
  const time = page.getByLabel('Horário (opcional)', { exact: true }).first();
  await time.press('Backspace');
  await eventually('a part is taken off', async () => (await time.inputValue()) === '');
  await page.getByRole('button', { name: 'Salvar meta' }).press('Enter');
  await page.getByText('Digite o horário completo ou deixe em branco.').waitFor();
  expect(await page.evaluate('document.activeElement.type')).toBe('time');
  await time.fill('14:00:05');
  await page.getByRole('button', { name: 'Salvar meta' }).press('Enter');
  await page.getByRole('dialog', { name: 'Editar “Fim do teste”' }).waitFor({ state: 'detached' });
  const [kept] = await database.query<{ rule: unknown }>(`select definition->'rule' as rule from goals where id = $1`, [
    made?.id,
  ]);
  expect(kept?.rule).toEqual(rule('onOrAfter'));
  expect(complaints).toEqual([]);
});

it('takes notes on the chart, and reads them out', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  await page.goto(`${luneta.url}/project/${project}/overview`);
  await hydrated(page, 'main li > button');
  await page.getByRole('button', { name: 'Add annotation' }).click();
  const dialog = page.getByRole('dialog', { name: 'New annotation' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Required').waitFor();
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Release 2.4');
  await dialog.getByRole('textbox', { name: 'Link (optional)' }).fill('example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a full URL').waitFor();
  await dialog.getByRole('textbox', { name: 'Link (optional)' }).fill('https://example.com/2.4');
  await shot(page, 'note-form');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const notes = page.getByRole('list', { name: 'Annotations', exact: true });
  await notes.getByRole('link', { name: 'Release 2.4: Learn more' }).waitFor();
  const reader = page.getByRole('application', { name: /^Visitors/ });
  await reader.press('End');
  await reader
    .locator('[aria-live]')
    .getByText(/Release 2\.4$/)
    .waitFor();
  await shot(page, 'note-chart');
  await expectSound(page);
  await page.getByRole('link', { name: 'Table' }).click();
  await page.getByRole('row', { name: /Release 2\.4/ }).waitFor();
  await page.getByRole('button', { name: 'Edit annotation “Release 2.4”' }).press('Enter');
  const change = page.getByRole('dialog', { name: 'Edit annotation' });
  await change.getByRole('textbox', { name: 'Description' }).fill('Release 2.5');
  await change.getByLabel('Time (optional)').fill('14:05');
  await change.getByRole('button', { name: 'Save' }).press('Enter');
  await notes.getByText('Release 2.5').waitFor();
  await notes.getByText(/\b(14:05|2:05)/).waitFor();
  await page.getByRole('button', { name: 'Edit annotation “Release 2.5”' }).click();
  await change.getByRole('button', { name: 'Delete' }).click();
  await change.getByRole('button', { name: 'Delete permanently' }).click();
  await eventually('the note is gone', async () => (await notes.count()) === 0);
  expect(complaints).toEqual([]);
});

it('shows notes on a phone in the dark', async () => {
  const [row] = await database.query<{ at: Date }>('select now() as at');
  await database.query(
    `insert into annotations (project_id, at, text, created_at)
     select $1, $2::timestamptz - n * interval '1 day', 'Uma nota sobre o lançamento de número ' || n, $2 from generate_series(1, 7) as n`,
    [project, row?.at],
  );
  const { page, complaints } = await browser.keptPage({ ...phone, colorScheme: 'dark' });
  await page.goto(`${luneta.url}/project/${project}/overview`);
  await page.getByText('Ver todas as 7 anotações').waitFor();
  await page.getByText('lançamento de número 5', { exact: false }).first().waitFor();
  await shot(page, 'notes-phone');
  await expectSound(page);
  expect(complaints).toEqual([]);
});

it('stands beside feature flags: made with a preview, tried for a person, turned off at once', async () => {
  const { page, complaints } = await browser.keptPage({ locale: 'en' });
  const address = `${luneta.url}/project/${project}/flags`;
  await page.goto(address);
  await page.getByText('No feature flags yet').waitFor();
  await page.getByRole('link', { name: 'New flag' }).click();
  await page.getByRole('button', { name: 'Save flag' }).click();
  await page.getByText('Enter a value.').waitFor();
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('new-checkout');
  await page.getByRole('region', { name: 'Who gets it' }).getByText('100%').waitFor();
  await page.getByRole('combobox', { name: 'Value', exact: true }).selectOption({ label: 'Variants' });
  await page.getByRole('button', { name: 'Add property' }).click();
  await page.getByRole('combobox', { name: 'Property', exact: true }).fill('distinct_id');
  await page.getByRole('combobox', { name: 'Comparison' }).selectOption({ label: 'starts with' });
  await page.getByRole('combobox', { name: 'Value', exact: true }).last().fill('person');
  await page.getByRole('button', { name: 'Add condition' }).click();
  const trial = page.getByRole('region', { name: 'Test' });
  await trial.getByRole('textbox', { name: 'Person or distinct ID' }).fill('person 3');
  await trial.getByRole('button', { name: 'Test' }).click();
  await trial.getByText('Condition 1: matches').waitFor();
  await shot(page, 'flag-form');
  await expectSound(page);
  await page.getByRole('button', { name: 'Save flag' }).click();
  const state = page.getByRole('switch', { name: 'new-checkout' });
  await state.waitFor();
  await shot(page, 'flags');
  await expectSound(page);
  await state.click();
  await eventually('the flag is off', async () => (await state.getAttribute('aria-checked')) === 'false');
  const asked = await fetch(`${luneta.url}/ingest/flags/?v=2`, {
    method: 'POST',
    body: JSON.stringify({ token: tokenOfProject, distinct_id: 'person 3' }),
  });
  expect(await asked.json()).toMatchObject({ flags: { 'new-checkout': { enabled: false } } });
  await page.getByRole('link', { name: 'new-checkout' }).click();
  await page.getByText('Version 2').click();
  await shot(page, 'flag-history');
  await expectSound(page);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await shot(page, 'flag-phone');
  expect(complaints).toEqual([]);
});

it('fits a phone, however much is earned', async () => {
  const headers = { 'content-type': 'application/json', cookie: luneta.cookie, origin: luneta.url };
  const rule = { kind: 'event', event: 'donated', filters: { match: 'all', of: [] } };
  const amount = { property: 'total', currencyProperty: 'currency', currency: null };
  const made = await fetch(`${luneta.url}/api/trpc/insights.goals.create`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ json: { project: String(project), name: 'Donations', rule, amount } }),
  });
  const { id } = ((await made.json()) as { result: { data: { json: { id: number } } } }).result.data.json;
  const properties = { $lib: 'node', total: 9e17, currency: 'IDR' };
  const sent = await fetch(`${luneta.url}/ingest/e/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: tokenOfProject, event: 'donated', distinct_id: 'person 3', properties }),
  });
  expect(sent.status).toBe(200);
  const { page } = await browser.newPage({ ...phone, locale: 'en', viewport: { width: 320, height: 844 } });
  for (const path of ['goals', `overview?goal=${id}`]) {
    await page.goto(`${luneta.url}/project/${project}/${path}`);
    await page
      .getByText(/900,000,000,000,000,000/)
      .or(page.getByText(/IDR/))
      .first()
      .waitFor();
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 320]);
  }
});
