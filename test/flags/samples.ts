/** Generated flags and people. Texts are few, so that conditions and properties often meet. */
import { type FlagDefinition, type FlagProperty, flagDefinition } from '#src/flags/contract.ts';
import { operatorKinds } from '#src/flags/values.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import fc from '#test/kit/fast-check.ts';

const words = [
  'pro',
  'Free',
  'São Paulo',
  'ana@example.com',
  'BOB@example.com',
  '25',
  '3.5',
  'true',
  'False',
  '',
  'É',
  '1.2.3',
];
const names = ['plan', 'email', 'age', 'city', 'version', 'since', '$initial_plan', 'id'];

const values: Record<(typeof operatorKinds)[keyof typeof operatorKinds], fc.Arbitrary<FlagProperty['value']>> = {
  values: fc.oneof(
    fc.constantFrom(...words),
    fc.boolean(),
    fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
  ),
  text: fc.constantFrom('a', '@EXAMPLE', 'pr', '', 'é', 'são', '2'),
  pattern: fc.constantFrom('^pro$', 'a+@', '\\d{2}', '(ana|bob)@', '[A-Z]', 'ã', '', '\\bfree\\b', '.'),
  number: fc.oneof(fc.integer({ min: -5, max: 40 }), fc.constantFrom('25', '3.4', '1e1', 'pro', '20 years')),
  date: fc.constantFrom('2026-01-01', '2026-03-01T10:00:00Z', '-7d', '3h', '-2w', '1m', '-1y', '2026'),
  nothing: fc.constant(undefined),
  version: fc.constantFrom('1.2.3', 'v1', '0.3.1', '1.2', '2.0.0-beta', '1.10.0'),
  flag: fc.constant(true),
  cohort: fc.constant(1),
};

const operators = (Object.keys(operatorKinds) as FlagProperty['operator'][]).filter(
  (each) => operatorKinds[each] !== 'flag' && operatorKinds[each] !== 'cohort',
);

const property: fc.Arbitrary<FlagProperty> = fc
  .constantFrom(...operators)
  .chain((operator) =>
    fc
      .record({ key: fc.constantFrom(...names, 'distinct_id'), value: values[operatorKinds[operator]] })
      .map(({ key, value }) => ({ key, type: 'person', operator, ...(value !== undefined && { value }) })),
  );

const share = fc.oneof(fc.constantFrom(0, 10, 33.3, 50, 90, 100), fc.integer({ min: 0, max: 100 }));

interface Above {
  key: string;
  variants: string[];
}

function dependency(above: readonly Above[]): fc.Arbitrary<FlagProperty> {
  return fc
    .constantFrom(...above)
    .chain(({ key, variants }) =>
      fc
        .constantFrom<boolean | string>(true, false, ...variants)
        .map((value) => ({ key, type: 'flag', operator: 'flag_evaluates_to', value })),
    );
}

const variantSets = [[], [], [50, 50], [34, 33, 33], [100, 0], [20, 30, 50]];

/** @param above flags that it may depend on */
function definition(variants: readonly number[], above: readonly Above[]): fc.Arbitrary<FlagDefinition> {
  const keys = variants.map((_, at) => `v${at}`);
  const comparison =
    above.length === 0
      ? property
      : fc.oneof({ arbitrary: property, weight: 5 }, { arbitrary: dependency(above), weight: 1 });
  const unit = fc.constantFrom(null, null, null, 0, 1);
  return fc
    .record({
      active: fc.integer({ max: 9, min: 0 }).map((each) => each > 0),
      groups: fc.array(
        fc.record({
          properties: fc.array(comparison, { maxLength: 3 }),
          rollout_percentage: fc.oneof(share, fc.constant(null)),
          variant: fc.constantFrom(null, null, ...keys),
          unit,
        }),
        { maxLength: 4 },
      ),
      unit,
      early_exit: fc.integer({ max: 4, min: 0 }).map((each) => each === 0),
      holdout: fc.integer({ max: 9, min: 0 }),
      ensure_experience_continuity: fc.integer({ max: 19, min: 0 }).map((each) => each === 0),
      device: fc.integer({ max: 9, min: 0 }),
    })
    .map(({ active, groups, unit: ofFlag, early_exit, holdout, ensure_experience_continuity, device }) =>
      flagDefinition.parse({
        active,
        ensure_experience_continuity,
        bucketing_identifier: device === 0 ? 'device_id' : 'distinct_id',
        filters: {
          groups: groups.map(({ unit: own, ...condition }) => ({
            ...condition,
            ...(ofFlag === null && own !== null && { aggregation_group_type_index: own }),
          })),
          ...(variants.length > 0 && {
            multivariate: {
              variants: variants.map((rollout_percentage, at) => ({ key: `v${at}`, rollout_percentage })),
            },
          }),
          payloads: Object.fromEntries(
            (variants.length > 0 ? keys : ['true']).map((key) => [key, JSON.stringify({ key })]),
          ),
          aggregation_group_type_index: ofFlag,
          early_exit,
          ...(holdout === 0 && { holdout: { id: 3, exclusion_percentage: 20 } }),
        },
      }),
    );
}

export interface SampleFlag {
  key: string;
  definition: FlagDefinition;
}

/** A project's flags, each of which may depend on those before it. */
export const sampleFlags: fc.Arbitrary<SampleFlag[]> = fc
  .array(fc.constantFrom(...variantSets), { minLength: 8, maxLength: 8 })
  .chain((sets) => {
    const above = sets.map((set, at) => ({ key: `flag-${at}`, variants: set.map((_, nth) => `v${nth}`) }));
    return fc.tuple(
      ...sets.map((set, at) =>
        definition(set, above.slice(0, at)).map((each) => ({ key: `flag-${at}`, definition: each })),
      ),
    );
  });

const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { arbitrary: fc.constantFrom<JsonValue>(...words), weight: 6 },
  fc.integer({ min: -3, max: 40 }),
  fc.constantFrom(3.5, 2.25),
  fc.boolean(),
  fc.constantFrom<JsonValue>(
    null,
    ['pro', 'x'],
    { b: 'x', a: true },
    [25],
    '2026-02-01',
    '2020-05-05T00:00:00Z',
    1_700_000_000_000,
  ),
);

const properties: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.constantFrom(...names), value, { maxKeys: 7 })
  .map((each) => ({ ...each }));

export interface SamplePerson {
  distinctId: string;
  deviceId: string | null;
  properties: JsonObject;
  groups: Record<string, string>;
  groupProperties: Record<string, JsonObject>;
}

export const samplePerson: fc.Arbitrary<SamplePerson> = fc.record({
  distinctId: fc.oneof(
    fc.integer({ min: 0, max: 1e6 }).map((each) => `user-${each}`),
    fc.constantFrom('ünïcode-🚀', ' spaced ', '0'),
  ),
  deviceId: fc.constantFrom(null, 'device-1', 'device-2'),
  properties,
  groups: fc.constantFrom<Record<string, string>>({}, { company: 'acme' }, { company: 'globex', team: 'blue' }),
  groupProperties: fc.constantFrom<Record<string, JsonObject>>(
    {},
    { company: { plan: 'pro', age: 25 } },
    { company: { city: 'São Paulo' }, team: { plan: 'Free' } },
  ),
});
