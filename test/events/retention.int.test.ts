import { type FinishedEvent, groupKinds } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import type { Retired } from '#src/events/retention.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects, type Projects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';

const database = useDatabase({ between: 'nothing' });
const DAY = 86_400_000;
let deps: TestDeps;
let projects: Projects;
let events: Events;

beforeEach(async () => {
  // Dropped months come back with the first event of theirs, so nothing is left of another test but its partitions.
  await database.truncate();
  deps = testDeps(database.url);
  projects = createProjects(deps);
  events = createEvents(deps, { persons: createPersons(deps), projects });
});

afterEach(async () => {
  await events.stop();
  await deps.close();
});

async function project(retentionDays: number | null): Promise<number> {
  return (await projects.create({ name: 'Shop', timeZone: 'UTC', settings: { retentionDays } })).id;
}

function event(projectId: number, ts: number, over: Partial<FinishedEvent> = {}): FinishedEvent {
  return {
    ...{ projectId, uuid: uuidV7(ts), event: '$pageview', distinctId: 'd1', ts, receivedAt: ts, session: uuidV7(ts) },
    ...{ marks: 0, groups: { page: { $pathname: '/' } }, properties: {} },
    person: { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
    ...over,
  };
}

/** Ages in days of what is stored. */
async function ages(table: 'events' | 'sessions' | 'event_counts', projectId: number): Promise<number[]> {
  const column = { events: 'ts', sessions: 'first_ts', event_counts: 'quarter' }[table];
  const rows = await database.query<{ at: Date }>(
    `select ${column} as at from ${table} where project_id = $1 order by 1 desc`,
    [projectId],
  );
  return rows.map(({ at }) => (deps.clock.now() - at.getTime()) / DAY);
}

async function months(): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

describe('retention', () => {
  it('deletes what is older, with its visits and counts, and leaves what is younger and what others keep', async () => {
    const [short, kept] = [await project(30), await project(null)];
    for (const id of [short, kept]) {
      await events.store([1, 29, 30, 32, 400].map((days) => event(id, TEST_TIME - days * DAY)));
    }
    const told: Retired[] = [];
    const result = await events.retire({ onRetired: async (each) => void told.push(each) });

    // Whole days: what is 30 days old to the hour began on the same day as what is just within.
    const before = Date.UTC(2026, 9, 20);
    expect(result).toEqual([{ projectId: short, before, events: 2, sessions: 2, persons: 0 }]);
    expect(told).toEqual(result);
    for (const table of ['events', 'sessions', 'event_counts'] as const) {
      expect([table, await ages(table, short)]).toEqual([table, [1, 29, 30]]);
      expect([table, await ages(table, kept)]).toEqual([table, [1, 29, 30, 32, 400]]);
    }
    expect(await database.query('select from persons where project_id = $1', [short])).toHaveLength(1);
  });

  it('follows the clock, and does nothing the second time', async () => {
    const id = await project(30);
    await events.store([event(id, TEST_TIME), event(id, TEST_TIME - 10 * DAY)]);
    const eventsGone = async () => (await events.retire()).map((each) => each.events);
    expect(await eventsGone()).toEqual([0]);
    deps.clock.advance(22 * DAY);
    expect(await eventsGone()).toEqual([1]);
    expect(await eventsGone()).toEqual([0]);
    deps.clock.advance(40 * DAY);
    expect(await eventsGone()).toEqual([1]);
    expect(await ages('events', id)).toEqual([]);
  });

  it('drops whole months only where every project has a retention, and counts what was in them', async () => {
    const [short, long] = [await project(30), await project(100)];
    const ofMonths = [5, 70, 130, 190];
    for (const id of [short, long]) await events.store(ofMonths.map((days) => event(id, TEST_TIME - days * DAY)));
    expect(await months()).toEqual(expect.arrayContaining(['events_202605', 'events_202607', 'events_202609']));
    expect((await events.retire()).map((each) => each.events)).toEqual([3, 2]);
    // A hundred days ago was August: June, July and what came before them go, as far as they were made.
    expect((await months()).filter((name) => name < 'events_202608')).toEqual([]);
    expect(await months()).toContain('events_202609');
    expect(await ages('events', long)).toEqual([5, 70]);
    expect(await ages('sessions', long)).toEqual([5, 70]);
    expect(await ages('events', short)).toEqual([5]);

    // The same month can come back.
    await project(null);
    await events.store([event(long, TEST_TIME - 130 * DAY)]);
    expect((await events.retire()).map((each) => each.events)).toEqual([0, 1]);
    expect(await ages('events', long)).toEqual([5, 70]);
  });

  it('goes on in small steps, also over many events of one moment, and stops when asked', async () => {
    const id = await project(30);
    await project(null);
    const old = TEST_TIME - 90 * DAY;
    await events.store(Array.from({ length: 25 }, (_, n) => event(id, n < 15 ? old : old + n * DAY)));
    const stopping = new AbortController();
    stopping.abort();
    expect(await events.retire({ signal: stopping.signal })).toMatchObject([{ events: 0 }]);
    expect(await events.retire({ batch: 4 })).toMatchObject([{ events: 25, sessions: 25 }]);
    expect(await ages('event_counts', id)).toEqual([]);
  });

  it('says what is gone also when it could not finish', async () => {
    const id = await project(30);
    await project(null);
    await events.store([event(id, TEST_TIME - 90 * DAY)]);
    await database.query(
      `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    );
    await database.query('create trigger refuse before delete on sessions for each row execute function refuse()');
    const told: Retired[] = [];
    const run = events.retire({ onRetired: (each) => void told.push(each) });
    await expect(run).rejects.toThrow();
    await database.query('drop trigger refuse on sessions; drop function refuse()');
    expect(told).toMatchObject([{ projectId: id, events: 1, sessions: 0 }]);
    expect(await events.retire()).toMatchObject([{ projectId: id, events: 0, sessions: 1 }]);
  });

  it('works while events come in, without losing one that is to be kept', async () => {
    const id = await project(30);
    await project(null);
    await events.store(Array.from({ length: 600 }, (_, n) => event(id, TEST_TIME - (31 + (n % 60)) * DAY - n)));
    const session = uuidV7(TEST_TIME - 3_600_000);
    const fresh = (n: number) => event(id, TEST_TIME - n, { session });
    // From the spool, too, may come what is too old by now: it goes with this run or the next.
    const late = (n: number) => event(id, TEST_TIME - 40 * DAY - n);
    const storing = (async () => {
      for (let n = 0; n < 30; n++) await events.store([fresh(2 * n), fresh(2 * n + 1), late(n)]);
    })();
    const first = await events.retire({ batch: 7 });
    await storing;
    const second = await events.retire();
    expect((first[0]?.events ?? 0) + (second[0]?.events ?? 0)).toBe(630);
    expect(await ages('events', id)).toHaveLength(60);
    expect(await database.query('select events, views from sessions where project_id = $1', [id])).toEqual([
      { events: 60, views: 60 },
    ]);
    const [counted] = await database.query(
      'select sum(events)::int as events from event_counts where project_id = $1',
      [id],
    );
    expect(counted).toEqual({ events: 60 });
  });

  it('tells those who keep answers', async () => {
    const { openDirect } = await import('#src/store/db.ts');
    const id = await project(30);
    await events.store([event(id, TEST_TIME - 90 * DAY)]);
    const listener = openDirect(deps.config);
    await listener.connect();
    await listener.query('listen luneta_events');
    const heard = new Promise((resolve) => listener.on('notification', resolve));
    await events.retire();
    expect(await heard).toMatchObject({ payload: String(id) });
    await listener.end();
  });
});

describe('property groups', () => {
  const pageOf = (path: string) => ({ groups: { page: { $pathname: path } } });
  const stored = async (id: number) => {
    const rows = await database.query<{ path: string; apart: boolean }>(
      `select properties ->> '$pathname' as path, apart_at is not null as apart from property_groups
        where project_id = $1 order by 1, 2`,
      [id],
    );
    return rows.map(({ path, apart }) => `${path}${apart ? ' apart' : ''}`);
  };
  const withoutGroup = () =>
    database.query(
      `select e.uuid from events e where not exists (
         select from property_groups g where g.project_id = e.project_id and g.kind = $1 and g.number = e.page)`,
      [groupKinds.page],
    );

  it('go a week after their last event, unless an event names one meanwhile', async () => {
    const id = await project(30);
    await project(null);
    const old = (path: string) => event(id, TEST_TIME - 40 * DAY, pageOf(path));
    await events.store([old('/gone'), old('/back'), old('/late'), event(id, TEST_TIME, pageOf('/kept'))]);
    // Its number was given before the group was set apart; it is committed after that.
    const late = event(id, TEST_TIME, pageOf('/late'));
    await events.store([late], async () => {
      await events.retire();
      return null;
    });
    expect(await stored(id)).toEqual(['/back apart', '/gone apart', '/kept', '/late apart']);
    const back = async () => {
      await events.store([event(id, TEST_TIME, pageOf('/back'))]);
      return stored(id);
    };
    await until(async () => (await back()).length === 5);
    deps.clock.advance(6 * DAY);
    await events.retire();
    expect(await stored(id)).toEqual(['/back', '/back apart', '/gone apart', '/kept', '/late apart']);
    deps.clock.advance(DAY);
    await events.retire();
    expect((await stored(id)).filter((path) => path.startsWith('/gone'))).toEqual([]);
    expect(await stored(id)).toEqual(expect.arrayContaining(['/late apart', '/kept', '/back']));
    expect(await withoutGroup()).toEqual([]);
  });
});
