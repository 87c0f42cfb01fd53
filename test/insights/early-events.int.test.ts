/** Events of dates that cannot be, sent with the public token: `all_time` says the same without them, and how many there are. */

import { createInsights, type Insights } from '#src/insights/insights.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Project } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { useEngine } from './engine.ts';
import { finishedEvent, sessionId } from './histories.ts';

const engine = useEngine(useDatabase({ between: 'nothing' }));
const NOW = Date.UTC(2026, 10, 19, 12);
const YEAR_1 = -62_135_596_800_000;
let insights: Insights;

beforeAll(() => {
  engine.deps.clock.set(NOW);
  insights = createInsights(engine.deps, { columns: engine.columns, changes: { version: () => null } });
});

const anything = { event: null };
/** A query of every kind. */
const asked = {
  overview: { compare: 'none' },
  breakdown: { dimension: 'page', limit: 8, compare: 'none' },
  heatmap: {},
  vitals: { vital: 'LCP' },
  goals: { compare: 'none' },
  trends: { series: [{ event: anything, measure: 'persons' }], limit: 25 },
  funnel: { steps: [anything, anything], order: 'ordered', limit: 25 },
  retention: { period: 'week', kind: 'recurring', startEvent: anything, returningEvent: anything, limit: 25 },
  paths: {},
} as const;

async function store(project: Project, times: readonly number[]): Promise<void> {
  await engine.events.store(
    times.map((ts, at) =>
      finishedEvent(project.id, {
        ...{ uuid: uuidV7(NOW), event: '$pageview', distinctId: `person ${at % 7}`, ts, bot: false },
        ...{ session: sessionId(`${ts}`), path: `/${at % 3}`, referringDomain: '$direct' },
      }),
    ),
  );
}

async function ask(project: Project, name: keyof typeof asked, range: unknown): Promise<Record<string, unknown>> {
  const kind = Object.entries(kinds).find(([each]) => each === name)?.[1] as typeof kinds.overview;
  const input = kind.input.parse({ range, ...asked[name] });
  return { ...(await insights.query(kind, { ...project, seesPersons: true }, input)) };
}

it.each(Object.keys(asked) as (keyof typeof asked)[])('%s', async (name) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: YEAR_1, max: Date.UTC(2000, 0, 1) - 1 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 60 }),
      async (early, days) => {
        const project = await engine.projects.create({ name, timeZone: 'UTC' });
        await store(project, [...early, ...Array.from({ length: days }, (_, day) => NOW - day * dayMs - 1)]);
        const from = new Date(NOW - days * dayMs + dayMs).toISOString().slice(0, 10);
        const answer = await ask(project, name, 'all_time');
        const wanted = await ask(project, name, { from, to: '2026-11-19' });
        const earlyEvents = early.length;
        // The range of a table is not part of its answer, but its beginning.
        const noted =
          name === 'breakdown'
            ? { earlyEvents, fromDate: from }
            : { range: { ...(wanted['range'] as object), earlyEvents } };
        expect(answer).toEqual({ ...wanted, ...noted });
      },
    ),
    { numRuns: 4 },
  );
});

it('begins after a few events that a gap parts from a hundred times as many', async () => {
  const project = await engine.projects.create({ name: 'gap', timeZone: 'UTC' });
  await store(project, [Date.UTC(2011, 0, 1)]);
  const earlyDates = async () => (await ask(project, 'overview', 'all_time'))['range'];
  const others = Array.from({ length: 100 }, (_, at) => NOW - at * 60_000);
  await store(project, others.slice(1));
  expect(await earlyDates()).toMatchObject({ fromDate: '2011-01-01' });
  expect(await earlyDates()).not.toHaveProperty('earlyEvents');
  await store(project, others.slice(0, 1));
  expect(await earlyDates()).toMatchObject({ fromDate: '2026-11-19', earlyEvents: 1 });
});
