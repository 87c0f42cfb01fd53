/** Experiments over a whole application: numbers against a plain model, what is refused, and what a decision does to the flag. */
import request from 'supertest';
import type { Experiment, ExperimentResult } from '#src/experiments/contract.ts';
import { compareArms } from '#src/experiments/statistics.ts';
import type { Flag } from '#src/flags/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { callsOf } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const DAY_MS = 86_400_000;
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
  /** Minutes from the first call to the purchase; null: none. */
  bought: number | null;
  left: boolean;
}

const doing = fc.record({
  saw: fc.oneof<fc.MaybeWeightedArbitrary<readonly string[]>[]>(
    { arbitrary: fc.constantFrom(...keys).map((key) => [key]), weight: 8 },
    fc.constantFrom(['control', 'blue'], ['green', 'green'], ['blue', 'green', 'control']),
  ),
  bought: fc.oneof(fc.constant(null), fc.constantFrom(-5, 1, 30, 100)),
  left: fc.boolean(),
});

it('counts people by the variant that they saw, and what they did afterwards, as a plain model does', async () => {
  const flag = await createFlag('price');
  const [people = []] = fc.sample(fc.array(doing, { minLength: 150, maxLength: 150 }), { numRuns: 1, seed: 5 });
  const now = Date.now();
  const begun = now - 3 * 3_600_000;
  const batch = people.flatMap(({ saw, bought, left }, nth) => {
    const event = (name: string, minutes: number, properties: object = {}) => ({
      uuid: uuidV7(begun + minutes * 60_000),
      event: name,
      distinct_id: `person-${nth}`,
      timestamp: new Date(begun + minutes * 60_000).toISOString(),
      properties,
    });
    return [
      ...saw.map((variant, at) =>
        event('$feature_flag_called', at, { $feature_flag: 'price', $feature_flag_response: variant }),
      ),
      event('$feature_flag_called', 0, { $feature_flag: 'another', $feature_flag_response: 'blue' }),
      ...(bought === null ? [] : [event('purchase', bought)]),
      ...(left ? [event('left', 2)] : []),
    ];
  });
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
  const goal = await call<{ id: number }>('insights.goals.create', {
    name: 'Left',
    rule: { kind: 'event', event: 'left', filters: { match: 'all', of: [] } },
    amount: null,
  });
  const made = await call<Experiment>('experiments.create', {
    flag: flag.id,
    name: 'Price',
    hypothesis: 'Cheaper sells more.',
    definition: {
      goal: { event: 'purchase' },
      windowDays: 7,
      guardrails: [{ of: { goal: goal.id }, better: 'fewer' }],
    },
  });
  await database.query('update experiments set started_at = $1 where id = $2', [new Date(begun - DAY_MS), made.id]);

  const found = await ask<ExperimentResult>('experiments.result', { experiment: made.id });
  const single = people.filter(({ saw }) => new Set(saw).size === 1);
  const plain = (did: (each: Doing) => boolean) =>
    keys.map((key) => {
      const those = single.filter(({ saw }) => saw[0] === key);
      return { key, people: those.length, conversions: those.filter(did).length };
    });
  const expectMetric = (metric: ExperimentResult['goal'], expected: ReturnType<typeof plain>) => {
    expect(metric.variants.map(({ key, people, conversions }) => ({ key, people, conversions }))).toEqual(expected);
    const [control, ...others] = expected;
    for (const [at, arm] of others.entries()) {
      const { lift, isSignificant } = compareArms(control as never, arm, 2);
      expect(metric.variants[at + 1]).toMatchObject({ lift, isSignificant });
    }
  };
  expectMetric(
    found.goal,
    plain(({ bought }) => bought !== null && bought > 0),
  );
  expectMetric(
    found.guardrails[0] as ExperimentResult['goal'],
    plain(({ left }) => left),
  );
  expect(found.guardrails[0]).toMatchObject({ name: 'Left', better: 'fewer' });
  expect(found.several).toBe(people.length - single.length);
  expect(found.sampleRatio.shares).toEqual([50, 25, 25]);
  expect(['early', 'broken']).toContain(found.verdict.state);
  expect(found.days).toBe(2);

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
  await call('experiments.end', { experiment: made.id, ship: null }, 409);
  await call('experiments.change', { experiment: made.id, name: 'Late', definition: made.definition }, 409);
});

it('refuses what cannot be measured, and knows no experiment of another project', async () => {
  const plain = await call<Flag>('flags.create', {
    key: 'plain',
    definition: { active: true, filters: { groups: [] } },
  });
  const definition = { goal: { event: 'purchase' }, windowDays: 7 };
  await call('experiments.create', { flag: plain.id, name: 'Plain', definition }, 409);
  await call('experiments.create', { flag: 999_999, name: 'Nothing', definition }, 404);
  const flag = await createFlag('layout', [50, 50]);
  await call(
    'experiments.create',
    { flag: flag.id, name: 'Goal', definition: { ...definition, goal: { goal: 999_999 } } },
    400,
  );
  await call('experiments.create', { flag: flag.id, name: 'Days', definition: { ...definition, windowDays: 0 } }, 400);
  const made = await call<Experiment>('experiments.create', { flag: flag.id, name: 'Layout', definition });
  expect(await ask<ExperimentResult>('experiments.result', { experiment: made.id })).toMatchObject({
    several: 0,
    needed: null,
    goal: {
      variants: [
        { people: 0, rate: null },
        { people: 0, lift: null },
      ],
    },
    verdict: { state: 'early' },
  });

  const elsewhere = String(whole.parts.ownProject()?.id);
  const { query, mutation } = callsOf(whole);
  for (const path of ['experiments.get', 'experiments.result']) {
    await query(whole.owner, path, { project: elsewhere, experiment: made.id }).expect(404);
  }
  await mutation(whole.owner, 'experiments.end', { project: elsewhere, experiment: made.id, ship: null }).expect(404);
  await mutation(whole.owner, 'experiments.remove', { project: elsewhere, experiment: made.id }).expect(404);

  await call('flags.remove', { flag: flag.id });
  expect(await ask<Experiment>('experiments.get', { experiment: made.id })).toMatchObject({ flag: null });
  await callsOf(whole)
    .query(whole.owner, 'experiments.result', { project: String(whole.project), experiment: made.id })
    .expect(409);
  await call('experiments.remove', { experiment: made.id });
  expect((await ask<Experiment[]>('experiments.list')).map(({ name }) => name)).toEqual(['Price']);
});
