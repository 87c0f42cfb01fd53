/** What is known of events and properties: counted as the rows say, sealed or not, and described by people. */
import type { DefinitionKind } from '#src/explorer/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinTeam, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { HOUR, NOON } from '../columns/scene.ts';
import { type ExplorerScene, openExplorerScene } from './scene.ts';

describe('how many events have a property', () => {
  const database = useDatabase();
  let scene: ExplorerScene;
  beforeEach(async () => {
    scene = await openExplorerScene(database.url);
  });
  afterEach(() => scene.close());

  async function counted(kind: DefinitionKind) {
    const { definitions, isCounted } = await scene.explorer.catalogue.list(scene.project, { kind });
    expect(isCounted).toBe(true);
    const { parts } = scene.explorer.catalogue.explain(scene.project, kind);
    const rows = await database.query<{ name: string; events: string }>(parts[0]?.sql ?? '');
    const explained = new Map(rows.map(({ name, events }) => [name, Number(events)]));
    for (const { name, events } of definitions) {
      if (events !== null) expect([name, explained.get(name) ?? 0]).toEqual([name, events]);
    }
    return Object.fromEntries(definitions.map(({ name, events }) => [name, events]));
  }

  it('is what the rows say, sealed or not, and after changes', async () => {
    const day = 24 * HOUR;
    await scene.happened(
      { path: '/a', properties: { plan: 'pro', nothing: null } },
      { path: '/b', properties: { plan: 'free' }, bot: true, ts: NOON - 3 * day },
      { event: 'order', path: null, properties: { price: 5, $device_id: '00000000-0000-4000-8000-000000000000' } },
      { properties: { plan: 'old' }, ts: NOON - 40 * day },
    );
    const expected = { plan: 2, price: 1, $pathname: 2, $current_url: 2, $session_entry_referring_domain: 3 };
    expect(await counted('property')).toMatchObject({ ...expected, $device_id: null });
    expect(await counted('property')).not.toHaveProperty('nothing');
    expect(await counted('event')).toEqual({ $pageview: 2, order: 1 });
    await scene.columns.seal();
    expect(await counted('property')).toMatchObject(expected);
    await scene.happened({ properties: { plan: 'new' }, ts: NOON - 3 * day, path: null }, { properties: { late: 1 } });
    const more = { ...expected, plan: 3, late: 1, $pathname: 3, $current_url: 3, $session_entry_referring_domain: 5 };
    expect(await counted('property')).toMatchObject(more);
    await database.query(`delete from events where properties ->> 'plan' = 'free'`);
    const less = { ...more, plan: 2, $pathname: 2, $current_url: 2, $session_entry_referring_domain: 4 };
    expect(await counted('property')).toMatchObject(less);
    await scene.columns.seal();
    await scene.columns.runMaintenance();
    expect(await counted('property')).toMatchObject(less);
    await database.query('update chunks set property_rows = null');
    expect(await counted('property')).toMatchObject(less);
  });

  it('counts what has no column of its own', async () => {
    const told = Array.from({ length: 6_000 }, (_, index) => ({
      ...{ ts: NOON + index, session: null, distinctId: 'one' },
      properties: { token: `${'x'.repeat(30)}${index}`, ...(index % 2 === 0 ? { even: true } : {}) },
    }));
    for (let at = 0; at < told.length; at += 1_000) await scene.happened(...told.slice(at, at + 1_000));
    await scene.columns.seal();
    expect(await counted('property')).toMatchObject({ token: 6_000, even: 3_000 });
  });
});

describe('what people say', () => {
  const database = useDatabase({ between: 'nothing' });
  const whole = useWholeApp(database);
  let members: Record<'viewer' | 'member', Person>;
  let project: string;

  beforeAll(async () => {
    const { team, owner: cookie } = whole;
    project = String(whole.project);
    members = {
      viewer: await joinTeam(whole, { team, role: 'viewer', name: 'Vera', cookie }),
      member: await joinTeam(whole, { team, role: 'member', name: 'Rui', cookie }),
    };
    await database.query(
      `insert into event_names (project_id, number, name, first_seen, last_seen)
       values ($1, 1, 'order', '2026-01-01', '2026-01-02'), ($1, 2, '$pageview', '2026-01-01', '2026-01-03')`,
      [whole.project],
    );
    await database.query(
      `insert into property_names (project_id, name, value_type, first_seen, last_seen)
       values ($1, 'plan', 'string', '2026-01-01', '2026-01-02'), ($1, 'price', 'number', '2026-01-01', '2026-01-02')`,
      [whole.project],
    );
  });

  const describeAs = (cookie: string, input: object) =>
    callsOf(whole).mutation(cookie, 'explorer.describe', { project, ...input });
  const get = async (path: string, input: object = {}) =>
    (
      await callsOf(whole)
        .query(members.member.cookie, path, { project, ...input })
        .expect(200)
    ).body.result.data.json;

  it('is kept for names that were sent, by members, and noted', async () => {
    const order = { kind: 'event', name: 'order' };
    await describeAs(members.viewer.cookie, { ...order, description: 'x' }).expect(403);
    await describeAs(members.member.cookie, { kind: 'event', name: 'plan', description: 'x' }).expect(404);
    await describeAs(members.member.cookie, { ...order, owner: 999_999 }).expect(400);
    await describeAs(members.member.cookie, {
      ...order,
      description: ' Somebody paid. ',
      owner: members.member.id,
    }).expect(200);
    await describeAs(whole.owner, { ...order, verified: true }).expect(200);
    const { definitions, people } = await get('explorer.definitions', { kind: 'event' });
    expect(people.map(({ name }: { name: string }) => name)).toEqual(['Marina Duarte', 'Rui', 'Vera']);
    expect(definitions).toMatchObject([
      { name: '$pageview', description: '', verified: false, owner: null, changedBy: null, type: null },
      {
        ...{ name: 'order', description: 'Somebody paid.', verified: true, hidden: false, events: 0 },
        ...{
          owner: { id: members.member.id, name: 'Rui' },
          changedBy: 'Marina Duarte',
          lastSeen: Date.UTC(2026, 0, 2),
        },
      },
    ]);
    await describeAs(whole.owner, { ...order, description: '', owner: null }).expect(200);
    const [, cleared] = (await get('explorer.definitions', { kind: 'event' })).definitions;
    expect(cleared).toMatchObject({ description: '', owner: null, verified: true });
    const audit = await database.query(
      "select actor, details from audit where action = 'definition.changed' order by id limit 2",
    );
    expect(audit).toEqual([
      { actor: 'Rui', details: order },
      { actor: 'Marina Duarte', details: order },
    ]);
  });

  it('is listed in pages, sorted and found by words, however many names were sent', async () => {
    await database.query(
      `insert into property_names (project_id, name, value_type, first_seen, last_seen)
       select $1, 'flood ' || n, 'number', '2026-02-01', '2026-03-01'::timestamptz + n * interval '1 s'
         from generate_series(1, 6000) n`,
      [whole.project],
    );
    await describeAs(members.member.cookie, { kind: 'property', name: 'flood 6000', description: 'O Último' }).expect(
      200,
    );
    const list = (input: object) => get('explorer.definitions', { kind: 'property', ...input });
    const namesOf = ({ definitions }: { definitions: { name: string }[] }) => definitions.map(({ name }) => name);
    const byTime = await list({ sort: 'lastSeen' });
    expect(byTime).toMatchObject({ page: 1, pages: 50, total: 5_000, hasMore: true });
    expect(byTime.definitions).toHaveLength(100);
    expect(namesOf(byTime)[0]).toBe('flood 6000');
    // What was there before the flood is listed, what came late in it is found.
    expect(namesOf(await list({ sort: 'lastSeen', page: 50 })).slice(-2)).toEqual(['plan', 'price']);
    expect(await list({ search: 'FLOOD 5999' })).toMatchObject({ total: 1, hasMore: false, pages: 1 });
    for (const search of [' ultimo flood', 'ÚLTIMO', 'u\u0301ltimo']) {
      expect(namesOf(await list({ search, page: 9 }))).toEqual(['flood 6000']);
    }
    expect(await list({ search: '%' })).toMatchObject({ total: 0, definitions: [], page: 1, pages: 1 });
    await database.query(`delete from property_names where starts_with(name, 'flood')`);
  });

  it('hides names where one chooses', async () => {
    expect(await get('explorer.names')).toEqual({ events: ['$pageview', 'order'], properties: ['plan', 'price'] });
    await describeAs(members.member.cookie, { kind: 'property', name: 'plan', hidden: true }).expect(200);
    await describeAs(members.member.cookie, { kind: 'event', name: '$pageview', hidden: true }).expect(200);
    expect(await get('explorer.names')).toEqual({ events: ['order'], properties: ['price'] });
    const { definitions } = await get('explorer.definitions', { kind: 'property' });
    expect(definitions).toMatchObject([
      { name: 'plan', hidden: true, type: 'string' },
      { name: 'price', hidden: false },
    ]);
    await describeAs(members.member.cookie, { kind: 'property', name: 'plan', hidden: false }).expect(200);
    expect((await get('explorer.names')).properties).toEqual(['plan', 'price']);
  });
});
