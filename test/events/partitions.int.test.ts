import { createPartitions, monthOf, weekOf } from '#src/events/partitions.ts';
import { createDatabase } from '#test/kit/database.ts';
import { TEST_TIME, type TestDeps, testDeps } from '#test/kit/deps.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let deps: TestDeps;
beforeEach(async () => {
  database = await createDatabase({ migrated: true });
  deps = testDeps(database.url);
});
afterEach(async () => {
  await deps.close();
  await database.drop();
});

const partitionsOf = async (table: string): Promise<string[]> => {
  const { rows } = await deps.write.query(
    `select relname from pg_inherits join pg_class on oid = inhrelid where inhparent = $1::regclass order by 1`,
    [table],
  );
  return rows.map(({ relname }) => relname);
};
const insertEvent = (ts: string) =>
  deps.write.query(
    `insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, epoch, marks)
     values ($1, $1, gen_random_uuid(), 1, 1, 1, 1, 1, 0)`,
    [ts],
  );

describe('partitions', () => {
  it('are created once by concurrent processes', async () => {
    const months = [monthOf(TEST_TIME), monthOf(Date.UTC(2026, 0, 31, 23, 59, 59, 999))];
    const asks = Array.from({ length: 4 }, () => createPartitions(deps.write).ensure(months, [2968, 2969], TEST_TIME));
    await Promise.all(asks);
    expect(await partitionsOf('events')).toEqual(['events_202601', 'events_202611', 'events_default']);
    expect(await partitionsOf('event_uuids')).toEqual(['event_uuids_2968', 'event_uuids_2969']);
  });

  it('are made ahead, over the end of a year', async () => {
    await createPartitions(deps.write).ensureAhead(TEST_TIME);
    expect(await partitionsOf('events')).toEqual(['events_202611', 'events_202612', 'events_202701', 'events_default']);
  });

  it('are not made for times that only a wrong clock has', async () => {
    const far = [Date.UTC(1970, 0, 1), Date.UTC(2016, 9, 31), Date.UTC(2027, 1, 1), Date.UTC(9999, 11, 31)].map(
      monthOf,
    );
    await createPartitions(deps.write).ensure(far, [], TEST_TIME);
    expect(await partitionsOf('events')).toEqual(['events_default']);
  });

  it('leave a month in the default partition that has rows there', async () => {
    await insertEvent('2026-11-05T00:00:00Z');
    const partitions = createPartitions(deps.write);
    await partitions.ensure([monthOf(TEST_TIME)], [], TEST_TIME);
    await insertEvent('2026-11-06T00:00:00Z');
    expect((await deps.write.query('select from events_default')).rowCount).toBe(2);
  });

  it('of past months are skipped during a long read of events', async () => {
    const partitions = createPartitions(deps.write);
    const [old, now] = [monthOf(Date.UTC(2026, 6, 1)), monthOf(TEST_TIME)];
    await partitions.ensure([now], [], TEST_TIME);
    const reader = await deps.write.connect();
    await reader.query('begin transaction isolation level repeatable read read only');
    await reader.query('select count(*) from events');
    await partitions.ensure([now, old], [2968], TEST_TIME);
    await partitions.ensure([now, old], [2968], TEST_TIME);
    expect(await partitionsOf('events')).toEqual(['events_202611', 'events_default']);
    expect(await partitionsOf('event_uuids')).toEqual(['event_uuids_2968']);
    await insertEvent('2026-07-05T00:00:00Z');
    await expect(partitions.ensure([now + 1], [], TEST_TIME)).rejects.toMatchObject({ code: '55P03' });
    await reader.query('rollback');
    reader.release();
    // Whoever asks next makes what is missing; this month stays where its first event went.
    await createPartitions(deps.write).ensure([now + 1, old, old - 1], [], TEST_TIME);
    expect(await partitionsOf('events')).toEqual(['events_202606', 'events_202611', 'events_202612', 'events_default']);
    expect((await deps.write.query('select from events_default')).rowCount).toBe(1);
  });

  it('of the ledger go when no retry can reach them', async () => {
    const partitions = createPartitions(deps.write);
    const week = weekOf(TEST_TIME);
    await partitions.ensure([], [week - 3, week - 2, week - 1, week], TEST_TIME);
    await partitions.dropWeeksBefore(week - 1);
    expect(await partitionsOf('event_uuids')).toEqual([`event_uuids_${week - 1}`, `event_uuids_${week}`]);
    await partitions.ensure([], [week - 2], TEST_TIME);
    expect(await partitionsOf('event_uuids')).toHaveLength(3);
  });
});
