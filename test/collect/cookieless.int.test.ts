import { createCookieless } from '#src/collect/cookieless.ts';
import { dayIn } from '#src/collect/steps/cookieless.ts';
import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME, testDeps } from '#test/kit/deps.ts';

const database = useDatabase();
const project = { id: 1, timeZone: 'America/Sao_Paulo' };
const MINUTE = 60_000;
const DAY = 86_400_000;

function view(ts: number, distinctId = 'cookieless_a'): FinishedEvent {
  return {
    projectId: 1,
    uuid: '0193abcd-1234-7000-8000-000000000001',
    event: '$pageview',
    distinctId,
    ts,
    receivedAt: ts,
    session: null,
    marks: eventMarks.cookieless,
    groups: {},
    properties: {},
    person: { process: false, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
  };
}

/** One web process's memory of visitors, on the test's database. */
function processes(count: number) {
  const deps = Array.from({ length: count }, () => testDeps(database.url));
  return {
    of: deps.map(({ write, log }) => createCookieless(write, log)) as [
      ReturnType<typeof createCookieless>,
      ...ReturnType<typeof createCookieless>[],
    ],
    close: () => Promise.all(deps.map((own) => own.close())),
  };
}

describe('visits', () => {
  it('end after half an hour without an event', async () => {
    const { of, close } = processes(1);
    const at = Date.UTC(2026, 10, 19, 10);
    const events = [view(at), view(at + 29 * MINUTE + 59_000), view(at + 60 * MINUTE)];
    for (const event of events) await of[0].assignVisits([event]);
    expect(events[0]?.session).not.toBeNull();
    expect(events[1]?.session).toBe(events[0]?.session);
    expect(events[2]?.session).not.toBe(events[0]?.session);
    await close();
  });

  it('are the same whether events come one by one, together, or out of order', async () => {
    const { of, close } = processes(1);
    const times = [50, 0, 25, 120];
    const together = times.map((minute) => view(TEST_TIME + minute * MINUTE, 'cookieless_b'));
    await of[0].assignVisits(together);
    const sessions = together.map(({ session }) => session);
    expect(new Set(sessions).size).toBe(2);
    expect(sessions[1]).toBe(sessions[0]);
    expect(sessions[2]).toBe(sessions[0]);
    await close();
  });

  it('are shared by processes, also when both begin at the same moment', async () => {
    const { of, close } = processes(3);
    const visitors = Array.from({ length: 40 }, (_, index) => `cookieless_${index}`);
    const all = of.map(() => visitors.map((visitor) => view(TEST_TIME, visitor)));
    await Promise.all(of.map((own, index) => own.assignVisits(all[index] ?? [])));
    for (let index = 0; index < visitors.length; index++) {
      expect(new Set(all.map((events) => events[index]?.session)).size).toBe(1);
    }
    expect(await database.query('select count(*)::int as count from cookieless_sessions')).toEqual([{ count: 40 }]);
    await close();
  });

  it('reach as far as the stored visit does, which another process may have prolonged', async () => {
    const { of, close } = processes(2);
    const [first] = [view(TEST_TIME)];
    await of[0].assignVisits([first as FinishedEvent]);
    const later = view(TEST_TIME + 20 * MINUTE);
    await of[1]?.assignVisits([later]);
    await database.query(
      `insert into sessions (project_id, uuid, first_ts, first_uuid, last_ts, person, distinct_id, views, screens, autocaptures, events, bot)
       values (1, $1, $2, $3, $4, 1, 1, 2, 0, 0, 2, false)`,
      [first?.session, new Date(TEST_TIME), first?.uuid, new Date(TEST_TIME + 20 * MINUTE)],
    );
    const last = view(TEST_TIME + 45 * MINUTE);
    await of[0].assignVisits([last]);
    expect([later.session, last.session]).toEqual([first?.session, first?.session]);
    await close();
  });

  it('go on while the database is away, as far as this process knows them', async () => {
    const deps = testDeps();
    const cookieless = createCookieless(deps.write, deps.log);
    const events = [view(TEST_TIME), view(TEST_TIME + MINUTE), view(TEST_TIME, 'cookieless_c')];
    for (const event of events) await cookieless.assignVisits([event]);
    expect(events[1]?.session).toBe(events[0]?.session);
    expect(events[2]?.session).not.toBe(events[0]?.session);
    await deps.close();
  });

  it('of clients that name their own are left alone, as are other events', async () => {
    const { of, close } = processes(1);
    const own = { ...view(TEST_TIME), session: 'own' };
    const other = { ...view(TEST_TIME), marks: 0 };
    await of[0].assignVisits([own, other]);
    expect([own.session, other.session]).toEqual(['own', null]);
    await close();
  });
});

describe('secrets', () => {
  it('are made once per day, the same for every process', async () => {
    const { of, close } = processes(2);
    const [one, two] = await Promise.all(of.map((own) => own.salts(project, TEST_TIME)));
    expect([...(one?.keys() ?? [])].sort()).toEqual(['2026-11-18', '2026-11-19']);
    expect(one?.get('2026-11-19')).toEqual(two?.get('2026-11-19'));
    expect(one?.get('2026-11-19')).toHaveLength(32);
    expect(one?.get('2026-11-19')).not.toEqual(one?.get('2026-11-18'));
    const tomorrow = await of[0].salts(project, TEST_TIME + DAY);
    expect([...tomorrow.keys()].sort()).toEqual(['2026-11-19', '2026-11-20']);
    await close();
  });

  it('are of today and yesterday also beside a day of 23 or of 25 hours', async () => {
    const { of, close } = processes(1);
    const days = async (id: number, at: number) =>
      [...(await of[0].salts({ id, timeZone: 'Europe/Lisbon' }, at)).keys()].sort();
    expect(await days(1, Date.UTC(2026, 2, 29, 23, 30))).toEqual(['2026-03-29', '2026-03-30']);
    expect(await days(2, Date.UTC(2026, 9, 25, 23, 30))).toEqual(['2026-10-24', '2026-10-25']);
    await close();
  });

  it('are destroyed at the end of the next day of the project’s zone, with the visits', async () => {
    await database.query(
      `insert into projects (id, name, time_zone, created_at) values (1, 'a', 'America/Sao_Paulo', $1), (2, 'b', 'Pacific/Kiritimati', $1)`,
      [new Date(TEST_TIME)],
    );
    const { of, close } = processes(1);
    for (const timeZone of ['America/Sao_Paulo', 'Pacific/Kiritimati']) {
      const id = timeZone.startsWith('A') ? 1 : 2;
      for (let day = -4; day <= 0; day++) await of[0].salts({ id, timeZone }, TEST_TIME + day * DAY);
    }
    await of[0].assignVisits([view(TEST_TIME - 4 * DAY), view(TEST_TIME)]);
    await of[0].destroyOld(TEST_TIME);
    const left = await database.query<{ project_id: number; day: string }>(
      'select project_id, day::text as day from cookieless_salts order by 1, 2',
    );
    expect(left).toEqual([
      { project_id: 1, day: '2026-11-18' },
      { project_id: 1, day: '2026-11-19' },
      { project_id: 2, day: '2026-11-19' },
      { project_id: 2, day: dayIn('Pacific/Kiritimati', TEST_TIME) },
    ]);
    expect(await database.query('select count(*)::int as count from cookieless_sessions')).toEqual([{ count: 1 }]);
    await close();
  });

  it('cannot be had while the database is away', async () => {
    const deps = testDeps();
    await expect(createCookieless(deps.write, deps.log).salts(project, TEST_TIME)).rejects.toMatchObject({
      code: 'unavailable',
    });
    await deps.close();
  });
});
