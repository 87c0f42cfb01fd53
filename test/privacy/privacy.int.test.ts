import { createColumns } from '#src/columns/columns.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createHistory } from '#src/events/history.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createPeople, type People } from '#src/persons/people.ts';
import { createPersons } from '#src/persons/persons.ts';
import { explainPrivacy } from '#src/privacy/explain.ts';
import { createPrivacy, type Privacy } from '#src/privacy/privacy.ts';
import { createProjects, type Project } from '#src/projects/projects.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';

const database = useDatabase();
const MARINA = { email: 'marina@serrana.example', ids: ['anon-marina', 'user-marina'] };
const SHARED = uuidV7(TEST_TIME - 600_000);
let deps: TestDeps;
let events: Events;
let people: People;
let privacy: Privacy;
let project: Project;
let by: { id: number; name: string };

beforeEach(async () => {
  deps = testDeps(database.url);
  const projects = createProjects(deps);
  project = await projects.create({ name: 'Shop', timeZone: 'UTC', settings: { retentionDays: 30 } });
  events = createEvents(deps, { persons: createPersons(deps), projects });
  people = createPeople(deps);
  const parts = { people, history: createHistory(deps), secrets: createSecrets(deps), projects, elsewhere: [] };
  privacy = createPrivacy(deps, parts);
  const [user] = await database.query<{ id: number }>(
    `insert into users (uuid, email, email_key, name, language, time_zone, created_at)
     values (gen_random_uuid(), 'a@b.example', 'a@b.example', 'Ana', 'en', 'UTC', '2026-01-01') returning id`,
  );
  by = { id: user?.id as number, name: 'Ana' };
});

afterEach(async () => {
  await events.stop();
  await deps.close();
});

let minute = 0;

function event(distinctId: string, over: Partial<FinishedEvent> = {}): FinishedEvent {
  const ts = TEST_TIME - 600_000 + ++minute * 1000;
  return {
    ...{ projectId: project.id, uuid: uuidV7(ts), event: '$pageview', distinctId, ts, receivedAt: ts },
    ...{ session: uuidV7(TEST_TIME - 600_000), marks: 0, properties: {} },
    groups: { page: { $host: 'shop.example', $pathname: '/' }, device: { $browser: 'Chrome' } },
    person: { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
    ...over,
  };
}

/** Marina looks around, signs up, is in a group, has a page of her own; Bia shares one visit and all else with her. */
async function tell(): Promise<void> {
  minute = 0;
  await events.store([
    event('anon-marina', { session: SHARED }),
    event('bia', { session: SHARED }),
    event('bia', { session: SHARED, event: 'purchase' }),
    event('anon-marina'),
    event('user-marina'),
  ]);
  const sign = { kind: 'identify', otherDistinctId: 'anon-marina' } as const;
  await events.store([
    event('user-marina', {
      event: '$identify',
      properties: { $anon_distinct_id: 'anon-marina' },
      person: { ...asked, set: { email: MARINA.email, name: '=Marina' }, identify: true, merge: sign },
    }),
    event('user-marina', {
      groups: { page: { $pathname: `/clients/${MARINA.email}` } },
      properties: { note: '+55 11' },
    }),
    event('user-marina', {
      event: '$groupidentify',
      properties: { $groups: { company: 'serrana' } },
      groupIdentify: { type: 'company', key: 'serrana', set: { plan: 'pro' } },
    }),
  ]);
  await database.query(
    `insert into ingestion_warnings (project_id, reason, hour, times, last_at, sample)
     values ($1, 'merge_refused', '2026-11-19', 3, '2026-11-19', $2)`,
    [project.id, { event: '$identify', distinct_id: 'bia', detail: 'user-marina' }],
  );
  await database.query(
    `insert into cookieless_sessions (project_id, visitor, session, first_ts, last_ts)
     values ($1, 'anon-marina', gen_random_uuid(), '2026-11-19', '2026-11-19')`,
    [project.id],
  );
}

const asked = { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null };

async function marina(): Promise<string> {
  const [found] = (await privacy.find(project.id, 'MARINA@serrana.example')).people;
  return found?.uuid as string;
}

/** Every table that holds one of these texts anywhere. */
async function tablesWith(...needles: string[]): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(`select 1 from ${name} t where t::text like any($1) limit 1`, [
      needles.map((needle) => `%${needle}%`),
    ]);
    if (rows.length > 0) found.push(name.replace(/_\d+$/, ''));
  }
  return [...new Set(found)].sort();
}

async function eraseAll(): Promise<void> {
  await privacy.work();
  deps.clock.advance(61_000);
  await privacy.work();
}

describe('erasing a person', () => {
  it('leaves 0 rows that hold their ids, address or numbers, in any table', async () => {
    await tell();
    const uuid = await marina();
    const { persons } = await people.identityOf(project.id, [(await people.get(project.id, uuid))?.number as number]);
    expect(persons).toHaveLength(2);
    expect(await tablesWith(...MARINA.ids, MARINA.email)).toEqual(
      expect.arrayContaining([
        'distinct_ids',
        'ingestion_warnings',
        'persons',
        'property_groups',
        'cookieless_sessions',
      ]),
    );

    const id = await privacy.erase(project.id, uuid, by);
    await eraseAll();

    expect(await tablesWith(...MARINA.ids, MARINA.email, uuid)).toEqual([]);
    for (const [table, column] of await columnsOfPersons()) {
      const rows = await database.query(`select 1 from ${table} where ${column} = any($1)`, [persons]);
      expect([table, column, rows.length]).toEqual([table, column, 0]);
    }
    const { requests } = await privacy.overview(project);
    const explained = explainPrivacy(project.id, TEST_TIME).parts.find(({ of }) => of === 'receipts');
    const told = await database.query<{ id: string; name: string; rows: number }>(explained?.sql ?? '');
    for (const { id, counts } of requests) {
      const own = told.filter((row) => Number(row.id) === id).map(({ name, rows }) => [name, Number(rows)]);
      expect(own.length).toBeGreaterThan(0);
      expect(Object.fromEntries(own)).toEqual(counts);
    }
    expect(requests).toMatchObject([{ id, kind: 'erase', state: 'done', askedBy: 'Ana' }]);
    expect(requests[0]?.counts).toEqual({
      ...{ persons: 2, distinct_ids: 2, person_overrides: 1, events: 6, sessions: 5, property_groups: 1 },
      ...{ ingestion_warnings: 1, cookieless_sessions: 1 },
    });
    // Whoever knows the id finds the receipt; the receipt names nobody.
    expect(await privacy.find(project.id, 'user-marina')).toMatchObject({ people: [], receipts: [{ id }] });
    expect((await privacy.find(project.id, 'bia')).receipts).toEqual([]);
  });

  it('leaves everybody else as they were, and numbers that add up', async () => {
    await tell();
    await privacy.erase(project.id, await marina(), by);
    await eraseAll();

    const [visit] = await database.query('select * from sessions');
    const [first] = await database.query(
      "select e.* from events e join event_names n on n.number = e.event where n.name = '$pageview'",
    );
    expect(visit).toMatchObject({
      ...{
        uuid: SHARED,
        views: 1,
        events: 2,
        person: first?.['person'],
        first_ts: first?.['ts'],
        entry_page: first?.['page'],
      },
      ...{ first_uuid: first?.['uuid'], exit_ts: first?.['ts'], bot: false },
    });
    const counts = await database.query(
      'select n.name, c.events, c.bots from event_counts c join event_names n on n.number = c.event order by 1',
    );
    expect(counts).toEqual([
      { name: '$pageview', events: 1, bots: 0 },
      { name: 'purchase', events: 1, bots: 0 },
    ]);
    const [page] = await database.query('select properties from property_groups where kind = 1 and number = $1', [
      first?.['page'],
    ]);
    expect(page).toEqual({ properties: { $host: 'shop.example', $pathname: '/' } });
  });

  it('takes what was stored under the old number meanwhile, and not who comes back later', async () => {
    await tell();
    const uuid = await marina();
    const number = (await people.get(project.id, uuid))?.number;
    await privacy.erase(project.id, uuid, by);
    await privacy.work();
    // A process that had not heard of it yet.
    await database.query(
      `insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, epoch, marks)
       select ts, received_at, gen_random_uuid(), project_id, $1, 1, event, epoch, marks from events limit 1`,
      [number],
    );
    await privacy.work();
    expect(await database.query('select 1 from events where person = $1', [number])).toHaveLength(1);
    await waitUntil(async () => {
      await events.store([event('user-marina', { person: { ...asked, set: { plan: 'new' } } })]);
      return (await people.page(project.id, { search: 'user-marina', limit: 2 })).length === 1;
    });
    deps.clock.advance(61_000);
    await privacy.work();

    expect(await database.query('select 1 from events where person = $1', [number])).toEqual([]);
    const [again] = await people.page(project.id, { search: 'user-marina', limit: 2 });
    expect(again).toMatchObject({ properties: { plan: 'new' }, distinctIds: ['user-marina'] });
    expect(again?.number).not.toBe(number);
    const [{ requests }] = [await privacy.overview(project)];
    expect(requests).toMatchObject([{ state: 'done', counts: { events: 7 } }]);
  });

  it('looks once more at what it finds by its second look, also after a restart', async () => {
    const state = async () => (await privacy.overview(project)).requests.map((request) => request.state);
    const restart = () => {
      const parts = { history: createHistory(deps), secrets: createSecrets(deps), projects: createProjects(deps) };
      privacy = createPrivacy(deps, { ...parts, people, elsewhere: [] });
    };
    await tell();
    const uuid = await marina();
    const number = (await people.get(project.id, uuid))?.number;
    await privacy.erase(project.id, uuid, by);
    await privacy.work();
    expect(await tablesWith(MARINA.email)).toEqual(['property_groups']);
    // A process that had not heard of it yet, with a page that nobody had seen.
    await database.query(
      `insert into property_groups (project_id, kind, number, hash, properties)
       values ($1, 1, 1000, 'a hash', '{"$pathname": "/bills/user-marina"}')`,
      [project.id],
    );
    await database.query(
      `insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, page, epoch, marks)
       select ts, received_at, gen_random_uuid(), project_id, $1, 1, event, 1000, epoch, marks from events limit 1`,
      [number],
    );
    restart();
    await privacy.work();
    deps.clock.advance(61_000);
    await privacy.work();
    expect(await tablesWith(...MARINA.ids, MARINA.email)).toEqual(['privacy_requests', 'property_groups']);
    restart();
    deps.clock.advance(30_000);
    await privacy.work();
    expect(await state()).toEqual(['sweeping']);
    deps.clock.advance(31_000);
    await privacy.work();
    expect(await state()).toEqual(['done']);
    expect(await tablesWith(...MARINA.ids, MARINA.email)).toEqual([]);
    expect(await database.query(`select from privacy_requests where groups_apart <> '{}'`)).toEqual([]);
  });

  it('leaves nothing of them in the columns either', async () => {
    await tell();
    const columns = createColumns(deps, { threads: 0 });
    await columns.seal();
    await privacy.erase(project.id, await marina(), by);
    await eraseAll();
    await columns.runMaintenance();
    expect(await columns.verify()).toEqual({ events: 2, visits: 1, findings: [] });
    const kept = await database.query('select kind, sum(rows)::int as rows from chunks group by 1 order by 1');
    expect(kept).toEqual([
      { kind: 1, rows: 2 },
      { kind: 2, rows: 1 },
    ]);
    await columns.stop();
  });

  it('begins again after it was cut short', async () => {
    await tell();
    await privacy.erase(project.id, await marina(), by);
    await expect(privacy.work(AbortSignal.abort())).rejects.toThrow();
    await eraseAll();
    expect(await tablesWith(...MARINA.ids, MARINA.email)).toEqual([]);
  });

  it('does not wait for files that may still be fetched, however many there are', async () => {
    await tell();
    await database.query(
      `insert into privacy_requests (project_id, kind, state, subjects, persons, distinct_ids, asked_by, asked_by_name, asked_at)
       select $1, 'export', 'waiting', '{}', '{1000000}', '{}', $2, 'Ana', $3 from generate_series(1, 1000)`,
      [project.id, by.id, new Date(TEST_TIME - 1000)],
    );
    await privacy.erase(project.id, await marina(), by);
    await eraseAll();
    expect(await tablesWith(...MARINA.ids, MARINA.email)).toEqual([]);
  });

  it('is done although an earlier one fails, which is reported', async () => {
    await tell();
    const [bia] = (await privacy.find(project.id, 'bia')).people;
    await privacy.erase(project.id, bia?.uuid as string, by);
    deps.clock.advance(1000);
    await privacy.erase(project.id, await marina(), by);
    const [first] = await database.query<{ persons: number[] }>(
      'select persons from privacy_requests order by id limit 1',
    );
    const identityOf: People['identityOf'] = async (id, persons, on) => {
      if (persons[0] === first?.persons[0]) throw new Error('cannot be');
      return people.identityOf(id, persons, on);
    };
    const projects = createProjects(deps);
    const parts = { history: createHistory(deps), secrets: createSecrets(deps), projects, elsewhere: [] };
    const hindered = createPrivacy(deps, { ...parts, people: { ...people, identityOf } });
    await expect(hindered.work()).rejects.toThrow('cannot be');
    const states = await database.query('select state from privacy_requests order by id');
    expect(states).toEqual([{ state: 'waiting' }, { state: 'sweeping' }]);
  });

  it('knows no person of another project', async () => {
    await tell();
    const other = await createProjects(deps).create({ name: 'Other', timeZone: 'UTC' });
    await expect(privacy.erase(other.id, await marina(), by)).rejects.toMatchObject({ code: 'not_found' });
    expect((await privacy.find(other.id, MARINA.email)).people).toEqual([]);
  });
});

describe('exporting a person', () => {
  it('gives everything that is known, line by line', async () => {
    await tell();
    const id = await privacy.export(project.id, await marina(), by);
    const lines = (await read(id, 'ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const kinds = lines.map(({ kind }) => kind);
    expect(
      Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((each) => each === kind).length])),
    ).toEqual({
      ...{ person: 1, event: 6, visit: 6, group: 1 },
    });
    expect(lines[0]).toMatchObject({ distinctIds: MARINA.ids, identified: true, properties: { email: MARINA.email } });
    expect(lines.map(({ distinctId }) => distinctId)).toEqual(expect.arrayContaining(MARINA.ids));
    expect(lines.at(-1)).toMatchObject({ type: 'company', key: 'serrana', properties: { plan: 'pro' } });
    expect(JSON.stringify(lines)).not.toContain('bia');
    expect((await privacy.overview(project)).requests).toMatchObject([
      { kind: 'export', state: 'done', counts: { persons: 2, distinct_ids: 2, events: 6, sessions: 6, groups: 1 } },
    ]);
    // A connection may have broken: within the day it can be fetched again.
    expect((await read(id, 'ndjson')).trim().split('\n')).toHaveLength(lines.length);
    deps.clock.advance(86_400_001);
    await privacy.work();
    await expect(read(id, 'ndjson')).rejects.toMatchObject({ code: 'not_found' });
    expect((await privacy.overview(project)).requests).toMatchObject([{ state: 'done', counts: { events: 6 } }]);
    expect(await openIdentities()).toEqual([]);
  });

  it('ends with the person', async () => {
    await tell();
    const uuid = await marina();
    const fetched = await privacy.export(project.id, uuid, by);
    await read(fetched, 'csv');
    const waiting = await privacy.export(project.id, uuid, by);
    await privacy.erase(project.id, uuid, by);
    await eraseAll();
    for (const id of [fetched, waiting]) {
      await expect(read(id, 'csv')).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await openIdentities()).toEqual([]);
    expect(await tablesWith(...MARINA.ids, MARINA.email)).toEqual([]);
  });

  it('reads page after page without losing or repeating an event', async () => {
    const many = Array.from({ length: 1203 }, (_, at) => event('user-marina', { ts: TEST_TIME - (at % 7) * 1000 }));
    await events.store(many.slice(0, 700));
    await events.store(many.slice(700));
    const [found] = (await privacy.find(project.id, 'user-marina')).people;
    const lines = (await read(await privacy.export(project.id, found?.uuid as string, by), 'ndjson')).split('\n');
    const uuids = lines.filter((line) => line.includes('"kind":"event"')).map((line) => JSON.parse(line).uuid);
    expect(uuids.sort()).toEqual(many.map(({ uuid }) => uuid).sort());
  });

  it('finds an address that was sent as the id, however it is typed; other ids only as they are', async () => {
    await events.store([event('rui@serrana.example'), event('user-rui')]);
    expect((await privacy.find(project.id, 'Rui@Serrana.example')).people).toMatchObject([
      { distinctIds: ['rui@serrana.example'] },
    ]);
    expect((await privacy.find(project.id, 'User-Rui')).people).toEqual([]);
  });

  it('is only for the requester, for a day', async () => {
    await tell();
    const id = await privacy.export(project.id, await marina(), by);
    await expect(
      privacy.file({ projectId: project.id, id, by: by.id + 1, format: 'csv', table: 'comma' }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
    deps.clock.advance(86_400_001);
    await privacy.work();
    await expect(read(id, 'csv')).rejects.toMatchObject({ code: 'not_found' });
    expect((await privacy.overview(project)).requests).toMatchObject([{ state: 'expired' }]);
  });

  it('writes a table in which nothing is a formula', async () => {
    await events.store([event('=cmd|calc'), event('=cmd|calc', { event: '@SUM(A1)', session: null })]);
    const [found] = (await privacy.find(project.id, '=cmd|calc')).people;
    const text = await read(await privacy.export(project.id, found?.uuid as string, by), 'csv');
    const [head, ...rows] = text.trimEnd().split('\r\n');
    expect(head).toBe('uuid,event,time,received,distinctId,visit,properties');
    expect(rows.map((row) => row.split(',').slice(1, 6))).toEqual([
      ["'@SUM(A1)", expect.any(String), expect.any(String), "'=cmd|calc", ''],
      ['$pageview', expect.any(String), expect.any(String), "'=cmd|calc", expect.any(String)],
    ]);
  });
});

test('what retention deletes stands in the log', async () => {
  minute = 0;
  await events.store([event('old', { ts: TEST_TIME - 40 * 86_400_000 }), event('new')]);
  await events.retire({ onRetired: (retired) => privacy.noteRetired(retired) });
  expect((await privacy.overview(project)).retention).toMatchObject([{ at: TEST_TIME, events: 1, sessions: 1 }]);
  const explained = explainPrivacy(project.id, TEST_TIME).parts.find(({ of }) => of === 'retention');
  const [night, ...others] = await database.query<Record<string, unknown>>(explained?.sql ?? '');
  expect([Number(night?.['events']), Number(night?.['sessions']), others.length]).toEqual([1, 1, 0]);
});

/** Requests that still say who they are about. */
function openIdentities() {
  return database.query("select id from privacy_requests where persons <> '{}' or distinct_ids <> '{}'");
}

async function read(id: number, format: 'ndjson' | 'csv'): Promise<string> {
  const { pieces } = await privacy.file({ projectId: project.id, id, by: by.id, format, table: 'comma' });
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Columns with numbers of persons, wherever they are. */
async function columnsOfPersons(): Promise<[string, string][]> {
  const rows = await database.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
      where table_schema = 'public' and (column_name in ('person', 'old_person', 'new_person')
        or (table_name = 'persons' and column_name = 'number'))`,
  );
  expect(rows.length).toBeGreaterThan(5);
  return rows.map((row) => [row.table_name, row.column_name]);
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not come about');
}
