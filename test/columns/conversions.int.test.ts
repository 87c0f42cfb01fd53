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

/** How many amounts of each currency, and their sum. */
function sums(found: SpanConversions | undefined) {
  return Object.fromEntries(found?.sums.map(({ currency, total }) => [currency, [total.count, total.value]]) ?? []);
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
    ...[worth('1.000,00', 'BRL'), worth('', 'BRL'), worth(true, 'BRL'), worth(null, 'BRL'), worth('free', 'BRL')],
    ...[worth('free', 'BRL'), worth(1e300, 'CLP'), worth(1e12, 'JPY'), worth(1e18, 'JPY'), worth(1, 'JPY')],
    ...Array.from({ length: 50 }, () => worth(0.00004, 'eth')),
    ...Array.from({ length: 100 }, () => worth('0.00006', 'XBT')),
    ...[worth('R$ 10,00', 'US$'), worth('€ 1.234,56'), worth(2, 'R$'), worth('$ 7')],
    { ...worth(1000, 'BRL'), bot: true },
    { event: 'left', properties: { total: 1000, currency: 'BRL' } },
  );
  const wanted = {
    '': [1, 3],
    BRL: [14, 1017.65],
    CLP: [1, 1e300],
    ETH: [50, 0.002],
    EUR: [1, 1234.56],
    JPY: [3, 1_000_001_000_000_000_000],
    KWD: [1, 0.00005],
    USD: [1, 10],
    XBT: [100, 0.006],
    unknown: [3, 16],
  };
  const [found] = await ask([{ rules: [paid], amount }]);
  expect(sums(found)).toEqual(wanted);
  expect(found?.unreadable).toEqual({
    count: 5,
    texts: [
      { text: 'free', count: 2 },
      { text: '', count: 1 },
      { text: null, count: 1 },
      { text: 'true', count: 1 },
    ],
  });
  const threaded = createColumns(scene.deps, { threads: 2 });
  try {
    await threaded.seal();
    expect(sums((await ask([{ rules: [paid], amount }], null, threaded))[0])).toEqual(wanted);
    expect(sums((await ask([{ rules: [paid], amount }], null, threaded))[0])).toEqual(wanted);
  } finally {
    await threaded.stop();
  }
  const byDefault = { ...amount, currency: 'USD' };
  const { '': none, ...others } = wanted;
  expect(sums((await ask([{ rules: [paid], amount: byDefault }]))[0])).toEqual({
    ...others,
    USD: [1 + 1 + 1, 10 + 7 + (none[1] as number)],
    unknown: [2, 9],
  });
});

it('reads what can be two numbers as the project writes them', async () => {
  const paidFor = (total: string) => ({ event: 'paid', properties: { total, currency: 'BRL' } });
  await scene.happened(paidFor('1.234'), paidFor('1,234'), paidFor('10,50'), paidFor('2.000,25'));
  const over = all({ about: 'event', name: 'total', operator: 'gt', values: [1000] });
  const found = async () => {
    const [money, filtered] = await ask([{ rules: [paid], amount }, rules({ names: ['paid'], filters: [over] })]);
    return [sums(money)['BRL']?.[1], filtered?.total.count];
  };
  expect(await found()).toEqual([3245.984 + 0, 2]);
  await database.query(`update projects set settings = settings || '{"decimalSeparator":"comma"}'`);
  expect(await found()).toEqual([3245.984, 2]);
});

it('refuses a pattern that is none', async () => {
  const broken = all({ about: 'event', name: '$pathname', operator: 'regex', values: ['('] });
  await scene.happened({});
  await expect(ask([rules({ names: ['$pageview'], filters: [broken] })])).rejects.toMatchObject({ code: 'invalid' });
});
