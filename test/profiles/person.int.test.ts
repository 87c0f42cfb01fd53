/** One person: their page follows from their events, in any order of arrival. */
import { useDatabase } from '#test/kit/database.ts';
import { identify, MINUTE, openPeople, type PeopleScene, TEST_TIME } from './scene.ts';

const database = useDatabase();
let scene: PeopleScene;

beforeEach(async () => {
  scene = await openPeople(database.url);
});
afterEach(() => scene.close());

const at = TEST_TIME - 60 * MINUTE;
const page = (path: string, campaign?: string) => ({
  page: { $pathname: path },
  device: { $browser: 'Firefox', $os: 'Linux', $device_type: 'Desktop', $browser_language: 'pt-BR' },
  geo: { $geoip_country_code: 'BR', $geoip_city_name: 'Curitiba' },
  source: campaign
    ? { $channel_type: 'Email', $session_entry_utm_source: 'news', $session_entry_utm_campaign: campaign }
    : { $channel_type: 'Direct', $session_entry_referring_domain: '$direct' },
});

async function arrange(): Promise<void> {
  // The later visit arrives first.
  await scene.tell(
    { event: '$pageview', id: 'user', ts: at + 30 * MINUTE, visit: 'second', groups: page('/cart') },
    { event: 'bought', id: 'user', ts: at + 31 * MINUTE, visit: 'second', person: { set: { plan: 'pro' } } },
  );
  await scene.tell(
    {
      event: '$pageview',
      id: 'anon',
      ts: at,
      visit: 'first',
      groups: page('/start', 'spring'),
      person: { process: false },
    },
    {
      event: '$pageview',
      id: 'anon',
      ts: at + 1,
      visit: 'first',
      groups: page('/more', 'spring'),
      person: { process: false },
    },
    identify('user', 'anon', at + MINUTE, { plan: 'free', email: 'ana@shop.example' }),
  );
}

describe('Person', () => {
  it('shows who they are, by which ids, and where they came from first and last', async () => {
    await arrange();
    const uuid = await scene.whoIs('user');
    const person = await scene.profiles.get(scene.project.id, uuid);
    expect(person).toMatchObject({
      ...{
        state: 'there',
        uuid,
        label: 'ana@shop.example',
        identified: true,
        identifiedAt: at + MINUTE,
        isHere: false,
      },
      firstSeen: at,
      lastSeen: at + 31 * MINUTE,
      visits: 2,
      views: 3,
      events: 5,
      moreIds: 0,
      splits: [],
      groups: [],
      country: 'BR',
      browser: 'Firefox',
      os: 'Linux',
      device: 'Desktop',
      language: 'pt-BR',
      firstTouch: { at, channel: 'Email', source: 'news', campaign: 'spring', page: '/start', country: 'BR' },
      lastTouch: { at: at + 30 * MINUTE, channel: 'Direct', source: null, campaign: null, page: '/cart' },
    });
    expect(person?.ids).toEqual([
      { distinctId: 'user', joined: null },
      { distinctId: 'anon', joined: { at: at + MINUTE, by: expect.objectContaining({ event: '$identify' }) } },
    ]);
  });

  it('reads pages and channels by the rules of the project, also those of the past', async () => {
    const own = (path: string, hash: string) => ({
      ...page(path, 'spring'),
      page: { $pathname: path, $current_url: `https://shop.example${path}#/${hash}`, $host: 'www.shop.example' },
    });
    await scene.tell(
      {
        event: '$pageview',
        id: 'user',
        ts: at,
        visit: 'first',
        groups: own('/Order/7', 'Pay'),
        person: { set: { plan: 'pro' } },
      },
      { event: '$pageview', id: 'user', ts: at + 50 * MINUTE, visit: 'second', groups: own('/order/8/', '') },
    );
    const uuid = await scene.whoIs('user');
    const pathRules = { trailingSlash: true, letterCase: true, ids: true, hashRoutes: true };
    const channelRules = [{ channel: 'Press', when: [{ field: 'source' as const, like: 'n*' }] }];
    await scene.projects.update(scene.project.id, {
      settings: { pathRules, channelRules },
    });
    const person = await scene.profiles.get(scene.project.id, uuid);
    expect(person?.firstTouch).toMatchObject({ page: '/order/:id#/pay', channel: 'Press', source: 'news' });
    expect(person?.lastTouch).toMatchObject({ page: '/order/:id#/', channel: 'Press' });
    expect(person?.properties.find(({ name }) => name === '$initial_pathname')?.value).toBe('/order/:id#/pay');
    const { rows, visits } = await scene.profiles.timeline(scene.project.id, { person: uuid });
    expect(rows.map(({ detail }) => detail)).toEqual(['/order/:id#/', '/order/:id#/pay']);
    expect(visits.map(({ entry, channel }) => [entry, channel])).toEqual(
      expect.arrayContaining([['/order/:id#/pay', 'Press']]),
    );
    await scene.projects.update(scene.project.id, {
      settings: {
        pathRules: { trailingSlash: false, letterCase: false, ids: false, hashRoutes: false },
        channelRules: [],
      },
    });
    expect((await scene.profiles.get(scene.project.id, uuid))?.firstTouch).toMatchObject({
      page: '/Order/7',
      channel: 'Email',
    });
  });

  it('counts all ids of a person with more than are shown', async () => {
    await arrange();
    const uuid = await scene.whoIs('user');
    await database.query(`
      insert into distinct_ids (project_id, distinct_id, number, person)
      select project_id, 'more-' || n, number + 1000 + n, person from distinct_ids, generate_series(1, 9999) as n where distinct_id = 'user'`);
    const { id } = scene.project;
    const person = await scene.profiles.get(id, uuid);
    expect((person?.ids.length ?? 0) + (person?.moreIds ?? 0)).toBe(10_001);
    const found = await scene.people.get(id, uuid);
    expect(found).toMatchObject({ distinctIdCount: 10_001, distinctIds: { length: 1_000 } });
  });

  it('does not show a person without events as seen', async () => {
    await arrange();
    const uuid = await scene.whoIs('user');
    await database.query('delete from events');
    const person = await scene.profiles.get(scene.project.id, uuid);
    expect(person).toMatchObject({ firstSeen: at, lastSeen: null, events: 0, isHere: false });
  });

  it('explains their numbers with SQL that gives what is shown', async () => {
    await arrange();
    await scene.tell({ event: 'ping', id: 'user', ts: at + 40 * MINUTE, visit: 'without a view' });
    const uuid = await scene.whoIs('user');
    const person = await scene.profiles.get(scene.project.id, uuid);
    const { parts, left } = await scene.profiles.explain(scene.project.id, uuid);
    const [row] = await database.query<Record<string, string | Date>>(parts[0]?.sql ?? '');
    const shown = Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
    expect(person).toMatchObject(shown);
    expect(shown).toMatchObject({ visits: 2, views: 3, events: 6, lastSeen: at + 40 * MINUTE });
    expect(left).toEqual([{ what: 'visitsWithoutView', count: 1 }]);
    const { visits } = await scene.profiles.timeline(scene.project.id, { person: uuid });
    const explained = await database.query<Record<string, unknown>>(parts[1]?.sql ?? '');
    expect(explained).toHaveLength(visits.length);
    for (const visit of visits) {
      const own = explained.find((each) => each['uuid'] === visit.uuid);
      expect([own?.['views'], own?.['events'], Number(own?.['seconds'])].map(Number)).toEqual([
        ...[visit.views, visit.events, (visit.lastTs - visit.firstTs) / 1000],
      ]);
    }
    const ids = await database.query<{ distinct_id: string }>(parts[2]?.sql ?? '');
    expect(ids.map((each) => each.distinct_id)).toEqual(person?.ids.map(({ distinctId }) => distinctId));
    await expect(scene.profiles.explain(scene.project.id, '00000000-0000-4000-8000-000000000000')).rejects.toThrow();
  });

  it('says of each property who said it, and what was said before', async () => {
    await arrange();
    const uuid = await scene.whoIs('user');
    const person = await scene.profiles.get(scene.project.id, uuid);
    const plan = person?.properties.find(({ name }) => name === 'plan');
    expect(plan).toMatchObject({ value: 'pro', by: { event: 'bought', ts: at + 31 * MINUTE } });
    const changes = await scene.profiles.changes(scene.project.id, uuid);
    // The earlier plan lost when it arrived: it changed nothing, and is no change.
    expect(changes.map(({ name, value, by }) => [name, value, by.event])).toEqual([
      ['plan', 'pro', 'bought'],
      ['email', 'ana@shop.example', '$identify'],
    ]);
  });

  it('says it also of a clock that was ahead, whose word counts from when it came', async () => {
    const [ahead, came] = [at + 600 * MINUTE, at + MINUTE];
    await scene.tell({ event: 'seen', id: 'anon', ts: at });
    await scene.tell({ ...identify('user', 'anon', ahead, { plan: 'free', email: 'a@b.example' }), receivedAt: came });
    await scene.tell({
      event: 'bought',
      id: 'user',
      ts: came + 1,
      person: { set: { plan: 'pro' } },
      orderedAt: came + 1.25,
    });
    const person = await scene.profiles.get(scene.project.id, await scene.whoIs('user'));
    const by = (name: string) => person?.properties.find((each) => each.name === name)?.by;
    expect(by('plan')).toMatchObject({ event: 'bought', ts: came + 1 });
    expect(by('email')).toMatchObject({ event: '$identify', ts: ahead });
    expect(person?.ids.map(({ joined }) => joined)).toEqual([
      ...[null, { at: came, by: { ts: ahead, uuid: by('email')?.uuid, event: '$identify' } }],
    ]);
  });

  it('tells what they did by visits, page by page, of one kind if asked', async () => {
    await arrange();
    const many = Array.from({ length: 60 }, (_, n) => ({ id: 'user', ts: at + 32 * MINUTE + n, event: 'clicked' }));
    await scene.tell(...many);
    const person = await scene.whoIs('user');
    const first = await scene.profiles.timeline(scene.project.id, { person });
    expect(first.rows).toHaveLength(50);
    const second = await scene.profiles.timeline(scene.project.id, { person, after: first.next ?? undefined });
    expect(second.rows.map(({ event, detail }) => [event, detail]).slice(10)).toEqual([
      ['bought', ''],
      ['$pageview', '/cart'],
      ['$identify', ''],
      ['$pageview', '/more'],
      ['$pageview', '/start'],
    ]);
    expect(second.next).toBeNull();
    expect(second.visits.toSorted((one, other) => one.firstTs - other.firstTs)).toMatchObject([
      {
        views: 2,
        events: 2,
        entry: '/start',
        channel: 'Email',
        campaign: 'spring',
        browser: 'Firefox',
        city: 'Curitiba',
      },
      { views: 1, events: 2, entry: '/cart', channel: 'Direct', firstTs: at + 30 * MINUTE, lastTs: at + 31 * MINUTE },
    ]);
    const count = async (kind: 'views' | 'own' | 'identity' | 'clicks') =>
      (await scene.profiles.timeline(scene.project.id, { person, kind })).rows.length;
    expect([await count('views'), await count('own'), await count('identity'), await count('clicks')]).toEqual([
      3, 50, 1, 0,
    ]);
  });

  it('is found by the uuid of a person merged into them', async () => {
    await scene.tell({ id: 'anon', ts: at }, { id: 'user', ts: at + 1 });
    const before = await scene.whoIs('anon');
    await scene.tell(identify('user', 'anon', at + 2));
    const person = await scene.profiles.get(scene.project.id, before);
    expect(person?.uuid).toBe(await scene.whoIs('user'));
    expect(person?.uuid).not.toBe(before);
    expect((await scene.profiles.timeline(scene.project.id, { person: before })).rows).toHaveLength(3);
  });

  it('is here within five minutes of an event', async () => {
    await scene.tell({ id: 'ana', ts: TEST_TIME - 4 * MINUTE });
    expect(await scene.profiles.get(scene.project.id, await scene.whoIs('ana'))).toMatchObject({ isHere: true });
    scene.deps.clock.set(TEST_TIME + 2 * MINUTE);
    expect(await scene.profiles.get(scene.project.id, await scene.whoIs('ana'))).toMatchObject({ isHere: false });
  });
});
