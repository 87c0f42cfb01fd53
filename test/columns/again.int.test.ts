/** Questions asked again by an engine that keeps what it can, beside one that knows nothing, while events come, people change and are merged. */
import { type Columns, createColumns, type Measure, type TrendsQuery } from '#src/columns/columns.ts';
import type { Filters } from '#src/columns/contract.ts';
import type { People, PersonCriterion, Rules } from '#src/columns/filters/rules.ts';
import { dayMs } from '#src/kit/zone.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { sessionId } from '../insights/histories.ts';
import { all, HOUR, NOON, openScene, type Scene, type Told } from './scene.ts';

const database = useDatabase({ between: 'nothing' });

const DAYS = 8;
const PEOPLE = 10;
const END = NOON + 12 * HOUR;
const BEGIN = END - DAYS * dayMs;
const days = Array.from({ length: DAYS }, (_, day) => ({
  from: BEGIN + day * dayMs,
  until: BEGIN + (day + 1) * dayMs,
}));
const whole = { from: BEGIN, until: END };
const daily = {
  ...whole,
  windows: days,
  total: whole,
  cells: { count: 3, stretches: days.map((each, day) => ({ ...each, cell: day % 3 })) },
};
const sliding = { ...whole, windows: days.map(({ until }) => ({ from: until - 3 * dayMs, until })), total: whole };

const views: Rules = [{ names: ['$pageview'], filters: [] }];
const isPro: Filters = all({ about: 'person', name: 'plan', operator: 'equals', values: ['pro'] });
const ofPro: Rules = [{ names: ['$pageview'], filters: [isPro] }];
const measures: Measure[] = [
  'events',
  'persons',
  'visits',
  { eventsPerPerson: { quantile: 0.9 } },
  { property: 'amount', as: 'sum' },
  { property: 'amount', as: { quantile: 0.5 } },
];
const hasPro: PersonCriterion = { has: { about: 'person', name: 'plan', operator: 'equals', values: ['pro'] } };
const sets: People[] = [
  { match: 'all', of: [{ did: views, within: whole, least: 3 }] },
  { match: 'any', of: [hasPro, { not: true, did: views, within: whole, least: 6 }] },
  {
    match: 'all',
    of: [
      { ...hasPro, not: true },
      { match: 'any', of: [{ did: ofPro, within: whole, least: 1 }, hasPro] },
    ],
  },
  { match: 'any', of: [{ listed: { distinctIds: ['person 1', 'user 2'], persons: [] } }] },
  { match: 'all', of: [{ sequence: [views, views], within: whole, windowMs: dayMs }] },
];

/** Under each of these, all that is asked. */
async function answersOf(columns: Columns, projectId: number): Promise<unknown> {
  const scope = { projectId, filters: null, by: null, most: 2 };
  const byPath = { ...scope, by: { about: 'event', name: '$pathname' } } as const;
  const series = (rules: Rules, spans = [daily, sliding]) =>
    measures.map((measure) => ({ rules, measure, spans: measure === 'visits' ? spans.slice(0, 1) : spans }));
  const trends: TrendsQuery[] = [
    { ...scope, series: series(views) },
    { ...byPath, series: series(views, [daily]) },
    { ...scope, filters: isPro, series: series(views, [daily]) },
    { ...scope, series: [...series(ofPro, [daily]), ...series(views, [daily])] },
    ...sets.map((people) => ({ ...byPath, people, series: series(views, [daily]) })),
  ];
  const funnel = (people: People | null) =>
    columns.funnel({
      ...{ ...scope, people, span: whole, starts: [BEGIN], earlier: null, steps: [views, ofPro], optional: [] },
      ...{ order: 'ordered', windowMs: dayMs, exclusions: [], of: 'persons', attribution: 'first' },
    });
  const counted = (people: People) =>
    columns.series({ projectId, views: ['$pageview'], filters: null, people, spans: [{ ...whole, starts: [] }] });
  const found: unknown[] = [];
  for (const asked of trends) found.push(await columns.trends(asked));
  for (const people of [null, ...sets]) found.push(await funnel(people));
  for (const people of sets) found.push(await counted(people));
  return found;
}

const view = fc.record({
  person: fc.integer({ min: 0, max: PEOPLE - 1 }),
  day: fc.oneof(fc.constant(DAYS - 1), fc.integer({ min: 0, max: DAYS - 1 })),
  hour: fc.integer({ min: 0, max: 23 }),
  path: fc.constantFrom('/a', '/b', '/c', '/d'),
  amount: fc.constantFrom(1, 2.5, 40, 'much'),
  // The same visit goes on, over midnight, too.
  visitDay: fc.integer({ min: 0, max: 1 }),
});
type View = typeof view extends fc.Arbitrary<infer Each> ? Each : never;

const change = fc.oneof(
  fc.record({ views: fc.array(view, { minLength: 1, maxLength: 4 }) }),
  fc.record({ merged: fc.integer({ min: 0, max: PEOPLE - 1 }) }),
  fc.record({ plan: fc.constantFrom('pro', 'free'), of: fc.integer({ min: 0, max: PEOPLE - 1 }) }),
  fc.constant('seal' as const),
);

function told({ person, day, hour, path, amount, visitDay }: View): Told {
  return {
    ...{ distinctId: `person ${person}`, path, properties: { amount } },
    ts: BEGIN + day * dayMs + hour * HOUR,
    session: sessionId(`${person} ${Math.max(day - visitDay, 0)}`),
  };
}

async function happen(
  scene: Scene,
  what: typeof change extends fc.Arbitrary<infer Each> ? Each : never,
): Promise<void> {
  const identify = { event: '$identify', path: null, ts: END - HOUR };
  if (what === 'seal') await scene.columns.seal();
  else if ('views' in what) await scene.happened(...what.views.map(told));
  else if ('merged' in what)
    // Two people in turn become one.
    await scene.happened({
      ...identify,
      distinctId: `user ${what.merged >> 1}`,
      anonymousId: `person ${what.merged}`,
      session: sessionId('merge'),
    });
  else await scene.happened({ ...identify, distinctId: `person ${what.of}`, set: { plan: what.plan } });
}

it('are answered as if nothing was kept', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(view, { minLength: 60, maxLength: 80 }),
      fc.array(change, { minLength: 4, maxLength: 6 }),
      async (first, changes) => {
        const scene = await openScene(database.url);
        const keeping = createColumns(scene.deps, { threads: 0, closeAt: 1 });
        try {
          await scene.happened(...first.map(told));
          await happen(scene, { plan: 'pro', of: 1 });
          await scene.columns.seal();
          for (const what of [null, ...changes]) {
            if (what !== null) await happen(scene, what);
            const forgetful = createColumns(scene.deps, { threads: 0 });
            const wanted = await answersOf(forgetful, scene.project.id);
            await forgetful.stop();
            expect(await answersOf(keeping, scene.project.id)).toEqual(wanted);
            expect(await answersOf(keeping, scene.project.id)).toEqual(wanted);
          }
        } finally {
          await keeping.stop();
          await scene.close();
        }
      },
    ),
    { numRuns: 3, endOnFailure: true },
  );
});
