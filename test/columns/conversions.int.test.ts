/** What the engine says of goals: who did what, who of them is a visitor, and what it was worth. */
import { createColumns, type EventRule, type Selection, type SpanConversions } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { all, HOUR, NOON, openScene, type Scene } from './scene.ts';

const database = useDatabase();
let scene: Scene;

beforeEach(async () => {
  scene = await openScene(database.url);
});
afterEach(() => scene.close());

const paid: EventRule = { names: ['paid'], filters: [] };
const amount = { property: 'total', currencyProperty: 'currency', currency: null };

function rules(...of: EventRule[]): Selection {
  return { rules: of, amount: null };
}

async function ask(selections: Selection[], filters: Filters | null = null, by = scene.columns) {
  const spans = [{ from: NOON - HOUR, until: NOON + HOUR, starts: [NOON - HOUR, NOON, NOON + 1000] }];
  const question = { projectId: scene.project.id, views: ['$pageview'], filters, spans };
  return (await by.conversions(question, selections)).map(([only]) => only as SpanConversions);
}

/** Amounts by currency, in ten-thousandths. */
function sums(found: SpanConversions | undefined) {
  return Object.fromEntries(found?.sums.map(({ currency, total }) => [currency, [total.count, total.parts]]) ?? []);
}

it('counts events, persons, and which of them are visitors, by stretch and over all', async () => {
  await scene.happened(
    { distinctId: 'ana' },
    { distinctId: 'ana', event: 'paid', ts: NOON + 1 },
    { distinctId: 'ana', event: 'paid', ts: NOON + 2000 },
    { distinctId: 'server', event: 'paid', ts: NOON + 2, session: null, path: null },
    { distinctId: 'bia' },
    { distinctId: 'bot', bot: true },
    { distinctId: 'bot', event: 'paid', bot: true },
  );
  const [found] = await ask([rules(paid)]);
  expect(found?.total).toEqual({ visitors: 2, count: 3, people: 2, converted: 1 });
  expect(found?.stretches).toEqual([
    { visitors: 0, count: 0, people: 0, converted: 0 },
    { visitors: 2, count: 2, people: 2, converted: 1 },
    { visitors: 0, count: 1, people: 1, converted: 0 },
  ]);
  expect(found?.sums).toEqual([]);
});

it('takes an event once, whichever rules it fulfils, and only under the filters of the question', async () => {
  const isCart = all({ about: 'event', name: '$pathname', operator: 'equals', values: ['/cart'] });
  const isPro = all({ about: 'event', name: 'plan', operator: 'equals', values: ['pro'] });
  await scene.happened(
    { event: 'paid', path: '/cart', properties: { plan: 'pro' } },
    { event: 'paid', path: '/', properties: { plan: 'free' } },
    { event: 'left', path: '/cart', properties: { plan: 'pro' } },
    { path: '/cart' },
  );
  const selections = [
    rules({ names: ['paid'], filters: [isCart] }, { names: ['paid'], filters: [isPro] }),
    rules({ names: ['paid', 'left'], filters: [isCart, isPro] }),
    rules({ names: ['$pageview'], filters: [isCart] }, { names: ['never'], filters: [] }),
    rules({ names: ['never'], filters: [] }),
    rules(),
  ];
  const counts = async (filters: Filters | null) => (await ask(selections, filters)).map(({ total }) => total.count);
  expect(await counts(null)).toEqual([1, 2, 1, 0, 0]);
  expect(await counts(isPro)).toEqual([1, 2, 0, 0, 0]);
  await scene.columns.seal();
  expect(await counts(null)).toEqual([1, 2, 1, 0, 0]);
  expect(await counts(isPro)).toEqual([1, 2, 0, 0, 0]);
  expect(await counts(isCart)).toEqual([1, 2, 1, 0, 0]); // and not what was kept of another filter
});

it('unites persons who were merged', async () => {
  await scene.happened({ distinctId: 'browser' }, { distinctId: 'user', event: 'paid' });
  expect((await ask([rules(paid)]))[0]?.total).toMatchObject({ visitors: 1, people: 1, converted: 0 });
  await scene.columns.seal();
  await scene.happened({ distinctId: 'user', event: '$identify', anonymousId: 'browser' });
  expect((await ask([rules(paid)]))[0]?.total).toMatchObject({ visitors: 1, people: 1, converted: 1 });
});

it('adds amounts up exactly, each currency by itself', async () => {
  const worth = (total: string | number | boolean | null, currency?: string | number) => ({
    event: 'paid',
    properties: { total, ...(currency === undefined ? {} : { currency }) },
  });
  await scene.happened(
    ...Array.from({ length: 10 }, () => worth(0.1, 'BRL')),
    worth('19.90', ' brl '),
    worth(-5.25, 'BRL'),
    worth(0.00005, 'KWD'),
    worth(3),
    worth(4, 'reais'),
    worth(5, 7),
    ...[worth('1.000,00', 'BRL'), worth('', 'BRL'), worth(true, 'BRL'), worth(null, 'BRL'), worth(1e300, 'BRL')],
    { ...worth(1000, 'BRL'), bot: true },
    { event: 'left', properties: { total: 1000, currency: 'BRL' } },
  );
  const wanted = { '': [3, 120_000], BRL: [12, 156_500], KWD: [1, 1] };
  expect(sums((await ask([{ rules: [paid], amount }]))[0])).toEqual(wanted);
  const threaded = createColumns(scene.deps, { threads: 2 });
  try {
    await threaded.seal();
    expect(sums((await ask([{ rules: [paid], amount }], null, threaded))[0])).toEqual(wanted);
    expect(sums((await ask([{ rules: [paid], amount }], null, threaded))[0])).toEqual(wanted);
  } finally {
    await threaded.stop();
  }
  const inReais = { property: 'total', currencyProperty: null, currency: 'BRL' };
  expect(sums((await ask([{ rules: [paid], amount: inReais }]))[0])).toEqual({ BRL: [16, 276_501] });
  const other = { ...amount, currency: 'EUR' };
  expect(sums((await ask([{ rules: [paid], amount: other }]))[0])).toEqual({
    BRL: wanted.BRL,
    EUR: wanted[''],
    KWD: wanted.KWD,
  });
});

it('refuses a pattern that is none', async () => {
  const broken = all({ about: 'event', name: '$pathname', operator: 'regex', values: ['('] });
  await scene.happened({});
  await expect(ask([rules({ names: ['$pageview'], filters: [broken] })])).rejects.toMatchObject({ code: 'invalid' });
});
