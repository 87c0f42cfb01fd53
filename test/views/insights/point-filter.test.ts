/** A number becomes a filter only where the filter means the same people; and paths from a step of a funnel stand in an address. */
import { peopleQuery } from '#src/insights/query/people/contract.ts';
import { insightAddress, insightOf, readInsight } from '#views/insights/address.ts';
import { inputOf, type KindName, schemas } from '#views/insights/insight.ts';
import { pathsAfter } from '#views/insights/paths/paths-after.ts';
import { pointFilter } from '#views/insights/point-filter.ts';
import type { Point } from '#views/insights/points.ts';

const day = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const range = {
  from: day('2026-11-02'),
  to: day('2026-11-16'),
  fromDate: '2026-11-02',
  toDate: '2026-11-15',
  until: null,
};
const frame = { timeZone: 'UTC', range, starts: [day('2026-11-02'), day('2026-11-09')], interval: 'week' as const };
const whole = { from: '2026-11-02', to: '2026-11-15' };
const firstWeek = { from: '2026-11-02', to: '2026-11-08' };
const secondWeek = { from: '2026-11-09', to: '2026-11-15' };
const order = { event: 'order' };
const isPro = { about: 'person' as const, name: 'plan', operator: 'equals' as const, values: ['pro'] };

function asked(kind: KindName, given: object) {
  return insightOf(kind, schemas[kind].parse({ range: 'last_28_days', ...given }) as never, {});
}

function filterOf(kind: KindName, given: object, point: object, result: object = frame): unknown {
  const people = pointFilter(asked(kind, given), result as typeof frame, { kind, ...point } as Point);
  if (people !== null) expect(peopleQuery.safeParse(people).success).toBe(true);
  return people === null ? null : people.of;
}

it('says who is behind a point of a trend by what they did', () => {
  const series = [{ event: order, measure: 'persons' }];
  const point = { series: 0, value: '', interval: null };
  expect(filterOf('trends', { series }, point)).toEqual([{ did: order, times: 1, within: whole }]);
  expect(filterOf('trends', { series }, { ...point, interval: 1 })).toEqual([
    { did: order, times: 1, within: secondWeek },
  ]);
  const filters = { match: 'all', of: [isPro] };
  const breakdown = [
    { about: 'event', name: 'color' },
    { about: 'event', name: 'price', bins: { edges: [10, 20] } },
  ];
  const ofValue = { ...point, value: '["red","10..20"]' };
  const priced = (operator: string, value: number) => ({ about: 'event', name: 'price', operator, values: [value] });
  const result = { ...frame, edges: [null, [10, 20]] };
  const of = [
    isPro,
    { about: 'event', name: 'color', operator: 'equals', values: ['red'] },
    priced('gte', 10),
    priced('lt', 20),
  ];
  expect(filterOf('trends', { series, filters, breakdown }, ofValue, result)).toEqual([
    { did: { event: 'order', filters: { match: 'all', of } }, times: 1, within: whole },
  ]);
  const named = { series: [{ event: { event: null } }], breakdown: { about: 'name' } };
  expect(filterOf('trends', named, { ...point, value: 'order' })).toEqual([{ did: order, times: 1, within: whole }]);
});

it('says who is behind the first step, a recurring cohort and a state of the lifecycle', () => {
  const did = (within: object, not?: true) => ({ did: order, times: 1, within, ...(not && { not }) });
  expect(filterOf('funnel', { steps: [order, { event: 'paid' }] }, { step: 1, dropped: false })).toEqual([did(whole)]);
  const retention = { period: 'week', startEvent: order, returningEvent: order, kind: 'recurring', minCount: 3 };
  expect(filterOf('retention', retention, { cohort: 0, period: 1, value: '' })).toEqual([
    did(firstWeek),
    { ...did(secondWeek), times: 3 },
  ]);
  const states = { dormant: [did(firstWeek), did(secondWeek, true)], returning: [did(secondWeek), did(firstWeek)] };
  for (const [state, of] of Object.entries(states)) {
    expect(filterOf('lifecycle', { event: order }, { interval: 1, state })).toEqual(of);
  }
});

it.each<[KindName, object, object]>([
  ['trends', { series: [{ event: order }], include: ['bots'] }, { series: 0, value: '', interval: null }],
  ['trends', { series: [{ event: order }], segment: 4 }, { series: 0, value: '', interval: null }],
  ['trends', { series: [{ event: { event: null } }] }, { series: 0, value: '', interval: null }],
  ['trends', { series: [{ event: order, measure: 'wau' }] }, { series: 0, value: '', interval: 0 }],
  [
    'trends',
    { series: [{ event: order }], breakdown: { about: 'event', name: 'x' } },
    { series: 0, value: null, interval: null },
  ],
  ['funnel', { steps: [order, order] }, { step: 2, dropped: true }],
  ['retention', { startEvent: order, returningEvent: order }, { cohort: 0, period: null, value: '' }],
  ['stickiness', { event: order }, { intervals: 2 }],
])(
  'has no filter where none means the same people (%s, %j)',
  (kind, { segment, ...given }: { segment?: number }, point) => {
    const insight = asked(kind, given);
    const within = { ...insight, question: { ...insight.question, segment: segment ?? null } } as typeof insight;
    expect(pointFilter(within, frame, { kind, ...point } as Point)).toBeNull();
  },
);

it('keeps the funnel of paths in their address', () => {
  const funnel = asked('funnel', { steps: [order, { event: 'paid' }], filters: { match: 'all', of: [isPro] } });
  const paths = pathsAfter(funnel, { kind: 'funnel', step: 2, dropped: true });
  if (paths === null) throw new Error('a step has paths');
  const read = readInsight(new URL(insightAddress('/x', paths), 'http://here').searchParams);
  expect(inputOf(read)).toEqual(inputOf(paths));
  expect(schemas.paths.parse(inputOf(read)).after?.point).toEqual({ step: 2, dropped: true });
  expect(pathsAfter(funnel, { kind: 'funnel', step: 1, dropped: false, time: 2 })).toBeNull();
});
