/**
 * Groups such as companies: counted, followed, filtered and told apart. For the plain reference a group is a person: its events are those of one id.
 * Also what a visit says of each of its events.
 */
import { sessionFields } from '#src/columns/values.ts';
import type { InsightKind, QueryInput } from '#src/insights/define.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import { createQueryCache } from '#src/insights/query/cache.ts';
import { runPointGroups } from '#src/insights/query/point-groups.ts';
import { runQuery } from '#src/insights/query/run-query.ts';
import type { QueryScope } from '#src/insights/query/scope.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { useEngine } from '../engine.ts';
import { type Case, cases, dated, finishedEvent, numbers, texts, withRareProperties } from '../histories.ts';
import { type Happened, Reference, type Wish, type Wishes } from '../reference.ts';
import {
  type ExplainedRow,
  expectFunnelRows,
  expectPathsRows,
  expectRetentionRows,
  expectTrendsRows,
  explaining,
} from './explained.ts';
import { lifecyclePeopleOf, stickyPeopleOf } from './reference-activity.ts';
import { attemptsOf, cohortPeopleOf, transitionsOf } from './reference-follow.ts';
import { countedBy, daysUpTo, eventsOf, figureOf, type Rule, rankedValues, saidBy } from './reference-trends.ts';

const database = useDatabase({ between: 'nothing' });
const engine = useEngine(database);

/** More of them find what is rare: `MODEL_RUNS=300`. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 4);

/** By key. The last was never described. */
const companies: Record<string, Record<string, string | number>> = {
  acme: { plan: 'pro', seats: 12, since: '2026-11-20' },
  '7': { plan: 7, seats: '9.5', since: '2018-11-04T03:00:00Z' },
  'São João & Cia': {},
};

/** Some events belong to a company, whoever did them. */
function companyOf({ uuid }: Happened): NonNullable<Happened['company']> | null {
  const key = [...Object.keys(companies), null][Number.parseInt(uuid.slice(0, 4), 16) % 4] ?? null;
  return key === null ? null : { $group_key: key, ...companies[key] };
}

const NONE = 'no company';
const isCompany = (person: string) => person !== `person of ${NONE}`;
/** The keys of persons of the reference, in order. */
const keysOf = (people: readonly string[] = []) => people.map((person) => person.replace('person of ', '')).toSorted();

/** The same history, in which companies act. */
function ofCompanies(history: readonly Happened[]): Happened[] {
  return history.map(({ anonymousId: _, ...each }) => {
    const company = companyOf(each);
    return { ...each, company, distinctId: company === null ? NONE : `${company['$group_key']}` };
  });
}

async function arrange({ question, history, batches, seals }: Case): Promise<QueryScope> {
  const { timeZone, weekStart, now } = question;
  engine.deps.clock.set(now);
  const project = await engine.projects.create({ name: 'groups', timeZone, weekStart });
  for (const [key, properties] of Object.entries(companies).slice(0, 2)) {
    await database.query(
      `insert into groups (project_id, type_index, key, properties, created_at)
       values (${project.id}, 0, '${key}', '${JSON.stringify(properties)}', now())`,
    );
  }
  for (let at = 0, batch = 0; at < history.length; batch++) {
    const some = history.slice(at, at + (batches[batch % batches.length] as number));
    const events = some.map((each, place) => {
      const event = { ...finishedEvent(project.id, each), receivedAt: now + at + place };
      const key = companyOf(each)?.['$group_key'];
      return key === undefined ? event : { ...event, properties: { ...event.properties, $group_0: key } };
    });
    await engine.events.store(batches.length % 2 === 0 ? events.map(withRareProperties) : events);
    at += some.length;
    if (seals[batch % seals.length]) await engine.columns.seal();
  }
  return { ...project, seesPersons: true };
}

function parts() {
  const { columns, deps } = engine;
  const cache = createQueryCache(deps.clock, { version: () => null });
  const goals = { get: async () => null, use: async () => null, list: async () => [] };
  return { clock: deps.clock, columns, goals, cache };
}

function query<Input extends QueryInput, Result>(
  kind: InsightKind<string, Input, Result>,
  project: QueryScope,
  input: unknown,
): Promise<Result> {
  return runQuery(parts(), kind, project, kind.input.parse(input) as Input);
}

/** The rows of the statement that explains a query, with the types of the database. */
async function explainedRows<Input extends QueryInput>(
  kind: InsightKind<string, Input, unknown>,
  project: QueryScope,
  input: unknown,
): Promise<ExplainedRow[]> {
  const { sql } = await query(explaining(kind), project, input);
  return database.query<ExplainedRow>(sql as string);
}

/** Keys of the groups behind a number, in order. */
async function groupsBehind<Input extends QueryInput>(
  kind: InsightKind<string, Input, unknown>,
  project: QueryScope,
  input: unknown,
  point: object,
) {
  const found = await runPointGroups(parts(), kind, project, kind.input.parse(input) as Input, point);
  return { value: found.value, keys: found.keys.toSorted() };
}

const condition = fc
  .tuple(
    fc.constantFrom('$group_key', 'plan', 'plan', 'seats', 'since'),
    fc.constantFrom(...texts, ...texts, ...numbers, ...dated.slice(0, 40)),
  )
  .map(([name, asked]) => ({ about: 'group_0', name, ...asked }) as Wish);
const wishes: fc.Arbitrary<Wishes> = fc.record({
  match: fc.constantFrom('all' as const, 'any' as const),
  of: fc.array(condition, { minLength: 1, maxLength: 2 }),
});
const rules = fc
  .tuple(fc.constantFrom('$pageview', 'ping', null), fc.option(wishes, { freq: 2, nil: undefined }))
  .map(([event, filters]): Rule[] => [{ event, ...(filters && { filters }) }]);

function isAsked({ interval, question }: Case): boolean {
  if (interval === 'hour') return ['today', 'yesterday', 'last_24_hours'].includes(String(question.preset));
  return interval !== 'day' || !['this_year', 'last_12_months'].includes(String(question.preset));
}

/** @param filters instead of those of the case */
async function ready(given: Case, filters: Wishes | undefined) {
  fc.pre(isAsked(given));
  const project = await arrange(given);
  const { filters: _, ...question } = given.question;
  const asked = { ...question, ...(filters && { filters }) };
  const reference = new Reference(ofCompanies(given.history), asked);
  const { preset: range, include } = asked;
  return { project, reference, scope: { range, ...(filters && { filters }), ...(include && { include }) } };
}

const divisions = fc.constantFrom<Pick<Wish, 'about' | 'name'>>(
  ...['$group_key', 'plan', 'seats'].map((name) => ({ about: 'group_0' as const, name })),
  ...sessionFields.flatMap((name) =>
    ['language', 'timeZone', 'utmTerm', 'utmContent'].includes(name) ? [] : { about: 'session' as const, name },
  ),
);

/** Measures of groups: unique ones, first events, events of each. */
const measures = fc.constantFrom<object>(
  { measure: 'group_0' },
  ...['firstEver', 'firstMatching', { eventsPerPerson: 'mean' }, { eventsPerPerson: 'p90' }].map((measure) => ({
    measure,
    per: 'group_0',
  })),
);

it('trends: groups with an event, filtered and by properties of groups and visits', async () => {
  await fc.assert(
    fc.asyncProperty(
      cases,
      rules,
      fc.option(wishes, { nil: undefined }),
      fc.option(divisions, { freq: 4 }),
      measures,
      async (given, any, filters, division, counted) => {
        const { measure } = counted as { measure: 'firstEver' | { eventsPerPerson: string } };
        const { project, reference, scope } = await ready(given, filters);
        const input = {
          ...scope,
          interval: given.interval,
          series: [{ event: { any }, ...counted }],
          ...(division && { breakdown: division }),
          limit: 2,
        };
        const found = await query(kinds.trends, project, input);
        expectTrendsRows(await explainedRows(kinds.trends, project, input), found, []);
        const by = division && ((each: Happened) => `${reference.saying(each, division) ?? ''}`);
        // Values rank by events, whosever they are; those of first events by these.
        const isOfFirsts = typeof measure === 'string' && measure.startsWith('first');
        const all = countedBy(reference, any, measure, isOfFirsts ? isCompany : undefined);
        const current = all.filter(({ ts }) => reference.current(ts));
        const wanted =
          by === null
            ? ['']
            : rankedValues(
                current.map((each) => saidBy(each, by)),
                2,
              );
        const rows = found.series[0]?.rows ?? [];
        expect(rows.map(({ value }) => value)).toEqual(wanted);
        for (const { value, total, points } of rows) {
          const own = all.filter((each) =>
            value === null ? !wanted.includes(saidBy(each, by)) : value === saidBy(each, by),
          );
          const keysIn = (isWhen: (ts: number) => boolean) =>
            [...new Set(own.filter(({ ts }) => isWhen(ts)).map(({ distinctId }) => distinctId))]
              .filter((key) => key !== NONE)
              .toSorted();
          const figureIn = (isWhen: (ts: number) => boolean) => {
            const events = own.filter(({ ts, distinctId }) => isWhen(ts) && distinctId !== NONE);
            return typeof measure === 'object' ? figureOf(reference, events, measure) : keysIn(isWhen).length;
          };
          const close = (found: number | null) => found && Number(found.toPrecision(10));
          expect(close(total)).toBe(close(figureIn(reference.current)));
          for (const [at, start] of found.starts.entries()) {
            const point = points[at] ?? null;
            expect(close(point ?? 0)).toBe(close(figureIn(reference.bucket(found.interval, start)) ?? 0));
          }
          expect(await groupsBehind(kinds.trends, project, input, { series: 0, value })).toEqual({
            value: total,
            keys: keysIn(reference.current),
          });
        }
      },
    ),
    { numRuns: RUNS * 2, endOnFailure: true },
  );
});

it('funnels and retention of groups', async () => {
  const wish = fc.record({
    order: fc.constantFrom('ordered' as const, 'strict' as const, 'any' as const),
    kind: fc.constantFrom('firstEver' as const, 'firstMatching' as const, 'recurring' as const),
    hours: fc.constantFrom(24, 24 * 14),
  });
  await fc.assert(
    fc.asyncProperty(cases, rules, rules, wish, async (given, one, other, { order, kind, hours }) => {
      const { project, reference, scope } = await ready(given, undefined);
      const steps = [one, other];
      const funnel = {
        ...scope,
        order,
        per: 'group_0',
        conversionWindow: { count: hours, unit: 'hour' },
        steps: steps.map((any) => ({ any })),
      };
      const found = await query(kinds.funnel, project, funnel);
      expectFunnelRows(await explainedRows(kinds.funnel, project, funnel), found);
      const windowMs = hours * 3_600_000;
      const { attempts } = attemptsOf(
        reference,
        { steps, order, per: 'persons', windowMs, exclusions: [] },
        isCompany,
        found.range.until ?? found.range.to,
      );
      expect(found.total.steps.map(({ count }) => count)).toEqual(
        steps.map((_, step) => attempts.filter((attempt) => attempt[step] !== null).length),
      );
      const converted = attempts.filter((attempt) => attempt[1] !== null);
      expect(await groupsBehind(kinds.funnel, project, funnel, { step: 2 })).toEqual({
        value: converted.length,
        keys: converted.map(([first]) => first?.distinctId).toSorted(),
      });
      const retention = {
        ...scope,
        kind,
        period: given.interval,
        per: 'group_0',
        startEvent: { any: one },
        returningEvent: { any: other },
      };
      const answer = await query(kinds.retention, project, retention);
      expectRetentionRows(await explainedRows(kinds.retention, project, retention), answer);
      const { rows, starts } = answer;
      const asked = { start: one, back: other, kind, least: 1, rolling: false, period: given.interval };
      const wanted = cohortPeopleOf(reference, asked, starts, isCompany, null, '');
      expect(rows[0]?.cohorts ?? []).toEqual(
        wanted.map(({ began, back }) => ({ size: began.length, returned: back.map(({ length }) => length) })),
      );
      const cohort = Math.max(
        wanted.findIndex(({ began }) => began.length > 0),
        0,
      );
      expect((await groupsBehind(kinds.retention, project, retention, { cohort })).keys).toEqual(
        keysOf(wanted[cohort]?.began),
      );
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

it('active groups and paths of groups', async () => {
  const wish = fc.record({
    of: fc.constantFrom('pages' as const, 'events' as const, 'all' as const),
    isAfter: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(cases, rules, wish, async (given, any, { of, isAfter }) => {
      const { project, reference, scope } = await ready(given, undefined);
      const days = { dau: 1, wau: 7, mau: 30 };
      const series = Object.keys(days).map((measure) => ({ event: { any }, measure, per: 'group_0' }));
      const active = await query(kinds.trends, project, { ...scope, interval: given.interval, series });
      expectTrendsRows(
        await explainedRows(kinds.trends, project, { ...scope, interval: given.interval, series }),
        active,
        [],
      );
      const all = eventsOf(reference, any, isCompany);
      for (const [at, length] of Object.values(days).entries()) {
        for (const [index, start] of active.starts.entries()) {
          if ((active.running ?? index) < index) continue;
          const isWhen = daysUpTo(reference, active.starts[index + 1] ?? active.range.to, length);
          const keys = new Set(all.filter(({ ts }) => isWhen(ts)).map(({ distinctId }) => distinctId));
          expect([at, start, active.series[at]?.rows[0]?.points[index] ?? 0]).toEqual([at, start, keys.size]);
        }
      }
      const steps = [[{ event: '$pageview' }], [{ event: 'ping' }]];
      const funnel = {
        steps: steps.map(([step]) => step),
        per: 'group_0',
        conversionWindow: { count: 24, unit: 'hour' },
      };
      const input = {
        ...scope,
        stepType: of,
        per: 'group_0',
        limit: 1000,
        ...(isAfter && { after: { funnel, point: { step: 1 } } }),
      };
      const found = await query(kinds.paths, project, input);
      expectPathsRows(await explainedRows(kinds.paths, project, input), found);
      const windowMs = 86_400_000;
      const { attempts } = attemptsOf(
        reference,
        { steps, order: 'ordered', per: 'persons', windowMs, exclusions: [] },
        isCompany,
        0,
      );
      const starts = attempts.flatMap(([first]) =>
        first ? { person: reference.personOf(first.distinctId), since: first.ts } : [],
      );
      const asked = { of, length: 5, grouped: [], excluded: [] };
      const wanted = transitionsOf(reference, asked, isCompany, isAfter ? starts : null);
      expect([found.paths, found.starts]).toEqual([wanted.paths, isAfter ? starts.length : null]);
      expect(
        new Map(found.edges.map(({ step, from, to, count }) => [[step, from, to].join(' '), count] as const)),
      ).toEqual(new Map([...wanted.edges].map(([key, [count]]) => [key, count] as const)));
      for (const { step, from, to, count } of found.edges.slice(0, 2)) {
        const behind = wanted.people.get([step, from, to].join(' '));
        expect(await groupsBehind(kinds.paths, project, input, { step, from, to })).toEqual({
          value: count,
          keys: keysOf([...(behind?.keys() ?? [])]),
        });
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

/** The rows of the statement that explains a query. */
async function explained<Input extends QueryInput>(
  kind: InsightKind<string, Input, unknown>,
  project: QueryScope,
  input: unknown,
): Promise<Record<string, number>[]> {
  const rows = await explainedRows(kind, project, input);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])));
}

it('stickiness and lifecycle of groups, as their statements have them', async () => {
  await fc.assert(
    fc.asyncProperty(cases, rules, fc.option(wishes, { nil: undefined }), async (given, did, filters) => {
      const { project, reference, scope } = await ready(given, filters);
      const { interval } = given;
      const input = { ...scope, interval, per: 'group_0', event: { any: did } };
      const sticky = await query(kinds.stickiness, project, input);
      const wish = { rules: did, interval, minCount: 1 };
      const wanted = stickyPeopleOf(reference, wish, sticky.people.length, isCompany);
      expect(sticky.people).toEqual(wanted.map(({ length }) => length));
      expect(
        (await explained(kinds.stickiness, project, input)).toSorted(
          (a, b) => (a['intervals'] ?? 0) - (b['intervals'] ?? 0),
        ),
      ).toEqual(wanted.flatMap(({ length }, at) => (length === 0 ? [] : { intervals: at + 1, people: length })));
      expect(await groupsBehind(kinds.stickiness, project, input, { intervals: 1 })).toEqual({
        value: wanted[0]?.length ?? 0,
        keys: keysOf(wanted[0]),
      });
      const cycle = await query(kinds.lifecycle, project, input);
      const states = lifecyclePeopleOf(reference, wish, cycle.starts, isCompany);
      const shown = states.map((each, at) => ({
        new: each.new.length,
        returning: each.returning.length,
        resurrecting: each.resurrecting.length,
        dormant: at === cycle.running ? null : each.dormant.length,
      }));
      expect(
        cycle.starts.map((_, at) => ({
          new: cycle.new[at],
          returning: cycle.returning[at],
          resurrecting: cycle.resurrecting[at],
          dormant: cycle.dormant[at],
        })),
      ).toEqual(shown);
      const rows = await explained(kinds.lifecycle, project, input);
      expect(
        rows.map(({ interval: _, dormant, ...row }, at) => ({
          ...row,
          dormant: at === cycle.running ? null : dormant,
        })),
      ).toEqual(shown);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
