/** URL and query convert into each other, for any query; and garbage is never an error. */

import { arityOf, filterOperators, takesOf } from '#src/columns/filters/operators.ts';
import { sessionFields } from '#src/columns/values.ts';
import fc from '#test/kit/fast-check.ts';
import { insightAddress, insightOf, readInsight } from '#views/insights/address.ts';
import { chartNames } from '#views/insights/display.ts';
import { inputOf, kindNames, schemas } from '#views/insights/insight.ts';
import { shownAt } from '#views/insights/saved-as-shown.ts';
import { trendsCharts, withChart } from '#views/insights/trends/charts.ts';

const name = fc.stringMatching(/^[\p{L}\p{N}$ .:;|\\()"'&%#?=+_-]{1,12}$/u).map((text) => `${text}x`.trim());
const some = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.integer(), fc.boolean());

const condition = fc.constantFrom(...filterOperators).chain((operator) => {
  const [min, max] = arityOf(operator);
  const takes = takesOf(operator);
  const value =
    takes === 'date' ? fc.constantFrom('2026-11-30', '2026-02-03T14:00') : takes === 'number' ? fc.integer() : some;
  const about = fc.constantFrom('event', 'person', 'session');
  return fc.record({
    about,
    name: fc.oneof(name, fc.constantFrom(...sessionFields)),
    operator: fc.constant(operator),
    values: fc.array(value, { minLength: min, maxLength: Math.min(max, 3) }),
  });
});
const match = fc.constantFrom('all', 'any');
const list = fc.record({ match, of: fc.array(condition, { maxLength: 3 }) });
const filters = fc.record({ match, of: fc.array(fc.oneof(condition, list), { maxLength: 3 }) });
const rule = fc.record({ event: fc.option(name), filters: fc.option(filters, { nil: undefined }) });
const events = fc.oneof(
  rule,
  fc.record({ any: fc.array(rule, { minLength: 1, maxLength: 3 }) }),
  fc.record({ goal: fc.integer({ min: 1, max: 99 }) }),
);
const dates = fc.constantFrom({ from: '2026-01-01', to: '2026-02-28' }, { from: '2026-03-03', to: '2026-03-03' });
const range = fc.oneof(fc.constantFrom('last_28_days', 'today', 'all_time'), dates);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const times = fc.integer({ min: 1, max: 1000 });
const criterion = fc.oneof(
  fc.record({ did: events, times, within: range, not: maybe(fc.boolean()) }),
  fc.record({ firstSeen: range, not: maybe(fc.constant(true)) }),
  fc.record({ has: fc.record({ name, operator: fc.constant('equals'), values: fc.tuple(some) }) }),
);
const scope = {
  range,
  filters: maybe(filters),
  people: maybe(fc.record({ match, of: fc.array(criterion, { maxLength: 3 }) })),
  include: maybe(fc.constantFrom(['bots'], ['internal'], ['bots', 'internal'])),
  segment: maybe(fc.integer({ min: 1, max: 9 })),
};
const interval = maybe(fc.constantFrom('hour', 'day', 'week', 'month'));
const compare = maybe(fc.oneof(fc.constantFrom('previous', 'year', 'weekday', 'none'), dates));
const breakdown = maybe(
  fc.oneof(fc.record({ about: fc.constantFrom('event', 'person'), name }), fc.constant({ about: 'name' })),
);
const bins = fc.oneof(
  fc.record({ edges: fc.constantFrom([1], [1, 2.5], [2, 1], [-3, 0, 1e9]) }),
  fc.record({ count: fc.integer({ min: 1, max: 9 }), by: maybe(fc.constantFrom('width', 'quantile')) }),
);
const part = fc.oneof(
  fc.record({ about: fc.constantFrom('event', 'person'), name, bins: maybe(bins) }),
  fc.record({ about: fc.constant('person'), name: fc.constant('$cohort'), values: fc.tuple(name) }),
  fc.constant({ about: 'name' }),
);
const parts = maybe(fc.oneof(part, fc.array(part, { minLength: 1, maxLength: 3 })));
const limit = maybe(fc.integer({ min: 1, max: 100 }));
const measure = fc.oneof(
  fc.constantFrom('events', 'persons', 'visits', 'dau', 'wau', 'mau', 'firstEver', 'firstMatching', 'group_1'),
  fc.record({ eventsPerPerson: fc.constantFrom('mean', 'p90') }),
  fc.record({ property: name, as: fc.constantFrom('sum', 'p99') }),
);
const per = maybe(fc.constantFrom('persons', 'group_0', 'group_4'));
const formula = fc.record(
  {
    formula: fc.constantFrom('A / B', '(A + 1.5) * -C', 'a÷2', '+', 'A / '),
    name,
    format: fc.constantFrom('number', 'percent'),
  },
  { requiredKeys: ['formula'] },
);
const window = fc.record({ count: times, unit: fc.constantFrom('second', 'day', 'month') });

const inputs: Record<string, fc.Arbitrary<object>> = {
  trends: fc.record({
    ...scope,
    compare,
    interval,
    breakdown: parts,
    limit,
    cumulative: maybe(fc.boolean()),
    series: fc.array(fc.record({ event: events, measure, per, hidden: maybe(fc.boolean()) }), {
      minLength: 1,
      maxLength: 3,
    }),
    formulas: maybe(fc.array(formula, { maxLength: 3 })),
  }),
  funnel: fc.record({
    ...scope,
    compare,
    interval,
    breakdown,
    limit,
    optionalSteps: fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 2 }),
    attribution: maybe(fc.constantFrom('last', 'all', { step: 2 })),
    steps: fc.array(events, { minLength: 2, maxLength: 4 }),
    order: maybe(fc.constantFrom('ordered', 'strict', 'any')),
    conversionWindow: maybe(window),
    exclusions: fc.array(fc.record({ event: events, afterStep: fc.constant(1), beforeStep: fc.constant(2) }), {
      maxLength: 2,
    }),
    per: maybe(fc.constantFrom('persons', 'visits')),
  }),
  retention: fc.record({
    ...scope,
    period: interval,
    startEvent: events,
    returningEvent: events,
    kind: maybe(fc.constantFrom('firstEver', 'firstMatching', 'recurring')),
    minCount: maybe(times),
    rolling: maybe(fc.boolean()),
    brackets: maybe(fc.constantFrom([0, 3, 7], [2])),
    breakdown,
    limit,
  }),
  paths: fc.record({
    ...scope,
    per,
    stepType: maybe(fc.constantFrom('pages', 'events', 'all')),
    length: maybe(fc.integer({ min: 3, max: 20 })),
    startPoint: maybe(name),
    endPoint: maybe(name),
    groups: fc.array(name, { maxLength: 2 }),
    exclude: fc.array(name, { maxLength: 2 }),
    limit: maybe(times),
  }),
  lifecycle: fc.record({ ...scope, interval, event: events, per }),
  stickiness: fc.record({ ...scope, interval, event: events, minCount: maybe(times), cumulative: maybe(fc.boolean()) }),
};

const display = fc.record(
  {
    chart: fc.constantFrom(...chartNames),
    cumulative: fc.boolean(),
    average: fc.integer({ min: 2, max: 90 }),
    funnel: fc.constantFrom('steps', 'entry', 'times'),
    rows: fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const here = '/project/1/insights/new';
const searchOf = (address: string) => new URL(address, 'http://here').searchParams;
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it.each(kindNames)('reads every query of %s from the address that it writes', (kind) => {
  fc.assert(
    fc.property(inputs[kind] as fc.Arbitrary<object>, display, (given, shown) => {
      const { segment, ...rest } = asJson(given) as { segment?: number };
      const read = schemas[kind].safeParse(rest);
      // Names that only differ by space are none.
      fc.pre(read.success);
      const input = { ...(read.data as never as object), ...(segment !== undefined && { segment }) };
      const insight = insightOf(kind, input as never, shown);
      const found = readInsight(searchOf(insightAddress(here, insight)));
      expect(found.isBroken).toBeUndefined();
      expect([found.kind, asJson(inputOf(found)), found.display]).toEqual([kind, asJson(inputOf(insight)), shown]);
      expect(schemas[kind].parse(withoutSegment(inputOf(found)))).toEqual(read.data);
      expect(insightAddress(here, found)).toBe(insightAddress(here, insight));
      if (insight.kind !== 'trends') return;
      for (const chart of trendsCharts) {
        expect(readInsight(searchOf(insightAddress(here, withChart(insight, chart)))).isBroken).toBeUndefined();
      }
    }),
    { numRuns: 150 },
  );
});

function withoutSegment({ segment: _, ...input }: { segment?: number }): object {
  return input;
}

it('shows something for any address, and says when it is not what was asked', () => {
  const garbage = fc.oneof(fc.string(), fc.json(), fc.constantFrom('{"series":[]}', '{"series":7}', '[]', 'null'));
  const search = fc.record({
    kind: fc.oneof(fc.constantFrom(...kindNames), fc.string()),
    v: fc.constantFrom('1', '2', ''),
    q: garbage,
    display: garbage,
    range: fc.string(),
    filter: fc.string(),
    who: fc.string(),
  });
  fc.assert(
    fc.property(search, (said) => {
      const insight = readInsight(new URLSearchParams(said));
      const { segment: _, ...input } = inputOf(insight);
      expect(schemas[insight.kind].safeParse(input).success).toBe(true);
      const again = readInsight(searchOf(insightAddress(here, insight)));
      expect(inputOf(again)).toEqual(inputOf(insight));
    }),
    { numRuns: 500 },
  );
  expect(readInsight(new URLSearchParams({ kind: 'funnel', v: '1', q: '{"steps":[]}' })).isBroken).toBe(true);
  expect(readInsight(new URLSearchParams({ kind: 'funnel', v: '2', q: '{}' })).isBroken).toBe(true);
  expect(readInsight(new URLSearchParams()).isBroken).toBeUndefined();
});

it('shows a saved insight with the segment, people and traffic that an address adds, also when it is saved', () => {
  const input = schemas.trends.parse({
    range: 'last_7_days',
    people: { match: 'all', of: [{ has: { name: 'plan', operator: 'equals', values: ['pro'] } }] },
    series: [{ event: { event: 'order' } }],
  });
  const saved = insightOf('trends', input as never, {});
  expect(shownAt(saved, new URLSearchParams())).toBe(saved);
  const asked = shownAt(saved, new URLSearchParams('segment=7&internal=include'));
  expect(inputOf(asked)).toEqual({ ...inputOf(saved), segment: 7, include: ['internal'] });
  const others = shownAt(saved, new URLSearchParams('who=first:last_7_days'));
  for (const each of [asked, others]) expect(insightAddress('', each)).not.toBe(insightAddress('', saved));
});
