/**
 * The list by last event, held against the plain rows: whatever happened to people, however few are shown at a time, and in whichever way the latest are
 * looked for.
 */

import { type Columns, createColumns } from '#src/columns/columns.ts';
import { createHistory } from '#src/events/history.ts';
import { createInsights } from '#src/insights/insights.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { PeopleQuery } from '#src/profiles/contract.ts';
import type { ListLimits } from '#src/profiles/people-list.ts';
import { createProfiles, type Profiles } from '#src/profiles/profiles.ts';
import type { Project } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import fc from '#test/kit/fast-check.ts';
import { identify, MINUTE, openPeople, type PeopleScene, TEST_TIME, type Told } from './scene.ts';

const database = useDatabase({ between: 'nothing' });
const DAY = 1_440 * MINUTE;
const MIDNIGHT = TEST_TIME - (TEST_TIME % DAY);
const ids = ['ana', 'bia', 'caio', 'duda', 'enzo', 'fabi', 'gil', 'hugo'];
const by = { id: 1, name: 'Ada' };

let scene: PeopleScene;
let columns: Columns;
/** How often the columns answered, and how often they could not. */
const asked = { told: 0, refused: 0 };
let project: Project;
/**
 * The latest events gone through; everybody looked up; days gone through, of those who are told apart, of all, and by somebody who is never
 * given the time for a second step; the same two where columns never tell.
 */
let ways: Record<'byEvents' | 'oneByOne' | 'fewByDays' | 'byDays' | 'inHaste' | 'byRows' | 'byRowsInHaste', Profiles>;

beforeAll(async () => {
  scene = await openPeople(database.url);
  columns = createColumns(scene.deps, { threads: 0, closeAt: 1, lastSeen: { rows: 3, people: 2, outdated: 4 } });
  const { deps, people, projects } = scene;
  const insights = createInsights(deps, { columns, changes: { version: () => null } });
  const lastSeen: Columns['lastSeen'] = async (question) => {
    const found = await columns.lastSeen(question);
    asked[found === null ? 'refused' : 'told']++;
    return found;
  };
  const never: Columns['lastSeen'] = async () => null;
  const way = (
    limits: Partial<ListLimits>,
    { clock = deps.clock, told = true }: { clock?: Clock; told?: boolean } = {},
  ) =>
    createProfiles(
      { ...deps, clock },
      {
        people,
        history: createHistory(deps),
        columns: { ...columns, lastSeen: told ? lastSeen : never },
        projects,
        insights,
      },
      { limits: { page: 3, single: 0, ordered: 0, stretches: 0, step: 2, ...limits } },
    );
  let elapsed = 0;
  const hurried: Clock = { now: deps.clock.now, elapsed: () => (elapsed += MINUTE) };
  ways = {
    byEvents: way({ stretches: 1 }),
    oneByOne: way({ ordered: 1_000, single: 1_000 }),
    fewByDays: way({ ordered: 1_000 }),
    byDays: way({}),
    inHaste: way({}, { clock: hurried }),
    byRows: way({}, { told: false }),
    byRowsInHaste: way({}, { told: false, clock: hurried }),
  };
  await database.query(
    `insert into users (id, uuid, email, email_key, name, language, time_zone, created_at) overriding system value
     values (1, gen_random_uuid(), 'a@b.example', 'a@b.example', 'Ada', 'en', 'UTC', '2026-01-01')`,
  );
});
afterAll(async () => {
  await columns.stop();
  await scene.close();
});

const id = fc.constantFrom(...ids);
/** Of five days, many of one moment, some at the edges of days; what is told later may be of earlier. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(0, 1, MINUTE, DAY - 1))
  .map(([ago, after]) => MIDNIGHT - ago * DAY + after);
const told: fc.Arbitrary<Told> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ id, ts: moment }).map((each) => ({ ...each, person: { process: false } })) },
  {
    weight: 4,
    arbitrary: fc
      .record({ id, ts: moment, plan: fc.constantFrom('pro', 'pro', 'free') })
      .map(({ plan, ...each }) => ({ ...each, person: { set: { plan } } })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(id, id, moment).map(([one, other, ts]) => identify(one, other, ts, { plan: 'pro' })),
  },
);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.array(told, { minLength: 1, maxLength: 12 }).map((events) => ({ events })) },
  { weight: 3, arbitrary: fc.constantFrom<'seal' | 'tend' | 'ask'>('seal', 'tend', 'ask').map((does) => ({ does })) },
  { weight: 1, arbitrary: id.map((split) => ({ split })) },
  { weight: 1, arbitrary: id.map((erase) => ({ erase })) },
  { weight: 3, arbitrary: moment.map((alone) => ({ alone })) },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

async function take(what: Step): Promise<void> {
  if ('events' in what) await scene.tell(...what.events.map((each) => ({ ...each, of: project })));
  else if ('split' in what) await split(what.split);
  else if ('erase' in what) await erase(what.erase);
  else if ('alone' in what) await addAlone(what.alone);
  else if (what.does === 'seal') await columns.seal();
  else if (what.does === 'tend') await columns.runMaintenance();
  // So that rows that are not sealed are kept.
  else for (let again = 0; again < 2; again++) await walk(ways.byDays, { everybody: true });
}

async function ownerOf(distinctId: string) {
  const found = await scene.people.ofDistinctId(project.id, distinctId);
  return found && (await scene.people.current(project.id, [found.person]));
}

async function split(distinctId: string): Promise<void> {
  const person = await ownerOf(distinctId);
  if (!person || person.distinctIds.length < 2) return;
  await ways.byDays.splits.split(project.id, { person: person.uuid, distinctId }, by, async () => undefined);
}

async function erase(distinctId: string): Promise<void> {
  const person = await ownerOf(distinctId);
  if (!person) return;
  const { persons } = await scene.people.identityOf(project.id, [person.number]);
  await database.query('delete from events where project_id = $1 and person = any($2)', [project.id, persons]);
  await scene.people.erase(scene.deps.write, project.id, persons);
}

/** Somebody without an event, as when those were deleted for their age. */
async function addAlone(createdAt: number): Promise<void> {
  await database.query(
    `insert into persons (project_id, number, uuid, has_profile, created_at, properties)
     select $1, greatest(100000, max(number) + 1), gen_random_uuid(), true, to_timestamp($2 / 1000.0), '{"plan": "pro"}' from persons where project_id = $1`,
    [project.id, createdAt],
  );
}

/** Everybody who is shown, page after page, and when they were seen last or how many events of theirs are in the range. */
async function walk(profiles: Profiles, asked: Partial<PeopleQuery>): Promise<[string, number | null][]> {
  const found: [string, number | null][] = [];
  let after: PeopleQuery['after'];
  let pages = 0;
  do {
    const page = await profiles.list(project.id, { everybody: false, sort: 'seen', ...asked, after });
    found.push(
      ...page.rows.map(({ uuid, lastSeen, did }) => [uuid, did?.events ?? lastSeen] as [string, number | null]),
    );
    after = page.next ?? undefined;
    expect(++pages).toBeLessThan(100);
  } while (after);
  return found;
}

/** The project's zone is three hours behind; whole days of it. */
const RANGE = { from: dateOf(MIDNIGHT - 3 * DAY), to: dateOf(MIDNIGHT - DAY) };
const SPAN = [MIDNIGHT - 3 * DAY + 180 * MINUTE, MIDNIGHT + 180 * MINUTE] as const;

function dateOf(ts: number): string {
  return new Date(ts).toISOString().slice(0, 10);
}

/** Who is wanted, by how many events of theirs are in the range: those without one at the end, the newest first. */
async function expectedByEvents(isWanted: (person: Known) => boolean): Promise<[string, number][]> {
  const { persons, intoOf, events } = await rows();
  const counts = new Map<number, number>();
  for (const { person, at } of events) {
    const now = intoOf.get(person) ?? person;
    if (at >= SPAN[0] && at < SPAN[1]) counts.set(now, (counts.get(now) ?? 0) + 1);
  }
  const countOf = ({ number }: Known) => counts.get(number) ?? 0;
  const order = (one: Known, other: Known) =>
    countOf(other) - countOf(one) ||
    (countOf(one) === 0 ? other.createdAt - one.createdAt : 0) ||
    other.number - one.number;
  return persons
    .filter(isWanted)
    .sort(order)
    .map((person) => [person.uuid, countOf(person)]);
}

interface Known {
  number: number;
  uuid: string;
  hasProfile: boolean;
  plan: string | null;
  createdAt: number;
}

/** Whoever is wanted, and when each was seen last, by the rows alone: those of whom there is no event at the end, the newest first. */
async function expected(isWanted: (person: Known) => boolean): Promise<[string, number | null][]> {
  const { persons, intoOf, events } = await rows();
  const last = new Map(events.map(({ person, at }) => [intoOf.get(person) ?? person, at]));
  const wanted = persons.filter(isWanted);
  const listed = (some: Known[], timeOf: (person: Known) => number) =>
    some.sort((one, other) => timeOf(other) - timeOf(one) || other.number - one.number);
  const seen = listed(
    wanted.filter(({ number }) => last.has(number)),
    ({ number }) => last.get(number) as number,
  );
  const others = listed(
    wanted.filter(({ number }) => !last.has(number)),
    ({ createdAt }) => createdAt,
  );
  alone.met += others.length;
  return [...seen, ...others].map(({ number, uuid }) => [uuid, last.get(number) ?? null]);
}

/** What is stored, as it is. */
async function rows() {
  const persons = await database.query<Known>(
    `select number, uuid, has_profile as "hasProfile", properties ->> 'plan' as plan, (extract(epoch from created_at) * 1000)::float8 as "createdAt"
       from persons where project_id = $1 and not merged`,
    [project.id],
  );
  const merges = await database.query<{ from: number; into: number }>(
    'select old_person as "from", new_person as "into" from person_overrides where project_id = $1',
    [project.id],
  );
  const events = await database.query<{ person: number; at: number }>(
    'select person, (extract(epoch from ts) * 1000)::float8 as at from events where project_id = $1 order by ts',
    [project.id],
  );
  return { persons, events, intoOf: new Map(merges.map(({ from, into }) => [from, into])) };
}

/** How many without an event were wanted. */
const alone = { met: 0 };

const questions: [Partial<PeopleQuery>, (person: Known) => boolean][] = [
  [{ everybody: true }, () => true],
  [{ search: 'pro' }, ({ hasProfile, plan }) => hasProfile && plan === 'pro'],
  [{ property: { name: 'plan', operator: 'equals', value: 'pro' }, everybody: true }, ({ plan }) => plan === 'pro'],
];

it('gives all people in the same order in every way, for any history', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(told, { minLength: 8, maxLength: 30 }),
      fc.array(step, { minLength: 2, maxLength: 8 }),
      async (first, steps) => {
        project = await scene.projects.create({ name: 'model', timeZone: 'America/Sao_Paulo' });
        for (const what of [{ events: first }, ...steps]) await take(what);
        for (const [question, isWanted] of questions) {
          const order = await expected(isWanted);
          for (const way of Object.values(ways)) expect(await walk(way, question)).toEqual(order);
          const ranked = await expectedByEvents(isWanted);
          for (const way of [ways.oneByOne, ways.inHaste]) {
            expect(await walk(way, { ...question, sort: 'events', range: RANGE })).toEqual(ranked);
          }
        }
      },
    ),
    { numRuns: Number(process.env['MODEL_RUNS'] ?? 20) },
  );
  expect(asked.told).toBeGreaterThan(0);
  expect(alone.met).toBeGreaterThan(0);
});
