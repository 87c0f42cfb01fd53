/** A number is asked for its people as its kind takes it, over the same events as the answer that shows it. */
import { funnelPoint } from '#src/insights/kinds/funnel/contract.ts';
import { lifecyclePoint } from '#src/insights/kinds/lifecycle/contract.ts';
import { pathsPoint } from '#src/insights/kinds/paths/contract.ts';
import { retentionPoint } from '#src/insights/kinds/retention/contract.ts';
import { stickinessPoint } from '#src/insights/kinds/stickiness/contract.ts';
import { trendsPoint } from '#src/insights/kinds/trends/contract.ts';
import fc from '#test/kit/fast-check.ts';
import { readInsight } from '#views/insights/address.ts';
import { schemas } from '#views/insights/insight.ts';
import { peopleFileAddress, pointQuery } from '#views/insights/point-query.ts';
import type { Point } from '#views/insights/points.ts';
import { isAltered } from '#views/insights/trends/rows.ts';

const schemaOf = {
  trends: trendsPoint,
  funnel: funnelPoint,
  retention: retentionPoint,
  paths: pathsPoint,
  lifecycle: lifecyclePoint,
  stickiness: stickinessPoint,
};
const place = fc.integer({ min: 1, max: 9 });
const text = fc.option(fc.string({ maxLength: 20 }));
const kindOf = <Kind extends Point['kind']>(kind: Kind) => fc.constant(kind);
const point: fc.Arbitrary<Point> = fc.oneof(
  fc.record({ kind: kindOf('trends'), series: place, value: text, interval: fc.option(place) }),
  fc.record(
    {
      kind: kindOf('funnel'),
      step: place,
      dropped: fc.boolean(),
      value: text,
      interval: place,
      time: fc.option(place),
    },
    { requiredKeys: ['kind', 'step', 'dropped'] },
  ),
  fc.record({
    kind: kindOf('retention'),
    cohort: place,
    period: fc.option(place),
    value: fc.string({ maxLength: 20 }),
  }),
  fc.record({ kind: kindOf('paths'), step: place, from: text, to: text }),
  fc.record({ kind: kindOf('lifecycle'), interval: place, state: fc.constantFrom('new' as const, 'dormant' as const) }),
  fc.record({ kind: kindOf('stickiness'), intervals: place }),
);

it('asks what the kind takes, of the moment or of the dates of the answer', () => {
  const presets = fc.constantFrom('today', 'yesterday', 'last_28_days');
  fc.assert(
    fc.property(point, presets, fc.option(fc.nat()), fc.string(), (pressed, preset, until, search) => {
      const insight = readInsight(new URLSearchParams({ kind: pressed.kind, v: '1', range: preset }));
      const range = { from: 0, to: 9, fromDate: '2026-11-01', toDate: '2026-11-02', until };
      const asked = pointQuery(insight, { timeZone: 'UTC', range, starts: [0], interval: 'day' }, pressed);
      const { kind, ...own } = pressed;
      expect([schemaOf[kind].parse(asked.point), asked.asOf]).toEqual([own, until ?? undefined]);
      expect(schemas[kind].parse(asked.query)).toMatchObject(
        until === null ? { range: { from: '2026-11-01', to: '2026-11-02' } } : { range: preset },
      );
      const file = new URL(peopleFileAddress('1', asked, { search, sort: 'events' }), 'http://here').searchParams;
      const sent = ['input', 'point', 'options'].map((name) => JSON.parse(file.get(name) ?? ''));
      expect(sent).toEqual([
        asked.query,
        asked.point,
        JSON.parse(JSON.stringify({ asOf: asked.asOf, search, sort: 'events' })),
      ]);
    }),
    { numRuns: 200 },
  );
});

it('offers no people behind points that are summed up or smoothed', () => {
  expect([{}, { cumulative: false }, { cumulative: true }, { average: 7 }].map(isAltered)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
