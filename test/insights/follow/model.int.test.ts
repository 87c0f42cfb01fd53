/** Questions that follow people over time: equal to the plain reference implementations, whatever happened and whatever is asked. */
import fc from 'fast-check';
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createAnswers } from '#src/insights/answers.ts';
import type { TrendsInput } from '#src/insights/follow/contract.ts';
import { createFollow, type Follow } from '#src/insights/follow/follow.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Project, type Projects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { type Case, cases, finishedEvent, wishes } from '../histories.ts';
import { Reference } from '../reference.ts';
import { daysUpTo, eventsOf, figureOf, type Measure, type Rule, saidBy, valuesOf } from './reference-trends.ts';

const database = useDatabase({ between: 'nothing' });
let deps: TestDeps;
let projects: Projects;
let events: Events;
let columns: Columns;
let follow: Follow;

beforeAll(async () => {
  deps = testDeps(database.url);
  projects = createProjects(deps);
  columns = createColumns(deps, { threads: 0 });
  events = createEvents(deps, { persons: createPersons(deps), projects });
  const answers = createAnswers(deps.clock, { version: () => null });
  follow = createFollow({ columns, answers, clock: deps.clock, goals: { get: async () => null } });
});

afterAll(async () => {
  await events.stop();
  await deps.close();
});

/** More of them find what is rare: `MODEL_RUNS=300`. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 30);

/** Stores the history in a project of its own; what is received later is told later. */
async function arrange({ question, history, batches, seals }: Case): Promise<Project> {
  const { timeZone, weekStart, now } = question;
  deps.clock.set(now);
  const project = await projects.create({ name: 'follow', timeZone, weekStart });
  for (let at = 0, batch = 0; at < history.length; batch++) {
    const some = history.slice(at, at + (batches[batch % batches.length] as number));
    const first = at;
    await events.store(
      some.map((each, place) => ({ ...finishedEvent(project.id, each), receivedAt: now + first + place })),
    );
    at += some.length;
    if (seals[batch % seals.length]) await columns.seal();
    if (seals[batch % seals.length] && batch === 1) await columns.tend();
  }
  return project;
}

const rule: fc.Arbitrary<Rule> = fc.record(
  {
    event: fc.constantFrom('$pageview', '$screen', '$autocapture', 'ping', '$identify', 'never', null),
    filters: wishes,
  },
  { requiredKeys: ['event'] },
);
const rules = fc.array(rule, { minLength: 1, maxLength: 2 });

const breakdowns = fc.constantFrom(null, '$pathname', '$browser', 'plan', 'name');

function breakdownOf(by: string | null): Pick<TrendsInput, 'breakdown'> {
  if (by === null) return {};
  return { breakdown: by === 'name' ? { about: 'name' } : { about: 'event', name: by } };
}

function expectClose(found: number | null | undefined, wanted: number | null): void {
  if (wanted === null || found === null || found === undefined) expect(found).toBe(wanted);
  else expect(found).toBeCloseTo(wanted, 6);
}

/** What every question asks: when, of what, with what taken in. */
function scopeOf({ question }: Case) {
  const { preset, filters, include } = question;
  return { range: preset, ...(filters && { filters }), ...(include && { include }) } as Pick<
    TrendsInput,
    'range' | 'filters' | 'include'
  >;
}

const measures = fc.constantFrom<Measure>(
  ...['events', 'persons', 'visits', 'dailyActive', 'weeklyActive', 'monthlyActive'],
  ...['mean', 'max', 'median', 'p90'].map((eventsPerPerson) => ({ eventsPerPerson })),
  ...['sum', 'mean', 'min', 'p75', 'p99'].map((as) => ({ property: 'plan', as })),
);
const activeDays: Record<string, number> = { dailyActive: 1, weeklyActive: 7, monthlyActive: 30 };

it('trends', async () => {
  const series = fc.array(fc.record({ rules, measure: measures }), { minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(cases, series, breakdowns, fc.integer({ min: 1, max: 3 }), async (given, asked, by, most) => {
      const project = await arrange(given);
      const reference = new Reference(given.history, given.question);
      const found = await follow.trends(project, {
        ...scopeOf(given),
        ...{ compare: given.question.compare, interval: given.interval, most },
        ...breakdownOf(by),
        series: asked.map(({ rules: any, measure }) => ({ of: { any }, measure })),
      } as TrendsInput);
      for (const [at, { rules: any, measure }] of asked.entries()) {
        const all = eventsOf(reference, any);
        const { rows, values } = found.series[at] as (typeof found.series)[number];
        const current = all.filter(({ ts }) => reference.current(ts));
        const wanted = valuesOf(current, by, most);
        expect(rows.map(({ value }) => value)).toEqual(wanted);
        expect(values).toBe(by === null ? 1 : new Set(current.map((each) => saidBy(each, by))).size);
        const days = typeof measure === 'string' ? activeDays[measure] : undefined;
        for (const { value, total, course, before, comparisonCourse, ignored } of rows) {
          const own = all.filter((each) =>
            value === null ? !wanted.includes(saidBy(each, by)) : value === saidBy(each, by),
          );
          const numbersIn = (filter: (ts: number) => boolean) =>
            figureOf(
              reference,
              own.filter(({ ts }) => filter(ts)),
              measure,
            );
          if (days === undefined) expectClose(total, numbersIn(reference.current));
          const isSaid = typeof measure === 'object' && 'property' in measure;
          const words = own.filter(({ ts, plan }) => reference.current(ts) && Number.isNaN(Number(plan ?? 0)));
          expect(ignored).toBe(isSaid ? words.length : 0);
          for (const [index, start] of found.starts.entries()) {
            const figure = course[index] ?? null;
            const bucket = reference.bucket(found.interval, start);
            const end = found.starts[index + 1] ?? found.range.to;
            if (days !== undefined && (found.interval === 'hour' || (found.running ?? index) < index)) continue;
            const wantedFigure = numbersIn(days === undefined ? bucket : daysUpTo(reference, end, days));
            if (figure === null) expect(wantedFigure ?? 0).toBe(0);
            else expectClose(figure, wantedFigure);
            if (comparisonCourse === null || days !== undefined) continue;
            const earlier = numbersIn(reference.comparedBucket(found.interval, start));
            if ((comparisonCourse[index] ?? null) === null) expect(earlier ?? 0).toBe(0);
            else expectClose(comparisonCourse[index], earlier);
          }
          if (days === undefined && reference.before !== null && before !== null) {
            expectClose(before, numbersIn(reference.before));
          }
        }
      }
    }),
    { numRuns: RUNS },
  );
}, 60_000);
