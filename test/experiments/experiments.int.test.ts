/** Experiments over a whole application: numbers against a plain model, what is refused, and what a decision does to the flag. */
import request from 'supertest';
import type { Experiment, ExperimentResult, MetricResult } from '#src/experiments/contract.ts';
import { estimatesOf } from '#src/experiments/estimates.ts';
import { compareArms, compareEstimates } from '#src/experiments/statistics.ts';
import type { Flag } from '#src/flags/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { callsOf } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const keys = ['control', 'blue', 'green'];

const variants = (shares: number[]) => ({
  variants: shares.map((rollout_percentage, at) => ({ key: keys[at] as string, rollout_percentage })),
});

async function call<Answer>(path: string, input: object, status = 200): Promise<Answer> {
  const { mutation } = callsOf(whole);
  const { body } = await mutation(whole.owner, path, { project: String(whole.project), ...input }).expect(status);
  return status === 200 ? body.result.data.json : body.error.json;
}

async function ask<Answer>(path: string, input: object = {}, project = whole.project): Promise<Answer> {
  const { body } = await callsOf(whole)
    .query(whole.owner, path, { project: String(project), ...input })
    .expect(200);
  return body.result.data.json;
}

const createFlag = (key: string, shares = [50, 25, 25]) =>
  call<Flag>('flags.create', {
    key,
    definition: { active: true, filters: { groups: [{}], multivariate: variants(shares) } },
  });

interface Doing {
  /** Which variants the person saw, one after another. */
  saw: readonly string[];
  /** Purchases: minutes from the first call, and the amount in two currencies. */
  bought: readonly { minutes: number; amount: number; currency: 'BRL' | 'USD' }[];
  /** Minutes from the first call; null: never. */
  left: number | null;
  browser: 'Chrome' | 'Firefox';
}

const purchase = fc.record({
  minutes: fc.constantFrom(-900, -5, 1, 30, 100),
  amount: fc.integer({ min: 1, max: 90 }),
  currency: fc.oneof<fc.MaybeWeightedArbitrary<'BRL' | 'USD'>[]>(
    { arbitrary: fc.constant('BRL' as const), weight: 5 },
    fc.constant('USD' as const),
  ),
});
const doing = fc.record({
  saw: fc.oneof<fc.MaybeWeightedArbitrary<readonly string[]>[]>(
    { arbitrary: fc.constantFrom(...keys).map((key) => [key]), weight: 8 },
    fc.constantFrom(['control', 'blue'], ['green', 'green'], ['blue', 'green', 'control']),
  ),
  bought: fc.array(purchase, { maxLength: 4 }),
  left: fc.oneof(fc.constant(null), fc.constantFrom(-2, 2, 40)),
  browser: fc.constantFrom('Chrome' as const, 'Firefox' as const),
});

type Values = readonly [number, number, number, number];

/** Of people, the values after the first call and before it; of ratios two of each. */
function momentsOf(people: readonly Doing[], valuesOf: (each: Doing) => Values) {
  const values = people.map(valuesOf);
  const sum = (of: (each: Values) => number) => values.reduce((all, each) => all + of(each), 0);
  const places = [0, 1, 2, 3];
  return {
    people: people.length,
    active: values.filter(([y]) => y !== 0).length,
    sums: places.map((at) => sum((each) => each[at] as number)),
    products: places.flatMap((one) =>
      places.map((other) => sum((each) => (each[one] as number) * (each[other] as number))),
    ),
  };
}

it('measures people by the variant that they saw, and what they did before and afterwards, as a plain model does', async () => {
  const flag = await createFlag('price');
  const [people = []] = fc.sample(fc.array(doing, { minLength: 200, maxLength: 200 }), { numRuns: 1, seed: 5 });
  const now = Date.now();
  const begun = now - 3 * 3_600_000;
  const batch = people.flatMap(({ saw, bought, left, browser }, nth) => {
    const event = (name: string, minutes: number, properties: object = {}) => ({
      uuid: uuidV7(begun + minutes * 60_000),
      event: name,
      distinct_id: `person-${nth}`,
      timestamp: new Date(begun + minutes * 60_000).toISOString(),
      properties,
    });
    return [
      ...saw.map((variant, at) =>
        event('$feature_flag_called', at, {
          $feature_flag: 'price',
          $feature_flag_response: variant,
          $browser: browser,
        }),
      ),
      event('$feature_flag_called', 0, { $feature_flag: 'another', $feature_flag_response: 'blue' }),
      ...bought.map(({ minutes, amount, currency }) => event('purchase', minutes, { amount, currency })),
      ...(left === null ? [] : [event('left', left)]),
    ];
  });
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
  const createGoal = (name: string, event: string, amount: object | null) =>
    call<{ id: number }>('insights.goals.create', {
      name,
      rule: { kind: 'event', event, filters: { match: 'all', of: [] } },
      amount,
    });
  const leaving = await createGoal('Left', 'left', null);
  const order = await createGoal('Order', 'purchase', {
    property: 'amount',
    currencyProperty: 'currency',
    currency: null,
  });
  const purchases = { event: 'purchase' };
  const metrics = [
    { kind: 'conversion', of: { goal: leaving.id } },
    { kind: 'funnel', steps: [purchases, { goal: leaving.id }, purchases] },
    { kind: 'count', of: purchases },
    { kind: 'revenue', of: { goal: order.id } },
    { kind: 'ratio', of: { sum: { event: 'purchase', property: 'amount' } }, per: { count: { goal: order.id } } },
  ];
  const input = {
    flag: flag.id,
    name: 'Price',
    hypothesis: 'Cheaper sells more.',
    definition: {
      goal: { kind: 'conversion', of: purchases },
      windowDays: 7,
      guardrails: metrics.map((metric) => ({ metric, better: 'fewer' })),
    },
  };
  // Its amounts cannot be summed: the goal has none.
  const wrong = { ...input.definition, goal: { kind: 'revenue', of: { goal: leaving.id } } };
  await call('experiments.create', { ...input, definition: wrong }, 400);
  const made = await call<Experiment>('experiments.create', input);
  await database.query('update experiments set started_at = $1 where id = $2', [new Date(begun - 60_000), made.id]);

  const found = await ask<ExperimentResult>('experiments.result', { experiment: made.id, breakdown: 'browser' });
  const single = people.filter(({ saw }) => new Set(saw).size === 1);
  const armsOf = (among: readonly Doing[]) => keys.map((key) => among.filter(({ saw }) => saw[0] === key));
  const expectShares = (
    { variants: shown }: Pick<MetricResult, 'variants'>,
    did: (each: Doing) => boolean,
    among = single,
    comparisons = 2,
  ) => {
    const expected = armsOf(among).map((those) => ({ people: those.length, conversions: those.filter(did).length }));
    expect(shown).toMatchObject(expected.map(({ people: all, conversions }) => ({ people: all, active: conversions })));
    const [control, ...others] = expected;
    for (const [at, arm] of others.entries()) {
      const { lift, isSignificant } = compareArms(control as never, arm, comparisons);
      expect(shown[at + 1]).toMatchObject({ lift, isSignificant });
    }
  };
  const expectTotals = (
    metric: MetricResult | undefined,
    kind: 'mean' | 'ratio',
    valuesOf: (each: Doing) => Values,
  ) => {
    const moments = armsOf(single).map((those) => momentsOf(those, valuesOf));
    const { arms, reduction } = estimatesOf(kind, moments);
    const [control] = arms;
    expect(metric?.reduction).toBeCloseTo(reduction as number, 9);
    for (const [at, arm] of arms.entries()) {
      const shown = metric?.variants[at];
      expect(shown).toMatchObject({ people: arm.people, active: arm.active });
      expect(shown?.total).toBeCloseTo(moments[at]?.sums[0] as number, 6);
      expect(shown?.value).toBeCloseTo(arm.value as number, 9);
      if (at === 0) continue;
      const { lift } = compareEstimates(control as never, arm, 2);
      expect(shown?.lift?.from).toBeCloseTo(lift?.from as number, 9);
      expect(shown?.lift?.once.to).toBeCloseTo(lift?.once.to as number, 9);
    }
  };
  const sums = ({ bought }: Doing, worth: (each: Doing['bought'][number]) => number): [number, number] => [
    bought.filter(({ minutes }) => minutes >= 0).reduce((sum, each) => sum + worth(each), 0),
    bought.filter(({ minutes }) => minutes < 0).reduce((sum, each) => sum + worth(each), 0),
  ];
  const after = (each: Doing) => each.bought.filter(({ minutes }) => minutes > 0).map(({ minutes }) => minutes);
  const hasBought = (each: Doing) => after(each).length > 0;
  expectShares(found.goal, hasBought);
  expect(found.goal).toMatchObject({ kind: 'conversion', names: ['purchase'], reduction: null });
  const [left, funnel, count, revenue, ratio] = found.guardrails;
  expectShares(left as never, (each) => (each.left ?? -1) > 0);
  expect(left).toMatchObject({ names: ['Left'], better: 'fewer' });
  expectShares(funnel as never, (each) => {
    const { left: at } = each;
    return at !== null && at > 0 && after(each).some((one) => one < at) && after(each).some((one) => one > at);
  });
  expect(funnel?.names).toEqual(['purchase', 'Left', 'purchase']);
  expectTotals(count, 'mean', (each) => {
    const [y, x] = sums(each, () => 1);
    return [y, 0, x, 0];
  });
  expectTotals(revenue, 'mean', (each) => {
    const [y, x] = sums(each, ({ amount, currency }) => (currency === 'BRL' ? amount : 0));
    return [y, 0, x, 0];
  });
  const inOthers = people.flatMap(({ bought }) => bought).filter(({ currency }) => currency === 'USD').length;
  expect(revenue).toMatchObject({ currency: 'BRL', otherCurrencies: inOthers, kind: 'revenue' });
  expectTotals(ratio, 'ratio', (each) => {
    const [y, x] = sums(each, ({ amount }) => amount);
    const [u, w] = sums(each, () => 1);
    return [y, u, x, w];
  });
  expect(found.segments.map(({ value }) => value).sort()).toEqual(['Chrome', 'Firefox']);
  for (const { value, variants: own } of found.segments) {
    expectShares(
      { variants: own },
      hasBought,
      single.filter(({ browser }) => browser === value),
      4,
    );
  }
  expect(found.several).toBe(people.length - single.length);
  expect(found.sampleRatio.shares).toEqual([50, 25, 25]);
  expect(['early', 'broken']).toContain(found.verdict.state);
  expect(found.days).toBe(1);

  // Shipping gives the variant to everybody who gets the flag, and ends the experiment.
  await call('experiments.create', { flag: flag.id, name: 'Twice', definition: made.definition }, 409);
  const ended = await call<Experiment>('experiments.end', {
    experiment: made.id,
    ship: 'blue',
    decision: 'Blue sells more.',
  });
  expect(ended).toMatchObject({ shipped: 'blue', decision: 'Blue sells more.', endedAt: expect.any(Number) });
  const shipped = await ask<Flag>('flags.get', { flag: flag.id });
  const shares = shipped.definition.filters.multivariate?.variants.map((each) => each.rollout_percentage);
  expect([shares, shipped.version]).toEqual([[0, 100, 0], 2]);
  // What was compared stays what it was: the shares of while it ran.
  const later = await ask<ExperimentResult>('experiments.result', { experiment: made.id });
  expect(later.sampleRatio).toEqual({ ...found.sampleRatio, changedAt: null });
  expect(later.goal.variants).toEqual(found.goal.variants);
  await call('experiments.end', { experiment: made.id, ship: null }, 409);
  await call('experiments.change', { experiment: made.id, name: 'Late', definition: made.definition }, 409);
});

it('refuses what cannot be measured, and knows no experiment of another project', async () => {
  const plain = await call<Flag>('flags.create', {
    key: 'plain',
    definition: { active: true, filters: { groups: [] } },
  });
  const definition = { goal: { kind: 'conversion', of: { event: 'purchase' } }, windowDays: 7 };
  await call('experiments.create', { flag: plain.id, name: 'Plain', definition }, 409);
  await call('experiments.create', { flag: 999_999, name: 'Nothing', definition }, 404);
  const flag = await createFlag('layout', [50, 50]);
  await call(
    'experiments.create',
    { flag: flag.id, name: 'Goal', definition: { ...definition, goal: { kind: 'conversion', of: { goal: 999_999 } } } },
    400,
  );
  await call('experiments.create', { flag: flag.id, name: 'Days', definition: { ...definition, windowDays: 0 } }, 400);
  const made = await call<Experiment>('experiments.create', { flag: flag.id, name: 'Layout', definition });
  expect(await ask<ExperimentResult>('experiments.result', { experiment: made.id })).toMatchObject({
    sampleRatio: { shares: [50, 50], changedAt: null },
    several: 0,
    needed: null,
    goal: {
      variants: [
        { people: 0, value: null },
        { people: 0, lift: null },
      ],
    },
    verdict: { state: 'early' },
  });

  // People of before and after a change of the shares cannot be compared with either.
  const { definition: before, version } = flag;
  const filters = { ...before.filters, multivariate: variants([80, 20]) };
  await call('flags.change', { flag: flag.id, version, definition: { ...before, filters } });
  expect(await ask<ExperimentResult>('experiments.result', { experiment: made.id })).toMatchObject({
    sampleRatio: { shares: [80, 20], p: null, changedAt: expect.any(Number) },
  });

  const elsewhere = String(whole.parts.ownProject()?.id);
  const { query, mutation } = callsOf(whole);
  for (const path of ['experiments.get', 'experiments.result']) {
    await query(whole.owner, path, { project: elsewhere, experiment: made.id }).expect(404);
  }
  await mutation(whole.owner, 'experiments.end', { project: elsewhere, experiment: made.id, ship: null }).expect(404);
  await mutation(whole.owner, 'experiments.remove', { project: elsewhere, experiment: made.id }).expect(404);

  // A flag is copied within its team only.
  const [foreign] = await database.query<{ id: number }>(
    `with made as (insert into teams (name, created_at) values ('B', '2026-01-01') returning id)
     insert into projects (name, created_at, team_id) select 'B', '2026-01-01', id from made returning id`,
  );
  for (const target of [foreign?.id, whole.project, 999_999]) {
    await call('flags.copy', { flag: flag.id, target, replaces: null }, 404);
  }

  await call('flags.remove', { flag: flag.id });
  expect(await ask<Experiment>('experiments.get', { experiment: made.id })).toMatchObject({ flag: null });
  await callsOf(whole)
    .query(whole.owner, 'experiments.result', { project: String(whole.project), experiment: made.id })
    .expect(409);
  await call('experiments.remove', { experiment: made.id });
  expect((await ask<Experiment[]>('experiments.list')).map(({ name }) => name)).toEqual(['Price']);
});
