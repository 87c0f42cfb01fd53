/**
 * The persons are the same in any order and batches of events, over two real processes that run the whole collector, and they
 * are those that a plain, one-after-the-other reading of the rules gives. Of what does depend on the order (decision 10) they are
 * those of the plain reading when it arrives in order, and no two users become one in any.
 */

import { isIllegalId } from '#src/persons/illegal-ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME } from '#test/kit/deps.ts';
import fc from '#test/kit/fast-check.ts';
import { alias, identify, personless, type Said, said } from './history.ts';
import {
  brokenRules,
  type CollectorProcess,
  readPersons,
  type StoredPerson,
  startCollectorProcess,
} from './processes.ts';

/** The histories of a run are always the same; how the processes interleave is not. */
const runs = { numRuns: Number(process.env['RUNS'] ?? 30) };
const BEGIN = TEST_TIME - 86_400_000;
/** The real ones derive more of each event than is said here. */
const told = /^(key\d|own|signedIn|claimed|\$(initial_)?(browser|pathname))$/;

const database = useDatabase({ between: 'nothing' });
let processes: CollectorProcess[] = [];
beforeAll(async () => {
  processes = await Promise.all([startCollectorProcess(database), startCollectorProcess(database)]);
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.close()));
});

const key = fc.integer({ max: 2, min: 0 });
/** Clients also set properties to null: the current ones do for each campaign parameter that an address lacks. */
const isNull = fc.nat({ max: 3 }).map((drawn) => drawn === 0);

/** What may happen on a device, one after the other. */
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'look' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('set' as const), key, isNull }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('once' as const), key, isNull }) },
  { weight: 1, arbitrary: fc.constant({ do: 'unset' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('visit' as const), browser: fc.constantFrom('Firefox', 'Safari') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sign in' as const), user: fc.integer({ min: 0, max: 2 }) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'sign out' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'server alias' as const }) },
);
/** What depends on the order: an anonymous id that two claim, a property that is both removed and set once. */
const contention = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      device: fc.integer({ min: 0, max: 3 }),
      user: fc.integer({ min: 0, max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), key }) },
);
/** And an alias of an id that is or will be identified. */
const aliasOfUser = fc.record({ do: fc.constant('alias of user' as const), user: fc.integer({ min: 0, max: 2 }) });
type ActionOf<T> = T extends fc.Arbitrary<infer A> ? A : never;
type Action = ActionOf<typeof action> | ActionOf<typeof contention> | ActionOf<typeof aliasOfUser>;

/** Devices by turns: the time of an event is its place in `turns`. */
const turnsOf = (what: fc.Arbitrary<Action>) =>
  fc.array(fc.record({ device: fc.integer({ min: 0, max: 3 }), action: what }), { minLength: 1, maxLength: 40 });
const history = fc.record({ turns: turnsOf(action), fusesUsers: fc.boolean() });
const arrival = fc.record({
  order: fc.infiniteStream(fc.nat()),
  sizes: fc.infiniteStream(fc.integer({ min: 1, max: 12 })),
});

function play(turns: { device: number; action: Action }[], fusesUsers: boolean): Said[] {
  const devices = [0, 1, 2, 3].map((device) => ({ device, visits: 0, user: null as string | null }));
  const said: Said[] = [];
  turns.forEach(({ device: number, action }, at) => {
    const device = devices[number] as (typeof devices)[number];
    const ts = 1_000 + at;
    const anonymous = `device${number}-${device.visits}`;
    const id = device.user ?? anonymous;
    const groups = (browser: string) => ({ device: { $browser: browser }, page: { $pathname: `/${at % 3}` } });
    switch (action.do) {
      case 'look':
        said.push(personless(id, ts));
        break;
      case 'set':
        said.push({ id, ts, person: { set: { [`key${action.key}`]: action.isNull ? null : at } } });
        break;
      case 'once':
        said.push({ id, ts, person: { setOnce: { [`key${action.key}`]: action.isNull ? null : at } } });
        break;
      case 'unset': // of a property that is set under the user's own id only, and never set once
        if (device.user !== null) said.push({ id, ts, person: at % 2 ? { set: { own: at } } : { unset: ['own'] } });
        break;
      case 'visit':
        said.push({ id, ts, groups: groups(action.browser) });
        break;
      case 'sign in':
        if (device.user !== null) break;
        device.user = `user${action.user}`;
        said.push({ ...identify(device.user, anonymous, ts, { signedIn: at }), groups: groups('Opera') });
        break;
      case 'sign out':
        device.user = null;
        device.visits += 1;
        break;
      case 'server alias':
        if (device.user === null) break;
        said.push(personless(`server${at}`, ts - 0.5), alias(device.user, `server${at}`, ts));
        break;
      case 'claim': // of what is or was the anonymous id of any device
        said.push(identify(`user${action.user}`, `device${action.device}-0`, ts, { claimed: at }));
        break;
      case 'remove':
        said.push({ id, ts, person: { unset: [`key${action.key}`] } });
        break;
      case 'alias of user':
        if (id !== `user${action.user}`) said.push(alias(id, `user${action.user}`, ts));
        break;
    }
  });
  if (fusesUsers) said.push(alias('user0', 'user1', 2_000, 'dangerously'));
  return said.map((each) => ({ ...each, ts: BEGIN + each.ts * 2 }));
}

function shuffled<T>(items: T[], order: Iterator<number>): T[] {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at--) {
    const other = (order.next().value as number) % (at + 1);
    [result[at], result[other]] = [result[other] as T, result[at] as T];
  }
  return result;
}

/** A project of its own for each history. */
async function makeProject(): Promise<{ id: number; token: string }> {
  const [made] = await database.query<{ project_id: number; token: string }>(
    `with made as (insert into projects (name, created_at) values ('History', $1) returning id)
     insert into project_tokens (token, project_id, created_at)
     select 'lnt_history_' || lpad(id::text, 12, '0'), id, $1 from made returning project_id, token`,
    [new Date(TEST_TIME)],
  );
  return { id: made?.project_id as number, token: made?.token as string };
}

/**
 * Both processes take two batches each at the same time, as they are free; without an order by turns, and events in the order of their time.
 */
async function arrive(
  history: Said[],
  { order, sizes }: { order: Iterator<number> | null; sizes: Iterator<number> },
): Promise<number> {
  const { id: projectId, token } = await makeProject();
  const inTime = history.toSorted((a, b) => a.ts - b.ts).map((each) => said(each, projectId));
  const waiting = order === null ? inTime : shuffled(inTime, order);
  const all = waiting.length;
  const take = (process: CollectorProcess) => process.send(token, waiting.splice(0, sizes.next().value as number));
  const work = async (process: CollectorProcess) => {
    while (waiting.length > 0) await take(process);
  };
  if (order !== null) await Promise.all([...processes, ...processes].map(work));
  for (let turn = 0; waiting.length > 0; turn++) await take(processes[turn % 2] as CollectorProcess);
  await expectEventsToFollow(projectId, all);
  return projectId;
}

async function personsOf(projectId: number): Promise<StoredPerson[]> {
  return (await readPersons(database, projectId)).map(withToldOnly);
}

function withToldOnly(person: StoredPerson): StoredPerson {
  const properties = Object.entries(person.properties).filter(([name]) => told.test(name));
  return { ...person, properties: Object.fromEntries(properties) };
}

/** Events of all ids of a person lead to it, those from before a merge included. */
async function expectEventsToFollow(projectId: number, all: number): Promise<void> {
  const [found] = await database.query(
    `select count(*)::int as stored, (count(*) filter (where coalesce(o.new_person, e.person) = d.person))::int as following
       from events e
       join distinct_ids d on d.project_id = e.project_id and d.number = e.distinct_id
       left join person_overrides o on o.project_id = e.project_id and o.old_person = e.person
      where e.project_id = $1`,
    [projectId],
  );
  expect(found).toEqual({ stored: all, following: all });
}

/** The rules of identity, event by event in the order of time. */
function readOneByOne(history: Said[]): StoredPerson[] {
  const persons = new Map<string, StoredPerson>();
  const personOf = (id: string, ts: number): StoredPerson => {
    const found = persons.get(id) ?? { ids: [id], properties: {}, identified: false, hasProfile: false, createdAt: ts };
    persons.set(id, found);
    return found;
  };
  for (const each of history.toSorted((a, b) => a.ts - b.ts)) {
    const event = said(each);
    const { process, merge, set, setOnce, unset, identify: identifies } = event.person;
    const target = personOf(event.distinctId, event.ts);
    target.createdAt = Math.min(target.createdAt, event.ts);
    if (!process) continue;
    target.hasProfile = true;
    if (merge !== null && !isIllegalId(merge.otherDistinctId)) {
      const other = personOf(merge.otherDistinctId, event.ts);
      if (other !== target && (!other.identified || merge.kind === 'dangerously')) {
        target.properties = { ...other.properties, ...target.properties };
        target.ids.push(...other.ids);
        target.createdAt = Math.min(target.createdAt, other.createdAt);
        for (const id of other.ids) persons.set(id, target);
      }
      target.identified = true;
    }
    target.identified ||= identifies;
    const auto: Record<string, unknown> = { ...event.groups.device, ...event.groups.page };
    const initial = Object.fromEntries(
      Object.entries(auto).map(([name, value]) => [`$initial_${name.slice(1)}`, value]),
    );
    const isAboutPerson = event.event !== 'ping' || Object.keys(set).length > 0 || unset.length > 0;
    target.properties = isAboutPerson
      ? { ...initial, ...setOnce, ...target.properties, ...auto, ...set }
      : { ...initial, ...auto, ...setOnce, ...target.properties };
    for (const name of unset) delete target.properties[name];
  }
  const found = [...new Set(persons.values())];
  for (const person of found) {
    person.ids.sort();
    // Null is set, but no value.
    person.properties = Object.fromEntries(Object.entries(person.properties).filter(([, value]) => value !== null));
  }
  return found.sort((a, b) => ((a.ids[0] as string) < (b.ids[0] as string) ? -1 : 1));
}

describe('persons', () => {
  it('are the same in any order and any batches, over two processes', async () => {
    await fc.assert(
      fc.asyncProperty(history, arrival, async ({ turns, fusesUsers }, plan) => {
        const played = play(turns, fusesUsers);
        const projectId = await arrive(played, {
          order: plan.order[Symbol.iterator](),
          sizes: plan.sizes[Symbol.iterator](),
        });
        expect(await personsOf(projectId)).toEqual(readOneByOne(played));
      }),
      { ...runs, endOnFailure: false },
    );
    expect(await brokenRules(database)).toEqual([]);
  });

  it('are those of the plain reading in the order of time, also where the order matters', async () => {
    const turns = turnsOf(fc.oneof(action, contention, aliasOfUser));
    await fc.assert(
      fc.asyncProperty(turns, fc.boolean(), arrival, async (turns, fusesUsers, { sizes }) => {
        const played = play(turns, fusesUsers);
        const projectId = await arrive(played, { order: null, sizes: sizes[Symbol.iterator]() });
        expect(await personsOf(projectId)).toEqual(readOneByOne(played));
      }),
      { ...runs, endOnFailure: false },
    );
    expect(await brokenRules(database)).toEqual([]);
  });

  it('never become one of two users, in any order of claims', async () => {
    await fc.assert(
      fc.asyncProperty(turnsOf(fc.oneof(action, contention)), arrival, async (turns, { order, sizes }) => {
        const played = play(turns, false);
        const projectId = await arrive(played, { order: order[Symbol.iterator](), sizes: sizes[Symbol.iterator]() });
        const found = await personsOf(projectId);
        for (const { ids } of found) expect(ids.filter((id) => id.startsWith('user')).length).toBeLessThanOrEqual(1);
        // Nobody is lost either.
        const all = new Set(played.flatMap(({ id, person }) => [id, person?.merge?.otherDistinctId ?? id]));
        expect(new Set(found.flatMap(({ ids }) => ids))).toEqual(all);
      }),
      { ...runs, endOnFailure: false },
    );
    expect(await brokenRules(database)).toEqual([]);
  });
});
