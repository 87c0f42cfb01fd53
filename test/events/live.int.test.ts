import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { LiveFilter, LiveRow, LiveUpdate, PassedOver } from '#src/events/contract.ts';
import { fetchEventDetail } from '#src/events/event-detail.ts';
import { createLive, type Live } from '#src/events/live.ts';
import { systemClock } from '#src/kit/clock.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { createProjects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';

const database = useDatabase();
let deps: TestDeps;
let live: Live;
let counting: { reads: number };

beforeEach(async () => {
  deps = testDeps(database.url, { clock: systemClock as never });
  counting = { reads: 0 };
  deps.db.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('order by received_at desc')) counting.reads += 1;
  });
  live = createLive(deps, { projects: createProjects(deps) });
  await database.query(`
    insert into projects (id, name, created_at) values (1, 'one', 'epoch'), (2, 'two', 'epoch');
    insert into event_names select p, 1, '$pageview', 'epoch', 'epoch' from generate_series(1, 2) p;
    insert into property_groups (project_id, kind, number, hash, properties)
      select p, 1, 1, 'x', '{"$pathname": "/produtos"}' from generate_series(1, 2) p;
    insert into property_groups values (1, 4, 1, 'x', '{"$geoip_country_code": "BR"}');
    insert into persons (project_id, number, uuid, properties, identified, created_at)
      select p, n, gen_random_uuid(), case n when 1 then '{"name": "Caio Brandão"}' else '{}' end::jsonb, n = 1, 'epoch'
      from generate_series(1, 2) p, generate_series(1, 3) n;
    insert into distinct_ids select p, 'd' || n, n, n from generate_series(1, 2) p, generate_series(1, 3) n;
  `);
  await until(() => live.version(1) !== null);
});

afterEach(async () => {
  await live.stop();
  await deps.close();
});

interface Inserted {
  project?: number;
  person?: number;
  uuid?: string;
  ts?: number;
  receivedAt?: number;
  marks?: number;
}

/** Writes as a writer does: rows, then the project ids, in the client's transaction. */
async function insert(client: Pick<Client, 'query'>, ...events: Inserted[]): Promise<string[]> {
  const uuids: string[] = [];
  for (const event of events) {
    const receivedAt = event.receivedAt ?? Date.now();
    const uuid = event.uuid ?? uuidV7(receivedAt);
    uuids.push(uuid);
    await client.query(
      `insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, page, geo, epoch, marks, properties)
       values (to_timestamp($1 / 1000.0), to_timestamp($2 / 1000.0), $3, $4, $5, $5, 1, 1, 1, 1, $6, '{"plano": "anual", "n": [1]}')`,
      [event.ts ?? receivedAt, receivedAt, uuid, event.project ?? 1, event.person ?? 1, event.marks ?? 0],
    );
  }
  await client.query(`select pg_notify('luneta_events', $1)`, [
    [...new Set(events.map((e) => e.project ?? 1))].join(','),
  ]);
  return uuids;
}

async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const projectId = (id: number) => id as ProjectId;

/** Watches a project until stopped, gathering what comes. */
function watch(project: number, cursor?: string, filter?: LiveFilter) {
  const leaving = new AbortController();
  const rows: LiveRow[] = [];
  const updates: LiveUpdate[] = [];
  const ended = (async () => {
    for await (const update of live.stream(projectId(project), { lastEventId: cursor, filter }, leaving.signal)) {
      updates.push(update);
      rows.push(...update.rows);
    }
  })();
  return {
    rows,
    updates,
    uuids: () => rows.map((row) => row.uuid),
    async leave() {
      leaving.abort();
      await ended;
    },
  };
}

function passedOver(updates: LiveUpdate[]): PassedOver {
  const each = updates.map((update) => update.passedOver);
  return { rows: each.reduce((sum, { rows }) => sum + rows, 0), more: each.some(({ more }) => more) };
}

/** So many events of one moment, in one transaction. */
async function rush(count: number, at = Date.now()): Promise<void> {
  await database.query(
    `with rows as (
       insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, page, epoch, marks)
       select to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0), gen_random_uuid(), 1, 1, 1, 1, 1, 1, 0
       from generate_series(1, $2::int) returning 1)
     select pg_notify('luneta_events', '1') from (select count(*) from rows) as written`,
    [at, count],
  );
}

describe('live', () => {
  it('shows the newest first, with person, place and words', async () => {
    const [older, newer] = await withClient((client) =>
      insert(
        client,
        { receivedAt: Date.now() - 60_000 },
        { person: 2, marks: 1 },
        { marks: 32, ts: Date.now() - 25 * 3_600_000 },
      ),
    );
    const { rows, summary } = await live.snapshot(projectId(1));
    expect(rows.map((row) => row.uuid)).toEqual([newer, older]);
    expect(rows[1]).toMatchObject({
      event: '$pageview',
      detail: '/produtos',
      person: { identified: true, label: 'Caio Brandão', distinctId: 'd1' },
      country: 'BR',
      bot: false,
    });
    expect(rows[0]).toMatchObject({ bot: true, person: { label: null, identified: false } });
    expect(summary).toMatchObject({ peopleNow: 1, delayMs: 0 });
    expect(summary.minutes).toHaveLength(30);
    expect(summary.minutes.reduce((sum, people) => sum + people, 0)).toBeLessThanOrEqual(2);
  });

  it('counts people after merges, in the last five minutes', async () => {
    await withClient(async (client) => {
      const now = Date.now();
      await insert(
        client,
        { person: 1, ts: now - 1_000 },
        { person: 2, ts: now - 200_000 },
        { person: 3, ts: now - 301_000 },
      );
      await client.query(`insert into person_overrides values (1, 2, 1, now())`);
    });
    const { peopleNow, minutes } = (await live.snapshot(projectId(1))).summary;
    expect(peopleNow).toBe(1);
    expect(minutes.filter((people) => people > 0)).toEqual([1, 1, 1]);
  });

  it('pushes what is committed to everyone, with one read', async () => {
    const { cursor } = await live.snapshot(projectId(1));
    const viewers = [watch(1, cursor), watch(1, cursor), watch(1, cursor)];
    await until(() => viewers.every((viewer) => viewer.updates.length > 0));
    const before = counting.reads;
    const [uuid] = await withClient((client) => insert(client, {}));
    // Well before it would have looked by itself.
    await until(() => viewers.every((viewer) => viewer.uuids().includes(uuid as string)), 3_500);
    expect(counting.reads - before).toBeLessThanOrEqual(2);
    for (const viewer of viewers) {
      expect(viewer.uuids()).toEqual([uuid]);
      await viewer.leave();
    }
  });

  it('keeps projects apart', async () => {
    const [one, two] = [watch(1), watch(2)];
    await until(() => one.updates.length > 0 && two.updates.length > 0);
    const [uuid] = await withClient((client) => insert(client, { project: 2 }));
    await until(() => two.rows.length > 0);
    await sleep(700);
    expect([one.uuids(), two.uuids()]).toEqual([[], [uuid]]);
    expect(live.version(1)).not.toBe(live.version(2));
    await Promise.all([one.leave(), two.leave()]);
  });

  it('misses nothing and repeats nothing, though transactions commit out of the order of receipt', async () => {
    const { cursor } = await live.snapshot(projectId(1));
    const beganAt = performance.now();
    const viewer = watch(1, cursor);
    const written: string[] = [];
    const writers = Array.from({ length: 6 }, (_, writer) =>
      withClient(async (client) => {
        for (let batch = 0; batch < 8; batch++) {
          await client.query('begin');
          written.push(...(await insert(client, {}, {}, { receivedAt: Date.now() - 5_000 })));
          await sleep((writer * 37 + batch * 53) % 400);
          await client.query('commit');
        }
      }),
    );
    await Promise.all(writers);
    await until(() => viewer.rows.length >= written.length);
    await sleep(1_200);
    expect(viewer.uuids().length).toBe(written.length);
    expect(new Set(viewer.uuids())).toEqual(new Set(written));
    // Two updates a second at most, besides the first.
    expect(viewer.updates.length).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - beganAt) / 500));
    await viewer.leave();
  });

  it('takes an import for no news, though the newest of it may be among the first rows', async () => {
    const viewer = watch(1);
    await until(() => viewer.updates.length > 0);
    const [imported, old, now] = await withClient((client) =>
      insert(client, { marks: 32, ts: Date.now() - 240_000 }, { marks: 32, ts: Date.now() - 90_000_000 }, {}),
    );
    await until(() => viewer.rows.length > 0);
    expect(viewer.uuids()).toEqual([now]);
    await viewer.leave();
    const other = createLive(deps, { projects: createProjects(deps) });
    const { rows, summary } = await other.snapshot(projectId(1));
    await other.stop();
    expect(rows.map(({ uuid }) => uuid)).toEqual([now, imported]);
    expect(rows.map(({ uuid }) => uuid)).not.toContain(old);
    expect(summary.delayMs).toBeLessThan(60_000);
  });

  it('goes on after the last id that a viewer saw', async () => {
    const { cursor } = await live.snapshot(projectId(1));
    const first = watch(1, cursor);
    const [one] = await withClient((client) => insert(client, {}));
    await until(() => first.rows.length === 1);
    await first.leave();
    const [two] = await withClient((client) => insert(client, {}));
    const again = watch(1, first.updates.at(-1)?.cursor);
    await until(() => again.rows.length > 0);
    expect([first.uuids(), again.uuids()]).toEqual([[one], [two]]);
    await again.leave();
  });

  it('shows what came meanwhile to a viewer from another process', async () => {
    const { cursor } = await live.snapshot(projectId(1));
    const [uuid] = await withClient((client) => insert(client, {}));
    const other = createLive(deps, { projects: createProjects(deps) });
    const leaving = new AbortController();
    for await (const { rows } of other.stream(projectId(1), { lastEventId: cursor }, leaving.signal)) {
      expect(rows.map((row) => row.uuid)).toEqual([uuid]);
      leaving.abort();
    }
    await other.stop();
  });

  it('takes no place between two rows from a viewer', async () => {
    await withClient((client) => insert(client, {}));
    const [feed, , received] = (await live.snapshot(projectId(1))).cursor.split('.');
    const lastEventId = `${feed}.5e-1.${received}`;
    const odd = live.stream(projectId(1), { lastEventId }, new AbortController().signal);
    const { value } = await odd.next();
    expect(value?.cursor).toMatch(/^[\w-]+\.1\.\d+$/);
    await odd.return();
  });

  it('lets a viewer that takes nothing hold nobody up', async () => {
    const lazy = live.stream(
      projectId(1),
      { lastEventId: (await live.snapshot(projectId(1))).cursor },
      new AbortController().signal,
    );
    await lazy.next();
    const eager = watch(1);
    await until(() => eager.updates.length > 0);
    const last = await withClient(async (client) => {
      for (let n = 0; n < 12; n++) await insert(client, ...new Array(100).fill({}));
      return insert(client, {});
    });
    await until(() => eager.uuids().includes(last[0] as string));
    const seen: number[] = [];
    let passed = 0;
    for (let rest = eager.rows.length; rest > 0; rest -= seen.at(-1) as number) {
      const { value } = await lazy.next();
      seen.push(value?.rows.length ?? 0);
      passed += value?.passedOver.rows ?? 0;
      if (value?.rows.some((row) => row.uuid === last[0])) break;
    }
    expect(Math.max(...seen)).toBeLessThanOrEqual(500);
    const got = seen.reduce((sum, rows) => sum + rows, 0);
    expect(got).toBeLessThanOrEqual(1_000);
    expect(got + passed).toBe(1_201);
    expect(eager.rows.length + passedOver(eager.updates).rows).toBe(1_201);
    await lazy.return();
    await eager.leave();
  });

  it('finds its way back when the LISTEN is cut', async () => {
    const viewer = watch(1);
    await until(() => viewer.updates.length > 0);
    const before = live.version(1);
    await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen %'`);
    await until(() => live.version(1) === null);
    const [uuid] = await withClient((client) => insert(client, {}));
    await until(() => viewer.uuids().includes(uuid as string));
    await until(() => live.version(1) !== null);
    expect(live.version(1)).not.toBe(before);
    await viewer.leave();
  });

  it('ends its streams on stop', async () => {
    const viewer = watch(1);
    await until(() => viewer.updates.length > 0);
    await live.stop();
    await viewer.leave();
    expect((await live.stream(projectId(1), {}, new AbortController().signal).next()).done).toBe(true);
  });

  it('shows everything of a rush that a viewer can follow, in several messages', async () => {
    const watching = watch(1);
    await until(() => watching.updates.length > 0);
    await withClient((client) => insert(client, {}));
    await until(() => watching.rows.length === 1);
    await rush(900);
    await until(() => watching.rows.length >= 901);
    expect(new Set(watching.uuids()).size).toBe(901);
    expect(Math.max(...watching.updates.map(({ rows }) => rows.length))).toBeLessThanOrEqual(500);
    expect(passedOver(watching.updates)).toEqual({ rows: 0, more: false });
    await watching.leave();
  });

  it('says how many of a rush it passed over, and where it did not count all', async () => {
    const watching = watch(1);
    await until(() => watching.updates.length > 0);
    await rush(2_300);
    await until(() => watching.rows.length >= 1_000);
    expect(watching.rows).toHaveLength(1_000);
    expect(passedOver(watching.updates)).toEqual({ rows: 1_300, more: false });
    await rush(6_200);
    await until(() => watching.rows.length >= 2_000);
    await sleep(700);
    expect(new Set(watching.uuids()).size).toBe(2_000);
    expect(passedOver(watching.updates)).toEqual({ rows: 1_300 + 4_000, more: true });
    await watching.leave();
  });

  it('says the same to who was away, and who comes from another process', async () => {
    const { cursor } = await live.snapshot(projectId(1));
    await rush(1_500, Date.now() + 5);
    const again = watch(1, cursor);
    await until(() => again.rows.length >= 1_000);
    expect([again.rows.length, passedOver(again.updates)]).toEqual([1_000, { rows: 500, more: false }]);
    await again.leave();

    const at = Date.now();
    await withClient((client) =>
      insert(client, ...Array.from({ length: 120 }, (_, n) => ({ receivedAt: at + 10 + n }))),
    );
    const other = createLive(deps, { projects: createProjects(deps) });
    const leaving = new AbortController();
    for await (const update of other.stream(projectId(1), { lastEventId: `elsewhere.0.${at + 9}` }, leaving.signal)) {
      expect([update.rows.length, update.passedOver]).toEqual([100, { rows: 20, more: false }]);
      leaving.abort();
    }
    await other.stop();
  });

  it('shows what comes out of the spool long after its receipt, once', async () => {
    const longAgo = Date.now() - 600_000;
    const watching = watch(1);
    await until(() => watching.updates.length > 0);
    const [shown] = await withClient((client) => insert(client, {}));
    await until(() => watching.rows.length === 1);
    const replayed = uuidV7(longAgo);
    await withClient(async (client) => {
      const [late] = await insert(client, { receivedAt: longAgo, uuid: replayed });
      await client.query(`select pg_notify('luneta_events', $1)`, [`2,1@${longAgo}`]);
      await until(() => watching.rows.length === 2);
      const [later] = await insert(client, { receivedAt: longAgo + 1 });
      await client.query(`select pg_notify('luneta_events', $1)`, [`1@${longAgo}`]);
      await until(() => watching.rows.length === 3);
      await sleep(700);
      expect(watching.uuids()).toEqual([shown, late, later]);
    });
    await watching.leave();
  });
});

describe('the detail of an event', () => {
  it('joins its own properties with those of its groups, and says of what type each is', async () => {
    const now = Date.now();
    const [uuid] = await withClient((client) => insert(client, { receivedAt: now, ts: now - 5, marks: 5 }));
    const detail = await fetchEventDetail(deps.db, projectId(1), { ts: now - 5, uuid: uuid as string });
    expect(detail).toMatchObject({ event: '$pageview', distinctId: 'd1', session: null, marks: ['bot', 'late'] });
    expect(detail.person).toMatchObject({ label: 'Caio Brandão', properties: { name: 'Caio Brandão' } });
    expect(detail.properties).toEqual([
      { name: 'n', value: [1], type: 'list' },
      { name: 'plano', value: 'anual', type: 'text' },
      { name: '$pathname', value: '/produtos', type: 'text' },
      { name: '$geoip_country_code', value: 'BR', type: 'text' },
    ]);
  });

  it.each([
    ['another project', 2, 0, null],
    ['another time', 1, 1, null],
    ['no time at all', 1, Number.POSITIVE_INFINITY, null],
    ['no uuid', 1, 0, '-'.repeat(36)],
  ])('is not found in %s', async (_, project, shift, otherUuid) => {
    const now = Date.now();
    const [uuid] = await withClient((client) => insert(client, { receivedAt: now }));
    const address = { ts: now + shift, uuid: otherUuid ?? (uuid as string) };
    await expect(fetchEventDetail(deps.db, projectId(project), address)).rejects.toMatchObject({ code: 'not_found' });
  });
});
