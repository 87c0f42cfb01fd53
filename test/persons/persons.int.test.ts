import type { FinishedEvent } from '#src/events/contract.ts';
import { uuidV5 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME } from '#test/kit/deps.ts';
import { alias, identify, personless, type Said, said } from './history.ts';
import { brokenRules, type Process, readPersons, reasons, startProcess, survivors } from './processes.ts';

const database = useDatabase();
let one: Process;
let two: Process;

beforeEach(() => {
  one = startProcess(database);
  two = startProcess(database);
});
afterEach(async () => {
  expect(await brokenRules(database)).toEqual([]);
  await Promise.all([one.close(), two.close()]);
});

/** Each batch in its own transaction, in this order. */
async function happen(...batches: Said[][]): Promise<{ people: number[]; warnings: string[] }> {
  const people: number[] = [];
  const warnings: string[] = [];
  for (const batch of batches) {
    const resolved = await one.resolve(batch.map((each) => said(each)));
    people.push(...resolved.actors.map(({ person }) => person));
    warnings.push(...reasons(resolved.warnings));
  }
  return { people: await survivors(database, 1, people), warnings };
}

const eachAlone = (history: Said[]): Said[][] => history.map((each) => [each]);

describe('merging', () => {
  const anonymous = personless('a1', 1);

  it.each<[string, Said[], string[][], string[]]>([
    ['neither exists: one person with both', [identify('u1', 'a1', 1)], [['a1', 'u1']], []],
    ['the anonymous one exists: the new id is attached', [anonymous, identify('u1', 'a1', 2)], [['a1', 'u1']], []],
    [
      'the identified one exists: the anonymous id is attached',
      [personless('u1', 1), identify('u1', 'a1', 2)],
      [['a1', 'u1']],
      [],
    ],
    ['both exist: they become one', [anonymous, personless('u1', 1), identify('u1', 'a1', 2)], [['a1', 'u1']], []],
    ['equal ids: nothing', [alias('u1', 'u1', 1)], [['u1']], []],
    ['the same person: nothing', [identify('u1', 'a1', 1), alias('u1', 'a1', 2)], [['a1', 'u1']], []],
    [
      'the other is identified: refused',
      [identify('u1', 'a1', 1), identify('u2', 'a1', 2)],
      [['a1', 'u1'], ['u2']],
      ['merge_refused'],
    ],
    [
      'the other is identified: alias refused too',
      [identify('u1', null, 1), alias('u2', 'u1', 2)],
      [['u1'], ['u2']],
      ['merge_refused'],
    ],
    [
      'the other is identified: $merge_dangerously may',
      [identify('u1', 'a1', 1), alias('u2', 'u1', 2, 'dangerously')],
      [['a1', 'u1', 'u2']],
      [],
    ],
    [
      'into an identified one: always',
      [identify('u1', null, 1), identify('u1', 'a1', 2), alias('u1', 's1', 3)],
      [['a1', 's1', 'u1']],
      [],
    ],
    [
      'neither exists, but the other identifies itself first: refused',
      [identify('o', null, 1), identify('t', 'o', 2), personless('o', 3)],
      [['o'], ['t']],
      ['merge_refused'],
    ],
    [
      'one after the other into one: all',
      [identify('b', 'a', 1), alias('c', 'b', 2, 'dangerously'), alias('d', 'c', 3, 'dangerously')],
      [['a', 'b', 'c', 'd']],
      [],
    ],
    [
      'the other id is illegal: refused',
      [identify('u1', 'null', 1), identify('u2', 'Anonymous', 2)],
      [['u1'], ['u2']],
      ['illegal_id', 'illegal_id'],
    ],
    [
      'the id itself is illegal: refused',
      [identify('undefined', 'a1', 1), personless('a1', 2)],
      [['a1'], ['undefined']],
      ['illegal_id'],
    ],
  ])('%s', async (_, history, persons, warnings) => {
    for (const batches of [eachAlone(history), [history]]) {
      const seen = await happen(...batches);
      expect((await readPersons(database)).map(({ ids }) => ids)).toEqual(persons);
      expect(seen.warnings).toEqual(warnings);
      await one.close();
      await database.truncate();
      one = startProcess(database);
    }
  });

  it('attaches without an override, merges with one, and keeps chains one step long', async () => {
    await happen([personless('a1', 1)], [identify('u1', 'a1', 2)]);
    expect(await database.query('select from person_overrides')).toHaveLength(0);
    const { people } = await happen(
      ...[
        [personless('a2', 3)],
        [identify('u1', 'a2', 4)],
        [personless('s1', 5)],
        [alias('s1', 'u1', 6, 'dangerously')],
      ],
    );
    expect(new Set(await survivors(database, 1, people)).size).toBe(1);
    expect(await database.query('select from person_overrides')).toHaveLength(2);
  });

  it('marks as identified for ever: by $identify, by a merge, by a refused merge', async () => {
    await happen([identify('u1', null, 1)], [alias('u2', 's2', 2)], [alias('u3', 'u1', 3)], [personless('a4', 4)]);
    await happen([personless('u1', 5)], [{ id: 'u2', ts: 6 }]);
    const persons = await readPersons(database);
    expect(persons.map(({ ids, identified }) => [ids.at(-1), identified])).toEqual([
      ['a4', false],
      ['u2', true],
      ['u1', true],
      ['u3', true],
    ]);
  });

  it('does not identify under an id that stands for nobody', async () => {
    const { warnings } = await happen(
      [identify('null', null, 1)],
      [identify('undefined', 'a1', 2)],
      [personless('null', 3)],
    );
    expect(warnings).toEqual(['illegal_id', 'illegal_id']);
    expect((await readPersons(database)).map(({ identified }) => identified)).toEqual([false, false]);
  });
});

describe('properties', () => {
  const propertiesOf = async (id: string) =>
    (await readPersons(database)).find(({ ids }) => ids.includes(id))?.properties;

  it('are set, set once and unset in this order within an event', async () => {
    const person = { set: { a: 1, b: 1, d: 1 }, setOnce: { a: 2, c: 2 }, unset: ['d'] };
    await happen([{ id: 'u', ts: 1, person }]);
    expect(await propertiesOf('u')).toEqual({ a: 1, b: 1, c: 2 });
  });

  it('said under the old id in the very millisecond of a merge count as said before it', async () => {
    const set = (id: string, ts: number, value: string): Said => ({ id, ts, person: { set: { email: value } } });
    await happen([set('u1', 5, 'mine')], [set('a1', 6, 'other'), identify('u1', 'a1', 6)]);
    expect(await propertiesOf('u1')).toEqual({ email: 'mine' });
  });

  it('of the surviving person win, the other fills the gaps, the event of the merge comes after', async () => {
    const set = (id: string, ts: number, values: Record<string, number>): Said => ({ id, ts, person: { set: values } });
    await happen([set('a1', 5, { both: 1, other: 1, event: 1 })], [set('u1', 2, { both: 2, own: 2 })]);
    await happen([identify('u1', 'a1', 6, { event: 3 })]);
    expect(await propertiesOf('u1')).toEqual({ both: 2, own: 2, other: 1, event: 3 });
  });

  it('beyond what a person holds are left out whole and said, until others are removed', async () => {
    const long = 'x'.repeat(300_000);
    const set = (ts: number, values: Record<string, string>, unset: string[] = []): Said => ({
      ...{ id: 'u', ts },
      person: { set: values, unset },
    });
    const first = await happen([set(1, { a: long })], [set(2, { b: long, c: 'small' }), set(3, { d: 'fits' })]);
    expect(first.warnings).toEqual(['properties_too_large']);
    expect(Object.keys((await propertiesOf('u')) ?? {}).sort()).toEqual(['a', 'd']);
    // What is said again takes no room, nor what is said in place of it.
    const again = await happen([set(4, { a: long }), set(5, { a: `${long}y` })], [set(6, { a: long, d: 'other' })]);
    expect(again.warnings).toEqual([]);
    const removed = await happen([set(7, { b: long }, ['a', 'never there'])], [set(8, { b: long })]);
    expect(removed.warnings).toEqual(['properties_too_large']);
    expect(Object.keys((await propertiesOf('u')) ?? {}).sort()).toEqual(['b', 'd']);
  });

  it('have no end of names either, removed ones included', async () => {
    const names = (from: number, count: number) => Array.from({ length: count }, (_, at) => `property ${from + at}`);
    const values = (of: string[]) => Object.fromEntries(of.map((name) => [name, 1]));
    const told = await happen(
      [{ id: 'u', ts: 1, person: { set: values(names(0, 6_000)) } }],
      [{ id: 'u', ts: 2, person: { set: values(names(6_000, 6_000)) } }],
      [{ id: 'u', ts: 3, person: { unset: names(12_000, 6_000) } }],
      [{ id: 'u', ts: 4, person: { unset: names(0, 5_999) } }],
    );
    expect(told.warnings).toEqual(['properties_too_large', 'properties_too_large']);
    expect(await propertiesOf('u')).toEqual({ 'property 5999': 1 });
  });

  it('of two who have too many together stay those of the survivor', async () => {
    const set = (id: string, ts: number): Said => ({ id, ts, person: { set: { [id]: 'x'.repeat(300_000) } } });
    const told = await happen([set('u', 1)], [set('browser', 2)], [identify('u', 'browser', 3, { plan: 'pro' })]);
    expect(told.warnings).toEqual(['properties_too_large']);
    expect(await propertiesOf('u')).toEqual({ u: 'x'.repeat(300_000), plan: 'pro' });
  });

  it('of a clock that is ahead count from when they came, and so do its merges', async () => {
    const DAY = 86_400_000;
    const set = (id: string, ts: number, receivedAt: number, plan: string): Said => ({
      ...{ id, ts, receivedAt },
      person: { set: { plan } },
    });
    const once = (id: string, ts: number): Said => ({ id, ts, person: { setOnce: { first: id } } });
    await happen(
      [once('a', 1)],
      [
        set('u', DAY, 10, 'free'),
        {
          ...identify('u', 'a', DAY),
          receivedAt: 11,
          ...{ person: { ...identify('u', 'a', 1).person, setOnce: { first: 'u' } } },
        },
      ],
      [{ ...once('u', 30) }, set('u', 20, 20, 'pro')],
    );
    expect(await propertiesOf('u')).toEqual({ first: 'a', plan: 'pro' });
    // After the merge the old id is the person's own.
    await happen([set('a', 40, 40, 'team')], [set('u', 39, 41, 'late')]);
    expect(await propertiesOf('u')).toEqual({ first: 'a', plan: 'team' });
  });

  it.each([
    ['in order', [0, 1, 2, 3, 4]],
    ['backwards', [4, 3, 2, 1, 0]],
    ['mixed', [2, 0, 4, 1, 3]],
  ])('of one millisecond have an order within it, around a merge too: %s', async (_, order) => {
    const told = (each: Said, microseconds: number): Said => ({ ...each, orderedAt: 6 + microseconds / 1000 });
    const history = [
      told(
        {
          id: 'u',
          ts: 6,
          uuid: 'ffffffff-0000-4000-8000-000000000000',
          person: { set: { plan: 'free' }, setOnce: { own: 1 } },
        },
        1,
      ),
      told({ id: 'a', ts: 6, person: { set: { plan: 'other', seen: 'a' }, setOnce: { first: 'a' } } }, 500),
      told({ ...identify('u', 'a', 6, { plan: 'pro' }), groups: { device: { $browser: 'Firefox' } } }, 700),
      told(
        {
          id: 'u',
          ts: 6,
          uuid: '00000000-0000-4000-8000-000000000000',
          person: { set: { plan: 'team' }, setOnce: { own: 2, first: 'u' } },
        },
        800,
      ),
      told({ id: 'u', ts: 6, uuid: 'ffffffff-0000-4000-8000-000000000001', person: { set: { gone: 1 } } }, 900),
    ];
    await happen(...order.map((at) => [history[at] as Said]));
    const wanted = { plan: 'team', own: 1, first: 'a', seen: 'a', gone: 1 };
    expect(await propertiesOf('u')).toEqual({ ...wanted, $browser: 'Firefox', $initial_browser: 'Firefox' });
    await happen([told({ id: 'u', ts: 6, person: { unset: ['gone', 'seen'] } }, 950)]);
    expect(await propertiesOf('u')).not.toHaveProperty('gone');
    expect(await propertiesOf('u')).not.toHaveProperty('seen');
  });

  it.each([
    ['in order', [0, 1, 2, 3]],
    ['the last merge first', [3, 0, 1, 2]],
    ['backwards', [3, 2, 1, 0]],
  ])('brought by a merge of merges count from each merge: %s', async (_, order) => {
    const once = (id: string, ts: number): Said => ({ id, ts, person: { setOnce: { first: id } } });
    const history = [once('a', 1), once('u', 2), identify('u', 'a', 3), alias('v', 'u', 9, 'dangerously')];
    await happen(...order.map((at) => [history[at] as Said]));
    expect(await propertiesOf('v')).toEqual({ first: 'u' });
  });

  it('follow from the event: once as $initial_, and as current where the person is what it is about', async () => {
    const groups = (browser: string, path: string) => ({
      page: { $pathname: path, $host: 'not a person property' },
      device: { $browser: browser, $lib: 'web' },
      source: { utm_source: 'news', $session_entry_utm_source: 'x' },
      geo: { $geoip_country_code: 'BR' },
    });
    await happen(
      [{ id: 'u', ts: 1, groups: groups('Firefox', '/a') }],
      [{ id: 'u', ts: 2, groups: groups('Safari', '/b') }],
    );
    const first = { $browser: 'Firefox', $pathname: '/a', utm_source: 'news', $geoip_country_code: 'BR' };
    const initial = {
      ...{ $initial_browser: 'Firefox', $initial_pathname: '/a', $initial_utm_source: 'news' },
      $initial_geoip_country_code: 'BR',
    };
    expect(await propertiesOf('u')).toEqual({ ...first, ...initial });
    await happen([{ ...identify('u', null, 3), groups: groups('Safari', '/c') }]);
    expect(await propertiesOf('u')).toEqual({ ...first, ...initial, $browser: 'Safari', $pathname: '/c' });
  });

  it('are left alone by exceptions and by events without person processing', async () => {
    const groups = { device: { $browser: 'Firefox' } };
    await happen([{ event: '$exception', id: 'u', ts: 1, groups }], [{ ...personless('v', 2), groups }]);
    const persons = await readPersons(database);
    expect(persons.map(({ ids, properties, hasProfile }) => [ids[0], properties, hasProfile])).toEqual([
      ['u', {}, true],
      ['v', {}, false],
    ]);
  });

  it('that changed stay with the event, others do not', async () => {
    const batch = (ts: number, person: Said['person']): FinishedEvent[] => [
      said({ id: 'u', ts, person: person ?? {} }),
    ];
    const kept = async (events: FinishedEvent[]) => (await one.resolve(events)).additions;
    expect(await kept(batch(1, { set: { plan: 'free', n: 1 }, setOnce: { first: 1 } }))).toEqual([
      { $set: { plan: 'free', n: 1 }, $set_once: { first: 1 } },
    ]);
    expect(await kept(batch(2, { set: { plan: 'pro', n: 1 }, setOnce: { first: 2 } }))).toEqual([
      { $set: { plan: 'pro' } },
    ]);
    expect(await kept(batch(3, { set: { plan: 'pro' }, unset: ['n', 'nothing'] }))).toEqual([{ $unset: ['n'] }]);
    expect(await kept(batch(4, {}))).toEqual([null]);
  });

  it('set by late events lose against newer ones', async () => {
    await happen(
      [{ id: 'u', ts: 9, person: { set: { plan: 'new' } } }],
      [{ id: 'u', ts: 3, person: { set: { plan: 'old' } } }],
    );
    expect(await readPersons(database)).toMatchObject([{ properties: { plan: 'new' }, createdAt: 3 }]);
  });
});

describe('persons', () => {
  it('get their number once, and the uuid of the id that made them', async () => {
    const { people } = await happen([personless('a', 1), personless('b', 1)], [personless('a', 2)]);
    expect(people[2]).toBe(people[0]);
    const rows = await database.query('select number, uuid from persons order by number');
    expect(rows).toEqual([
      { number: 1, uuid: uuidV5('1:a') },
      { number: 2, uuid: uuidV5('1:b') },
    ]);
  });

  it('with only personless events have no profile until an event asks for one', async () => {
    await happen([personless('a', 1)]);
    expect(await readPersons(database)).toMatchObject([{ hasProfile: false, identified: false }]);
    await happen([{ id: 'a', ts: 2 }]);
    expect(await readPersons(database)).toMatchObject([{ hasProfile: true, identified: false }]);
  });

  it('of different projects have nothing to do with each other', async () => {
    await one.resolve([said(identify('u', 'a', 1), 1), said(personless('u', 1), 2), said(personless('a', 1), 2)]);
    expect((await readPersons(database, 1)).map(({ ids }) => ids)).toEqual([['a', 'u']]);
    expect((await readPersons(database, 2)).map(({ ids }) => ids)).toEqual([['a'], ['u']]);
  });

  it('cost no question once they are known', async () => {
    const groups = { device: { $browser: 'Firefox' }, page: { $pathname: '/' } };
    const visit = [said({ id: 'u', ts: 5, groups }), said(personless('a', TEST_TIME - 1))];
    await one.resolve(visit);
    const client = { query: () => Promise.reject(new Error('asked')) } as never;
    const again = [said({ id: 'u', ts: 6, groups }), said(personless('a', TEST_TIME))];
    const prepared = await one.persons.prepare(again);
    await expect(one.persons.resolve(client, again, prepared)).resolves.toMatchObject({ notice: null });
  });
});

describe('worked example G', () => {
  it('one person over two browsers, and a second one who shares a browser', async () => {
    const views = [personless('a1', 1), personless('a1', 2), personless('a1', 3)];
    const first = await happen(views, [identify('u1', 'a1', 4)], [{ id: 'u1', ts: 5 }], [personless('a2', 6)]);
    const merged = await happen([identify('u1', 'a2', 7)]);
    expect(new Set(await survivors(database, 1, [...first.people, ...merged.people])).size).toBe(1);
    const refused = await happen([identify('u2', 'a2', 8)], [{ id: 'u2', ts: 9 }]);
    expect(refused.warnings).toEqual(['merge_refused']);
    expect((await readPersons(database)).map(({ ids }) => ids)).toEqual([['a1', 'a2', 'u1'], ['u2']]);
  });
});

describe('two processes', () => {
  it('take a new id only once', async () => {
    for (let round = 0; round < 10; round++) {
      const batch = () => ['x', 'y', 'z'].map((id) => said(personless(`${id}${round}`, 1)));
      const [a, b] = await Promise.all([one.resolve(batch()), two.resolve(batch().reverse())]);
      expect(b.actors.toReversed()).toEqual(a.actors);
    }
  });

  it('detect that the other one merged a person, without a notification', async () => {
    await one.resolve([said(personless('a', 1))]);
    await two.resolve([said(personless('a', 2))]);
    await one.resolve([said(personless('u', 3))]);
    await one.resolve([said(identify('u', 'a', 4, { plan: 'pro' }))]);
    const late = await two.resolve([said({ id: 'a', ts: 5, person: { set: { seen: true } } })]);
    expect(await readPersons(database)).toMatchObject([{ ids: ['a', 'u'], properties: { plan: 'pro', seen: true } }]);
    expect(await survivors(database, 1, [late.actors[0]?.person ?? 0])).toEqual([late.actors[0]?.person]);
  });

  it('tell each other', async () => {
    const { notice } = await one.resolve([said(personless('a', 1)), said(personless('u', 1))]);
    expect(notice).toBeNull();
    const [before] = (await two.resolve([said(personless('a', 2))])).actors;
    const merged = await one.resolve([said(identify('u', 'a', 3))]);
    expect(merged.notice).toBe(`1:${before?.person}`);
    two.persons.receive(merged.notice ?? '');
    const [after] = (await two.resolve([said(personless('a', 4))])).actors;
    expect(after?.person).toBe(merged.actors[0]?.person);
  });

  it('lose no change of the same person', async () => {
    const sets = Array.from({ length: 40 }, (_, n) => said({ id: 'u', ts: n, person: { set: { [`k${n}`]: n } } }));
    await Promise.all(sets.map((event, n) => [one, two][n % 2]?.resolve([event])));
    expect(Object.keys((await readPersons(database))[0]?.properties ?? {})).toHaveLength(40);
  });

  it('never wait for each other in a circle', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `p${n}`);
    await one.resolve(ids.map((id) => said(personless(id, 1))));
    const batches = Array.from({ length: 60 }, (_, n) =>
      ids
        .toSorted(() => Math.sin(n * 7 + ids.length))
        .map((id, at) =>
          at % 5 === 0
            ? said(identify(`user${(n + at) % 4}`, id, n + 2))
            : said({ id, ts: n + 2, person: { set: { [`k${n}`]: at } } }),
        ),
    );
    // As many at once as the pools have connections: what waits longer for one than is allowed would fail of that.
    const lanes = Array.from({ length: 16 }, async (_, lane) => {
      const writer = lane % 2 === 0 ? one : two;
      for (let n = lane; n < batches.length; n += 16) await writer.resolve(batches[n] ?? []);
    });
    await Promise.all(lanes);
    const persons = await readPersons(database);
    expect(persons.flatMap(({ ids: own }) => own)).toHaveLength(16);
  });
});

describe('groups', () => {
  const groupsOf = () =>
    database.query('select type_index as type, key, properties from groups order by project_id, type_index, key');

  it('are numbered by type, keep their latest properties, and mark events', async () => {
    const describe = (ts: number, set: Record<string, string>): Said => ({
      ...{ event: '$groupidentify', id: 'u', ts },
      groupIdentify: { type: 'company', key: 'acme', set },
    });
    const { additions } = await one.resolve([
      said(describe(5, { name: 'Acme', plan: 'pro' })),
      said({ id: 'u', ts: 6, properties: { $groups: { company: 'acme', workspace: 7 } } }),
      said({ ...personless('v', 6), properties: { $groups: { company: 'acme' } } }),
    ]);
    await two.resolve([said(describe(3, { name: 'Old', city: 'Manaus' }))]);
    expect(await groupsOf()).toEqual([
      { type: 0, key: 'acme', properties: { name: 'Acme', plan: 'pro', city: 'Manaus' } },
    ]);
    expect(additions).toEqual([null, { $group_0: 'acme', $group_1: '7' }, null]);
  });

  it('are the same however long their type and key are, on events and described', async () => {
    const [type, key] = [`${'g'.repeat(199)}🚀`, 'k'.repeat(300)];
    const { additions } = await one.resolve([
      said({ event: '$groupidentify', id: 'u', ts: 1, groupIdentify: { type, key, set: { plan: 'pro' } } }),
      said({ id: 'u', ts: 2, properties: { $groups: { [type]: key } } }),
    ]);
    expect(await groupsOf()).toEqual([{ type: 0, key, properties: { plan: 'pro' } }]);
    expect(additions).toEqual([null, { $group_0: key }]);
  });

  it('hold no more than a person', async () => {
    const told = (ts: number, name: string) =>
      said({
        ...{ event: '$groupidentify', id: 'u', ts },
        groupIdentify: { type: 'company', key: 'acme', set: { [name]: 'x'.repeat(300_000) } },
      });
    const { warnings } = await one.resolve([told(1, 'a'), told(2, 'b'), told(3, 'a')]);
    expect(reasons(warnings)).toEqual(['properties_too_large']);
    expect(warnings[0]?.sample).toMatchObject({ detail: 'company: acme' });
    expect((await groupsOf()).map(({ properties }) => Object.keys(properties as object))).toEqual([['a']]);
  });

  it('have a type and a key: what has none of one takes no number', async () => {
    const { additions, warnings } = await one.resolve([
      said({ id: 'u', ts: 1, properties: { $groups: { '': 'a', ' ': 'b', company: ' ', team: '', workspace: 'w' } } }),
    ]);
    expect(additions).toEqual([{ $group_0: 'w' }]);
    expect(warnings).toEqual([]);
  });

  it('have at most five types, in order of arrival', async () => {
    const batch = (prefix: string) =>
      Array.from({ length: 4 }, (_, n) =>
        said({ id: 'u', ts: 1, properties: { $groups: { [`${prefix}${n}`]: 'k' } } }),
      );
    const resolved = await Promise.all([one.resolve(batch('a')), two.resolve(batch('b'))]);
    expect(reasons(resolved.flatMap(({ warnings }) => warnings))).toEqual(Array(3).fill('too_many_group_types'));
    const types = await database.query('select type_index from group_types order by 1');
    expect(types.map(({ type_index }) => type_index)).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('what people are found by', () => {
  it('is indexed by columns that stay as they were when another property changes', async () => {
    const over = await database.query(
      `select i.indexrelid::regclass::text as index
         from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attname in ('properties', 'property_stamps')
        where i.indrelid = 'persons'::regclass
          and exists (select from pg_depend d
                       where d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
                         and d.refobjid = i.indrelid and d.refobjsubid = a.attnum)`,
    );
    expect(over).toEqual([]);
  });

  it('may be longer than an index holds', async () => {
    const long = Array.from({ length: 300 }, (_, n) => uuidV5(String(n))).join('');
    await one.resolve([
      said({ event: '$set', id: 'u', ts: 1, person: { set: { email: `A${long}`, name: `B${long}` } } }),
    ]);
    const [row] = await database.query('select email_key, name_key from persons');
    expect(row).toEqual({ email_key: `a${long}`.slice(0, 400), name_key: `b${long}`.slice(0, 400) });
  });
});
