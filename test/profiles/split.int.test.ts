/** An id is taken out of a person: whose its events are, what is known of both, and that nothing derived goes wrong. */
import { type Columns, createColumns } from '#src/columns/columns.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createHistory } from '#src/events/history.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createSplits } from '#src/profiles/splits.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';
import { said } from '../persons/history.ts';
import { brokenRules } from '../persons/processes.ts';
import { identify, MINUTE, openPeople, type PeopleScene, TEST_TIME } from './scene.ts';

const database = useDatabase();
let scene: PeopleScene;
let columns: Columns;
let by: { id: number; name: string };

beforeEach(async () => {
  scene = await openPeople(database.url);
  columns = createColumns(scene.deps, { threads: 0 });
  const [user] = await database.query<{ id: number }>(
    `insert into users (uuid, email, email_key, name, language, time_zone, created_at)
     values (gen_random_uuid(), 'a@b.example', 'a@b.example', 'Ada', 'en', 'UTC', '2026-01-01') returning id`,
  );
  by = { id: user?.id as number, name: 'Ada' };
});
afterEach(async () => {
  expect(await brokenRules(database)).toEqual([]);
  await columns.stop();
  await scene.close();
});

const at = TEST_TIME - 60 * MINUTE;
const view = (id: string, ts: number, visit: string, path = '/') => ({
  ...{ event: '$pageview', id, ts, visit, groups: { page: { $pathname: path }, device: { $browser: id } } },
});

/** Two browsers, of which the second was not hers; both joined by signing in. */
async function arrange(): Promise<void> {
  await scene.tell(
    view('mine', at, 'first'),
    { id: 'mine', ts: at + 1, visit: 'first', person: { set: { plan: 'free', from: 'mine' } } },
    view('theirs', at + 2, 'second', '/other'),
    { id: 'theirs', ts: at + 3, visit: 'second', person: { set: { plan: 'pro', colour: 'red' } } },
  );
  await scene.tell(identify('user', 'mine', at + 10, { email: 'ana@shop.example' }));
  await scene.tell(identify('user', 'theirs', at + 11), { ...view('user', at + 12, 'first'), event: 'bought' });
}

async function split(distinctId: string, person: string): Promise<string> {
  return scene.profiles.splits.split(scene.project.id, { person, distinctId }, by, async () => undefined);
}

/** Whose each stored event is, by the id it was sent with. */
async function owners(): Promise<Record<string, string[]>> {
  const rows = await database.query<{ id: string; uuids: string[] }>(
    `select d.distinct_id as id, array_agg(distinct p.uuid::text) as uuids
       from events e
       join distinct_ids d on d.project_id = e.project_id and d.number = e.distinct_id
       left join person_overrides o on o.project_id = e.project_id and o.old_person = e.person
       join persons p on p.project_id = e.project_id and p.number = coalesce(o.new_person, e.person)
      where e.project_id = $1 group by 1`,
    [scene.project.id],
  );
  return Object.fromEntries(rows.map(({ id, uuids }) => [id, uuids]));
}

async function propertiesOf(uuid: string): Promise<Record<string, unknown>> {
  const person = await scene.profiles.get(scene.project.id, uuid);
  const own = (person?.properties ?? []).filter(({ name }) => !name.startsWith('$') || name === '$browser');
  return Object.fromEntries(own.map(({ name, value }) => [name, value]));
}

async function visitors(): Promise<number | undefined> {
  const spans = [{ from: at - MINUTE, until: TEST_TIME, starts: [] }];
  const [counts] = await columns.series({ projectId: scene.project.id, views: ['$pageview'], filters: null, spans });
  return counts?.total.visitors;
}

describe('a split', () => {
  it('gives the id, its events, visits and properties to a new person', async () => {
    await arrange();
    await columns.seal();
    const before = await scene.whoIs('user');
    expect(await propertiesOf(before)).toMatchObject({ plan: 'free', colour: 'red', email: 'ana@shop.example' });
    expect(await visitors()).toBe(1);

    const made = await split('theirs', before);
    expect(await owners()).toEqual({ user: [before], mine: [before], theirs: [made] });
    expect(await scene.whoIs('theirs')).toBe(made);
    expect(await visitors()).toBe(2);
    expect((await columns.verify()).findings).toEqual([]);
    await columns.runMaintenance();
    expect((await columns.verify()).findings).toEqual([]);
    expect(await visitors()).toBe(2);

    expect(await propertiesOf(before)).toEqual({
      ...{ plan: 'free', from: 'mine', email: 'ana@shop.example', $browser: 'mine' },
    });
    expect(await propertiesOf(made)).toEqual({ plan: 'pro', colour: 'red', $browser: 'theirs' });
    const [rest, own] = [
      await scene.profiles.get(scene.project.id, before),
      await scene.profiles.get(scene.project.id, made),
    ];
    expect(rest).toMatchObject({ identified: true, firstSeen: at, visits: 1, events: 5 });
    expect(own).toMatchObject({ identified: false, firstSeen: at + 2, visits: 1, events: 2, views: 1 });
    expect(own?.ids).toEqual([{ distinctId: 'theirs', joined: null }]);
    expect(rest?.splits).toEqual([
      { distinctId: 'theirs', at: TEST_TIME, by: 'Ada', other: made, isFrom: true, isMoving: false },
    ]);
    expect(own?.splits).toMatchObject([{ other: before, isFrom: false }]);
  });

  it('says again what the others had said before it', async () => {
    await scene.tell(
      { id: 'one', ts: at, person: { set: { plan: 'free' } } },
      { id: 'two', ts: at + 1, person: { set: { plan: 'basic' } } },
    );
    await scene.tell(identify('user', 'one', at + 2), identify('user', 'two', at + 3));
    await scene.tell(
      { id: 'one', ts: at + 4, person: { set: { plan: 'pro' } } },
      { id: 'two', ts: at + 5, person: { set: { plan: 'max' } } },
    );
    const person = await scene.whoIs('user');
    expect(await propertiesOf(person)).toEqual({ plan: 'max' });
    const made = await split('two', person);
    expect(await propertiesOf(person)).toEqual({ plan: 'pro' });
    expect(await propertiesOf(made)).toEqual({ plan: 'max' });
  });

  it('takes the first id of a person too, who keeps the address of their page', async () => {
    await scene.tell(view('anon', at, 'first'));
    await scene.tell(identify('user', 'anon', at + 1, { email: 'ana@shop.example' }));
    const person = await scene.whoIs('user');
    const made = await split('anon', person);
    expect(made).not.toBe(person);
    expect(await scene.whoIs('user')).toBe(person);
    expect(await scene.profiles.get(scene.project.id, person)).toMatchObject({ identified: true, firstSeen: at + 1 });
    expect(await scene.profiles.get(scene.project.id, made)).toMatchObject({ identified: false, firstSeen: at });
    // Erased and back again: the address that the id gives is taken no more.
    const found = await scene.people.ofDistinctId(scene.project.id, 'anon');
    await scene.people.erase(scene.deps.db, scene.project.id, [found?.person as number]);
    const deps = testDeps(database.url);
    const events = createEvents(deps, { persons: createPersons(deps), projects: scene.projects });
    try {
      const stored = await events.store([{ ...said(view('anon', at + MINUTE, 'third'), scene.project.id) }]);
      expect(stored.outcomes).toEqual(['stored']);
    } finally {
      await events.stop();
      await deps.close();
    }
    expect(await scene.whoIs('anon')).not.toBe(await scene.whoIs('user'));
  });

  it('redirects links to the previous person of the id to the current one', async () => {
    await scene.tell({ id: 'anon', ts: at }, { id: 'user', ts: at + 1 });
    const link = await scene.whoIs('anon');
    await scene.tell(identify('user', 'anon', at + 2));
    expect((await scene.people.get(scene.project.id, link))?.uuid).toBe(await scene.whoIs('user'));
    expect(await split('anon', await scene.whoIs('user'))).toBe(link);
    expect((await scene.people.get(scene.project.id, link))?.distinctIds).toEqual(['anon']);
  });

  it('is refused for the only id, for another person’s id, and in another project', async () => {
    await scene.tell({ id: 'one', ts: at }, { id: 'two', ts: at + 1 });
    const one = await scene.whoIs('one');
    await expect(split('one', one)).rejects.toMatchObject({ code: 'conflict' });
    await expect(split('two', one)).rejects.toMatchObject({ code: 'not_found' });
    const other = await scene.projects.create({ name: 'Other', timeZone: 'UTC' });
    const asked = { person: one, distinctId: 'one' };
    await expect(scene.profiles.splits.split(other.id, asked, by, async () => undefined)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await database.query('select 1 from person_splits')).toEqual([]);
  });

  it('leaves nothing behind when it cannot be noted', async () => {
    await arrange();
    const person = await scene.whoIs('user');
    const failing = async () => {
      throw new Error('no');
    };
    const asked = { person, distinctId: 'theirs' };
    await expect(scene.profiles.splits.split(scene.project.id, asked, by, failing)).rejects.toThrow('no');
    expect(await scene.whoIs('theirs')).toBe(person);
  });

  describe('of a person with many events', () => {
    /** Each event may be read without the lock, so it is. */
    const manySplits = (options: { readingMs?: number; meanwhile?: () => Promise<void> } = {}) => {
      const { meanwhile, ...limits } = options;
      const history = createHistory(scene.deps);
      async function* ofPersons(...what: Parameters<typeof history.ofPersons>) {
        yield* history.ofPersons(...what);
        await meanwhile?.();
      }
      return createSplits(
        scene.deps,
        { people: scene.people, history: { ...history, ofPersons } },
        { atOnce: 0, ...limits },
      );
    };
    const asked = async () => ({ person: await scene.whoIs('user'), distinctId: 'theirs' });
    const noted = async () => undefined;

    it('does the same', async () => {
      await arrange();
      // Within the last minute: read under the lock.
      const lately = TEST_TIME - 1_000;
      await scene.tell(
        { id: 'theirs', ts: lately, visit: 'second', person: { set: { colour: 'blue', late: 1 } } },
        { id: 'mine', ts: lately + 1, visit: 'first', person: { set: { plan: 'max' } } },
      );
      const before = await scene.whoIs('user');
      const made = await manySplits().split(scene.project.id, await asked(), by, noted);
      expect(await owners()).toEqual({ user: [before], mine: [before], theirs: [made] });
      expect(await propertiesOf(before)).toEqual({
        ...{ plan: 'max', from: 'mine', email: 'ana@shop.example', $browser: 'mine' },
      });
      expect(await propertiesOf(made)).toEqual({ plan: 'pro', colour: 'blue', late: 1, $browser: 'theirs' });
      expect(await scene.profiles.get(scene.project.id, before)).toMatchObject({ identified: true, firstSeen: at });
      expect(await scene.profiles.get(scene.project.id, made)).toMatchObject({ identified: false, firstSeen: at + 2 });
    });

    it('holds nobody up while it reads, and reads again what was said meanwhile', async () => {
      await arrange();
      let readings = 0;
      const meanwhile = async () => {
        readings += 1;
        // While the first reading goes on, its person says something for a time that was read already.
        if (readings === 1) await scene.tell({ id: 'theirs', ts: at + 4, person: { set: { shade: 'dark' } } });
      };
      const made = await manySplits({ meanwhile }).split(scene.project.id, await asked(), by, noted);
      // Twice without the lock, and once more under it.
      expect(readings).toBe(3);
      expect(await propertiesOf(made)).toMatchObject({ shade: 'dark', colour: 'red' });
    });

    it('is refused when events keep coming in for times long past, or there are too many', async () => {
      await arrange();
      let times = 0;
      const meanwhile = async () => {
        times += 1;
        await scene.tell({ id: 'user', ts: at + 20 + times });
      };
      const late = manySplits({ meanwhile });
      await expect(late.split(scene.project.id, await asked(), by, noted)).rejects.toMatchObject({ code: 'conflict' });
      const slow = manySplits({ readingMs: -1 }).split(scene.project.id, await asked(), by, noted);
      await expect(slow).rejects.toMatchObject({ code: 'too_large' });
      expect(await database.query('select 1 from person_splits')).toEqual([]);
      expect(await scene.whoIs('theirs')).toBe(await scene.whoIs('user'));
    });
  });

  it('holds while two processes go on storing events of both', async () => {
    await arrange();
    const person = await scene.whoIs('user');
    const deps = testDeps(database.url);
    const second: Events = createEvents(deps, { persons: createPersons(deps), projects: scene.projects });
    let isOver = false;
    let written = 0;
    const write = async (events: Events, name: string) => {
      for (let n = 0; !isOver; n++) {
        const ts = at + 1_000 + n;
        const batch = ['user', 'theirs', 'mine'].map((id) => ({
          ...{ projectId: scene.project.id, uuid: crypto.randomUUID(), event: '$pageview', distinctId: id, ts },
          ...{ receivedAt: ts, session: null, marks: 0, groups: {}, properties: {} },
          person: {
            ...{ process: true, setOnce: {}, unset: [], identify: false, merge: null },
            set: n % 3 === 0 ? { [`${name}_${id}`]: n } : {},
          },
        }));
        await events.store(batch);
        written += batch.length;
      }
    };
    const writers = [write(scene.events, 'one'), write(second, 'two')];
    try {
      while (written < 30) await new Promise((done) => setTimeout(done, 5));
      const made = await split('theirs', person);
      const so = written;
      while (written < so + 60) await new Promise((done) => setTimeout(done, 5));
      isOver = true;
      await Promise.all(writers);
      scene.deps.clock.set(TEST_TIME + 61_000);
      await scene.profiles.splits.work();
      expect(await owners()).toEqual({ user: [person], mine: [person], theirs: [made] });
      const names = async (uuid: string) => Object.keys(await propertiesOf(uuid)).filter((name) => name.includes('_'));
      expect((await names(person)).sort()).toEqual(['one_mine', 'one_user', 'two_mine', 'two_user']);
      expect((await names(made)).sort()).toEqual(['one_theirs', 'two_theirs']);
      const open = await database.query('select 1 from person_splits where done_at is null');
      expect(open).toEqual([]);
      await columns.seal();
      await columns.runMaintenance();
      expect((await columns.verify()).findings).toEqual([]);
    } finally {
      isOver = true;
      await Promise.allSettled(writers);
      await second.stop();
      await deps.close();
    }
  }, 60_000);
});
