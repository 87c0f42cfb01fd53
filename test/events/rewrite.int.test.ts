import type { FinishedEvent } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { type Rewriting, rewriteGroups } from '#src/events/rewrite.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';

const database = useDatabase();
let deps: TestDeps;
let running: Events[];

beforeEach(() => {
  deps = testDeps(database.url);
  running = [];
});

afterEach(async () => {
  for (const events of running) await events.stop();
  await deps.close();
});

/** A process: it remembers groups. */
function open(): Events {
  const events = createEvents(deps, { persons: createPersons(deps), projects: createProjects(deps) });
  running.push(events);
  return events;
}

async function project(name: string): Promise<number> {
  return (await createProjects(deps).create({ name, timeZone: 'UTC' })).id;
}

function event(projectId: number, source: JsonObject): FinishedEvent {
  return {
    ...{
      projectId,
      uuid: uuidV7(TEST_TIME),
      event: '$pageview',
      distinctId: 'd',
      ts: TEST_TIME,
      receivedAt: TEST_TIME,
    },
    ...{ session: null, marks: 0, groups: { source }, properties: {} },
    person: { process: false, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
  };
}

/** Rules of version 2: everything is `new`. */
function derive(group: JsonObject): JsonObject | null {
  return Number(group['version']) < 2 ? { channel: 'new', version: 2 } : null;
}

const old = (from: string): JsonObject => ({ from, channel: 'old', version: 1 });
const fresh = (from: string): JsonObject => ({ from, channel: 'new', version: 2 });

/** What every event says of its source, in order of storing. */
async function told(): Promise<JsonObject[]> {
  const rows = await database.query<{ properties: JsonObject }>(`
    select g.properties from events e
    join property_groups g on g.project_id = e.project_id and g.kind = 3 and g.number = e.source
    order by e.project_id, e.source`);
  return rows.map(({ properties }) => properties);
}

describe('rewriting groups', () => {
  it('changes what is derived, in every project and no other kind, and finds nothing to do afterwards', async () => {
    const [one, two] = [await project('One'), await project('Two')];
    const page = { from: 'page', channel: 'old', version: 1 };
    const first = event(one, old('a'));
    first.groups.page = page;
    await open().store([first, event(one, { from: 'unversioned' }), event(two, old('b'))]);

    expect(await rewriteGroups(deps.write, 'source', derive)).toEqual({ read: 3, rewritten: 2 });
    expect(await told()).toEqual(expect.arrayContaining([fresh('a'), { from: 'unversioned' }, fresh('b')]));
    expect(await database.query('select properties from property_groups where kind = 1')).toEqual([
      { properties: page },
    ]);
    expect(await rewriteGroups(deps.write, 'source', derive)).toEqual({ read: 3, rewritten: 0 });
  });

  it('lets two groups say the same, and one row take all that comes later', async () => {
    const shop = await project('Shop');
    const before = open();
    await before.store([event(shop, old('a')), event(shop, fresh('a'))]);
    expect(await rewriteGroups(deps.write, 'source', derive)).toEqual({ read: 2, rewritten: 1 });
    // A process that remembers, one that does not, and one that still has the old rules.
    await before.store([event(shop, fresh('a'))]);
    await open().store([event(shop, fresh('a'))]);
    await open().store([event(shop, old('a'))]);
    expect(await told()).toEqual(Array(5).fill(fresh('a')));
    const rows = await database.query<{ number: number; events: string }>(
      'select source as number, count(*)::int as events from events group by 1 order by 2',
    );
    expect(rows.map(({ events }) => events)).toEqual([2, 3]);
  });

  it('goes on after an interruption, beside writers and another run of itself', async () => {
    const shop = await project('Shop');
    const sources = Array.from({ length: 2_500 }, (_, index) => event(shop, old(`s${index}`)));
    await open().store(sources);
    const soFar: Rewriting[] = [];
    const interrupted = rewriteGroups(deps.write, 'source', derive, (done) => {
      soFar.push(done);
      throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(soFar).toEqual([{ read: 1_000, rewritten: 1_000 }]);

    const [one, two] = await Promise.all([
      rewriteGroups(deps.write, 'source', derive),
      rewriteGroups(deps.write, 'source', derive),
      open().store(sources.slice(1_000, 1_500).map((each) => ({ ...each, uuid: uuidV7(TEST_TIME) }))),
    ]);
    expect(one.rewritten + two.rewritten).toBe(1_500);
    const all = await told();
    expect(all).toHaveLength(3_000);
    expect(all.filter(({ channel, version }) => channel !== 'new' || version !== 2)).toEqual([]);
  });
});
