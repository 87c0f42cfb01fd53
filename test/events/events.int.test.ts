import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import { eraseEvents, type GroupsApart } from '#src/events/erasure.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { uuidV5, uuidV7 } from '#src/kit/ids.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Projects } from '#src/projects/projects.ts';
import { isDataError, openDirect } from '#src/store/db.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';

const database = useDatabase();
let deps: TestDeps;
let projects: Projects;
let events: Events;
let projectId: number;

beforeEach(async () => {
  deps = testDeps(database.url);
  projects = createProjects(deps);
  projectId = (await projects.create({ name: 'Shop', timeZone: 'UTC' })).id;
  events = open(deps);
});

afterEach(async () => {
  await events.stop();
  await deps.close();
});

function open(on: TestDeps): Events {
  return createEvents(on, { persons: createPersons(on), projects: createProjects(on) });
}

const SESSION = uuidV7(TEST_TIME - 60_000);

function event(over: Partial<FinishedEvent> = {}): FinishedEvent {
  const ts = over.ts ?? TEST_TIME;
  return {
    projectId,
    uuid: uuidV7(ts),
    event: '$pageview',
    distinctId: 'd1',
    ts,
    receivedAt: TEST_TIME + 100,
    session: SESSION,
    marks: 0,
    groups: { page: { $host: 'shop.example', $pathname: '/' }, device: { $browser: 'Chrome' } },
    properties: { price: 12.5 },
    person: { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
    ...over,
  };
}

describe('storing', () => {
  it('writes everything that follows from an event in one transaction', async () => {
    const one = event();
    expect(await events.store([one])).toEqual({ outcomes: ['stored'], warnings: [] });

    const [row] = await database.query(`
      select e.ts, e.received_at, e.uuid, n.name, page.properties as page, device.properties as device, e.properties, e.marks,
        e.epoch, d.distinct_id, s.uuid as session
      from events e
      join event_names n on n.project_id = e.project_id and n.number = e.event
      join property_groups page on page.project_id = e.project_id and page.kind = 1 and page.number = e.page
      join property_groups device on device.project_id = e.project_id and device.kind = 2 and device.number = e.device
      join distinct_ids d on d.project_id = e.project_id and d.number = e.distinct_id
      join sessions s on s.project_id = e.project_id and s.id = e.session_id`);
    expect(row).toEqual({
      ts: new Date(one.ts),
      received_at: new Date(one.receivedAt),
      uuid: one.uuid,
      name: '$pageview',
      page: { $host: 'shop.example', $pathname: '/' },
      device: { $browser: 'Chrome' },
      properties: expect.objectContaining({ price: 12.5 }),
      marks: 0,
      epoch: 1,
      distinct_id: 'd1',
      session: SESSION,
    });
    expect(await database.query('select quarter, events, bots from event_counts')).toEqual([
      { quarter: new Date(TEST_TIME), events: 1, bots: 0 },
    ]);
    expect((await projects.get(projectId))?.outsideEventAt).toBe(one.receivedAt);
  });

  it('stores nothing when what runs before the commit fails', async () => {
    const failing = events.store([event()], () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    const [row] = await database.query(`
      select (select count(*) from events)::int as events, (select count(*) from event_uuids)::int as uuids,
        (select count(*) from sessions)::int as sessions, (select count(*) from persons)::int as persons`);
    expect(row).toEqual({ events: 0, uuids: 0, sessions: 0, persons: 0 });
  });

  it('tells the commit to those who listen', async () => {
    const listener = openDirect(deps.config);
    await listener.connect();
    const heard = new Promise((resolve) => listener.on('notification', resolve));
    await listener.query('listen luneta_events');
    await events.store([event()]);
    expect(await heard).toMatchObject({ payload: String(projectId) });
    await listener.end();
  });

  it('says since when, where it comes long after its receipt', async () => {
    const listener = openDirect(deps.config);
    await listener.connect();
    const heard = new Promise((resolve) => listener.on('notification', resolve));
    await listener.query('listen luneta_events');
    const since = TEST_TIME - 60_000;
    await events.store([event({ receivedAt: since + 1 }), event({ receivedAt: since }), event()]);
    expect(await heard).toMatchObject({ payload: `${projectId}@${since}` });
    await listener.end();
  });

  it('keeps times of any year', async () => {
    const times = [Date.UTC(1970, 0, 1), Date.UTC(2019, 5, 30, 23, 59, 59, 999), Date.UTC(9999, 11, 31)];
    await events.store(times.map((ts) => event({ ts, session: null })));
    const rows = await database.query<{ ms: string }>(
      'select extract(epoch from ts) * 1000 as ms from events order by ts',
    );
    expect(rows.map((row) => Number(row.ms))).toEqual(times);
  });

  it('keeps any text that JSON can hold', async () => {
    const properties = {
      emoji: '🚀',
      quote: '"\\',
      empty: '',
      long: 'é'.repeat(5_000),
      nested: { 'a b': [1, null, true] },
    };
    await events.store([event({ properties })]);
    const [row] = await database.query<{ properties: object }>('select properties from events');
    expect(row?.properties).toMatchObject(properties);
  });
});

describe('rows', () => {
  it('keep window and device ids as they came, in a column where one can hold them', async () => {
    const ids = { $window_id: uuidV7(TEST_TIME), $device_id: uuidV7(TEST_TIME) };
    const odd = { $window_id: ids.$window_id.toUpperCase(), $device_id: 7 };
    await events.store([event({ ts: TEST_TIME, properties: ids }), event({ ts: TEST_TIME + 1, properties: odd })]);
    const rows = await database.query('select window_id, device_id, properties from events order by ts');
    expect(rows).toEqual([
      { window_id: ids.$window_id, device_id: ids.$device_id, properties: null },
      { window_id: null, device_id: null, properties: odd },
    ]);
  });

  it('keep what an event changed of its person, and the numbers of its groups', async () => {
    const person = { process: true, set: { plan: 'pro' }, setOnce: {}, unset: [], identify: false, merge: null };
    const properties = { $groups: { company: 'acme' } };
    await events.store([
      event({ person, properties, ts: TEST_TIME }),
      event({ person, ts: TEST_TIME + 1, properties: {} }),
    ]);
    const rows = await database.query('select properties from events order by ts');
    expect(rows).toEqual([
      { properties: { ...properties, $group_0: 'acme', $set: { plan: 'pro' } } },
      { properties: null },
    ]);
  });

  it('says what was refused, whichever statement it was', async () => {
    const bad = event({ properties: { a: 'x\u0000' } });
    const refused = await events
      .store([bad], async (client) => {
        await client.query('select 1');
        return null;
      })
      .catch((error: unknown) => error);
    expect(isDataError(refused)).toBe(true);
    // A person's own text, with a visit behind it.
    const person = { process: true, set: { a: 'x\u0000' }, setOnce: {}, unset: [], identify: false, merge: null };
    await events.store([event()]);
    expect(isDataError(await events.store([event({ person })]).catch((error: unknown) => error))).toBe(true);
    expect(await events.store([event()])).toMatchObject({ outcomes: ['stored'] });
  });

  it.each([
    ['text that PostgreSQL refuses', { properties: { a: 'x\u0000' } }],
    ['half a character', { properties: { a: '\ud800' } }],
    ['a time that is none', { ts: Number.NaN }],
    ['a uuid that is none', { uuid: 'no uuid' }],
    ['a session that is none', { session: 'no uuid' }],
  ])('refuse %s as bad data, and store nothing of the batch', async (_, bad) => {
    const refused = await events.store([event(), { ...event(), ...bad }]).catch((error: unknown) => error);
    expect(isDataError(refused)).toBe(true);
    expect(await database.query('select from events')).toHaveLength(0);
    expect((await events.store([event()])).outcomes).toEqual(['stored']);
  });
});

describe('the uuid ledger', () => {
  it('stores an event once, also within a batch and at the same moment', async () => {
    const one = event();
    const other = open(deps);
    const results = await Promise.all([events.store([one, { ...one }]), other.store([one]), events.store([one])]);
    const outcomes = results.flatMap((result) => result.outcomes);
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
    expect(await database.query('select uuid from events')).toEqual([{ uuid: one.uuid }]);
    await other.stop();
  });

  it('knows an event that comes again six days later, at another corrected time', async () => {
    const one = event();
    await events.store([one]);
    deps.clock.advance(6 * 86_400_000);
    const again = { ...one, ts: one.ts + 1_500, receivedAt: deps.clock.now() };
    expect((await events.store([again])).outcomes).toEqual(['duplicate']);
  });

  it('lets two copies on either side of a week meet', async () => {
    const monday = Math.ceil(TEST_TIME / 604_800_000) * 604_800_000;
    const late = testDeps(database.url);
    const other = open(late);
    deps.clock.set(monday - 1);
    late.clock.set(monday + 1);
    for (let round = 0; round < 5; round++) {
      const one = event();
      const results = await Promise.all([events.store([one]), other.store([one])]);
      expect(results.flatMap((result) => result.outcomes).sort()).toEqual(['duplicate', 'stored']);
    }
    await other.stop();
    await late.close();
  });

  it('knows one that a clock far ahead named, in the week of its name too', async () => {
    const ahead = event({ uuid: uuidV7(TEST_TIME + 7 * 86_400_000) });
    await events.store([ahead]);
    deps.clock.advance(7 * 86_400_000);
    expect((await events.store([ahead])).outcomes).toEqual(['duplicate']);
    const farAhead = event({ uuid: uuidV7(TEST_TIME + 21 * 86_400_000) });
    await events.store([farAhead]);
    deps.clock.advance(7 * 86_400_000);
    expect((await events.store([farAhead])).outcomes).toEqual(['duplicate']);
  });

  it('picks the copies out of a batch', async () => {
    const known = [event(), event({ uuid: uuidV5('of another version') })];
    await events.store(known);
    const batch = [event(), known[1] as FinishedEvent, event(), known[0] as FinishedEvent];
    expect((await events.store(batch)).outcomes).toEqual(['stored', 'duplicate', 'stored', 'duplicate']);
    expect(await database.query('select from events')).toHaveLength(4);
  });

  it('finds historical events among the rows, however long ago they came', async () => {
    const one = event({ marks: eventMarks.historical });
    await events.store([one]);
    const again = { ...one, receivedAt: one.receivedAt + 400 * 86_400_000 };
    expect((await events.store([again])).outcomes).toEqual(['duplicate']);
    expect(await database.query('select uuid from event_uuids')).toEqual([]);
  });

  it('drops the weeks that no retry can reach', async () => {
    await events.store([event()]);
    deps.clock.set(TEST_TIME + 21 * 86_400_000);
    await events.maintain();
    expect(await database.query('select uuid from event_uuids')).toEqual([]);
  });
});

describe('sessions', () => {
  const history = () => [
    event({ ts: TEST_TIME + 2_000, event: '$autocapture', groups: { page: { $pathname: '/a' } } }),
    event({
      ts: TEST_TIME + 1_000,
      groups: { page: { $pathname: '/a' }, source: { $referring_domain: 'google.com' } },
    }),
    event({ ts: TEST_TIME + 5_000, groups: { page: { $pathname: '/b' } } }),
    event({ ts: TEST_TIME + 500, event: 'early', groups: { source: { $referring_domain: 'bing.com' } } }),
    event({ ts: TEST_TIME + 9_000, event: '$pageleave', groups: { page: { $pathname: '/b' } } }),
  ];

  it.each([
    ['in order', [3, 1, 0, 2, 4]],
    ['backwards', [4, 2, 0, 1, 3]],
    ['mixed', [2, 3, 4, 0, 1]],
  ])('gives the same row %s, in one batch or many', async (_, order) => {
    const all = history();
    for (const [at, index] of order.entries()) {
      if (at !== 2) await events.store([all[index] as FinishedEvent]);
      else await events.store(order.slice(2).map((each) => all[each] as FinishedEvent));
      if (at === 2) break;
    }
    const [row] = await database.query(`
      select first_ts, last_ts, views, screens, autocaptures, events, bot, entry.properties ->> '$pathname' as entry,
        exit.properties ->> '$pathname' as exit, source.properties ->> '$referring_domain' as source
      from sessions s
      left join property_groups entry on entry.project_id = s.project_id and entry.kind = 1 and entry.number = entry_page
      left join property_groups exit on exit.project_id = s.project_id and exit.kind = 1 and exit.number = exit_page
      left join property_groups source on source.project_id = s.project_id and source.kind = 3 and source.number = s.source`);
    expect(row).toEqual({
      first_ts: new Date(TEST_TIME + 500),
      last_ts: new Date(TEST_TIME + 9_000),
      views: 2,
      screens: 0,
      autocaptures: 1,
      events: 5,
      bot: false,
      entry: '/a',
      exit: '/b',
      source: 'bing.com',
    });
  });
});

describe('an erasure', () => {
  it('that empties a group while it goes on takes it from no event of anybody else', async () => {
    const groups = { page: { $host: 'shop.example', $pathname: '/rare' } };
    await events.store([event({ groups, distinctId: 'leaves', session: null })]);
    const [erased] = await database.query('select person from events');
    const client = openDirect(deps.config);
    await client.connect();
    const pageOfNext = async () => {
      const next = event({ groups, distinctId: 'stays', session: null });
      await events.store([next]);
      const [row] = await database.query(
        `select g.properties from events e join property_groups g on g.project_id = e.project_id and g.kind = 1 and g.number = e.page
          where e.uuid = $1`,
        [next.uuid],
      );
      return row?.['properties'];
    };
    let isBetween = false;
    const run = client.query.bind(client) as (...input: unknown[]) => Promise<unknown>;
    client.query = (async (...input: unknown[]) => {
      const [first] = input as [string | { text: string }];
      const text = typeof first === 'string' ? first : first.text;
      if (!isBetween && /^\s*delete from events/.test(text)) {
        isBetween = true;
        await until(async () => (await pageOfNext())?.['$pathname'] === '/rare');
      }
      return run(...input);
    }) as typeof client.query;
    try {
      const persons = [erased?.['person'] as number];
      await eraseEvents(client, { projectId, persons, apart: {}, remember: async () => undefined });
    } finally {
      await client.end();
    }
    expect(isBetween).toBe(true);
    expect(await pageOfNext()).toEqual(groups.page);
  });

  it('keeps shared groups that another person sends after the check for references', async () => {
    const groups = { page: { $host: 'shop.example', $pathname: '/new' }, device: { $browser: 'Chrome' } };
    const own = { page: { $host: 'shop.example', $pathname: '/clients/ana' } };
    await events.store([event({ groups, distinctId: 'ana' }), event({ groups: own, distinctId: 'ana' })]);
    const [ana] = await database.query<{ person: number }>(`select person from distinct_ids where distinct_id = 'ana'`);
    const client = openDirect(deps.config);
    await client.connect();
    const run = client.query.bind(client) as (...input: unknown[]) => Promise<unknown>;
    const kept: GroupsApart[] = [];
    const look = (apart: GroupsApart) =>
      eraseEvents(client, {
        ...{ projectId, persons: [ana?.person as number], apart },
        remember: async (found) => void kept.push(found),
      });
    let isStored = false;
    client.query = (async (...input: unknown[]) => {
      const [first] = input as [string | { text: string }];
      const answer = await run(...input);
      if (!isStored && /^\s*update property_groups/.test(typeof first === 'string' ? first : first.text)) {
        isStored = true;
        await events.store([event({ groups, distinctId: 'bia' })]);
      }
      return answer;
    }) as typeof client.query;
    try {
      expect(await look({})).toMatchObject({ events: 2, property_groups: 0 });
      expect(isStored).toBe(true);
      const apart = Object.fromEntries(kept.flatMap((found) => Object.entries(found)));
      expect(await look(apart)).toMatchObject({ events: 0, property_groups: 1 });
    } finally {
      await client.end();
    }
    const left = await database.query(`
      select page.properties as page, device.properties as device
        from events e
        join property_groups page on page.project_id = e.project_id and page.kind = 1 and page.number = e.page
        join property_groups device on device.project_id = e.project_id and device.kind = 2 and device.number = e.device`);
    expect(left).toEqual([groups]);
    expect(await database.query(`select from property_groups where properties::text like '%/clients/%'`)).toEqual([]);
  });
});

describe('several writers at once', () => {
  it('neither lose nor repeat, nor wait for each other in a circle', async () => {
    const writers = [events, open(deps), open(deps)];
    const batches = Array.from({ length: 12 }, (_, batch) =>
      Array.from({ length: 40 }, (_, index) =>
        event({
          ts: TEST_TIME + index,
          distinctId: `d${(index * 7 + batch) % 13}`,
          event: `name ${(index + batch) % 5}`,
          session: uuidV5(`session ${(index * 3 + batch) % 11}`),
          person: {
            process: true,
            set: { n: batch },
            setOnce: {},
            unset: [],
            identify: index % 10 === 0,
            merge: index % 10 === 0 ? { kind: 'identify', otherDistinctId: `anon${(index + batch) % 6}` } : null,
          },
        }),
      ),
    );
    await Promise.all(batches.map((batch, at) => (writers[at % 3] as Events).store(batch)));
    const [row] = await database.query(`
      select (select count(*) from events)::int as events, (select sum(events) from event_counts)::int as counted,
        (select sum(events) from sessions)::int as in_sessions`);
    expect(row).toEqual({ events: 480, counted: 480, in_sessions: 480 });
    await Promise.all(writers.slice(1).map((writer) => writer.stop()));
  });
});
