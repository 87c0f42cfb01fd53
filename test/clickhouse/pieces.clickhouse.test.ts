/** An epoch that is larger than an insert is copied in pieces, each of them once, whatever fails and while its rows change. */
import { Client } from 'pg';
import { lookAhead } from '#src/clickhouse/ahead.ts';
import { openClickhouse } from '#src/clickhouse/connection.ts';
import { openShipper } from '#src/clickhouse/shipper.ts';
import type { Position } from '#src/clickhouse/state.ts';
import { openDirect } from '#src/store/db.ts';
import type { ClickhouseFault } from '#test/kit/clickhouse-server.ts';
import { until } from '#test/kit/until.ts';
import { finishedEvent } from '../insights/histories.ts';
import { useCopying } from './copying.ts';

jest.setTimeout(120_000);

const copying = useCopying();
const { database, engine, server, begin, store, expectEqual } = copying;

/** Of two projects in one epoch, half of them of one moment: five pieces, of which one has events of both projects. */
async function storeLarge(): Promise<void> {
  await store(60);
  const history = await store(60, { ts: Date.UTC(2026, 2, 1) });
  const other = await engine.projects.create({ name: 'other', timeZone: 'UTC' });
  await engine.events.store(history.map((each) => finishedEvent(other.id, each)));
}

/** The same, whose minutes have few of them each. */
async function storeByMinutes(): Promise<void> {
  for (let minute = 0; minute < 12; minute++) await store(15, { ts: Date.UTC(2026, 3, 1, 0, minute * 7) });
}

const stateNow = async () =>
  (await database.query('select shipped, position, sending from clickhouse_state'))[0] as {
    shipped: number;
    position: Position | null;
    sending: { last: Position | null } | null;
  };

it.each([
  ['put in order', storeLarge, 1],
  ['counted by minutes', storeByMinutes, 0],
] as const)('copies an epoch in pieces: %s once', async (_title, storeEpoch, puts) => {
  const original = Client.prototype.query as (...given: unknown[]) => unknown;
  const counts: string[] = [];
  const orders: string[] = [];
  const copies: string[] = [];
  Client.prototype.query = function query(this: Client, ...given: unknown[]) {
    const [first] = given as [string | { text?: string }];
    const text = typeof first === 'string' ? first : (first.text ?? '');
    if (text.includes('row_number() over (order by project_id, ts, uuid)')) orders.push(text);
    if (text.includes("date_trunc('minute', ts)")) counts.push(text);
    if (text.startsWith('copy (') && text.includes('from events where')) copies.push(text);
    return original.apply(this, given);
  } as typeof Client.prototype.query;
  try {
    await storeEpoch();
    expect(await begin().shipAll()).toBe(true);
  } finally {
    Client.prototype.query = original as typeof Client.prototype.query;
  }
  expect(counts).toHaveLength(1);
  expect(orders).toHaveLength(puts);
  expect(copies.length).toBeGreaterThanOrEqual(8);
  await expectEqual();
  expect(await stateNow()).toMatchObject({ position: null, sending: null });
});

const faults: ClickhouseFault['what'][] = ['loseAnswer', 'refuse', 'full'];

it.each(
  faults.flatMap((what) =>
    (['insert into luneta.events', 'insert into luneta.sessions'] as const).map((at) => [what, at] as const),
  ),
)('sends the same piece again: %s of "%s"', async (what, at) => {
  await begin().shipAll();
  await copying.process.stop();
  await storeLarge();
  await server.fail({ what, at, after: 2, times: 1 });
  await expect(begin().shipAll()).rejects.toThrow(/ClickHouse/);
  await copying.process.stop();
  const { shipped, position, sending } = await stateNow();
  const [copied, last] = [position?.uuid, sending?.last?.uuid];
  expect([copied, last]).toEqual([expect.any(String), expect.any(String)]);
  // In the pieces that were copied, in the one that may have been, at the ends of both, and in those to come.
  const inEpoch = `select uuid from events where epoch = ${shipped + 1} order by project_id, ts, uuid`;
  await database.query(`delete from events where epoch = $1 and uuid = any($2::uuid[])`, [shipped + 1, [copied, last]]);
  await database.query(`delete from events where uuid in (${inEpoch} limit 2)`);
  await database.query(`update events set person = 1, marks = marks # 2 where uuid in (${inEpoch} offset 30 limit 60)`);
  await database.query(`delete from events where uuid in (${inEpoch} offset 85 limit 40)`);
  await begin().shipAll();
  await expectEqual();
  expect(await stateNow()).toMatchObject({ position: null, sending: null });
});

it('reads again what was read ahead of a change', async () => {
  await begin().shipAll();
  await copying.process.stop();
  await storeByMinutes();
  const { deps } = engine;
  const clients = [openDirect(deps.config), openDirect(deps.config)] as const;
  for (const open of clients) {
    await open.connect();
    await open.query(`set timezone = 'UTC'; set datestyle = 'ISO, YMD'`);
  }
  const [client, reader] = clients;
  const house = await openClickhouse({ ...deps.config, CLICKHOUSE_URL: server.url });
  const asked = jest.spyOn(reader, 'query');
  const commits = () => asked.mock.calls.filter(([statement]) => (statement as unknown) === 'commit').length;
  const openReader = async () => reader;
  try {
    const shipper = await openShipper({ client, openReader, house, clock: deps.clock, ahead: lookAhead(40) });
    await shipper.step();
    // The first piece is sent, and the next one is read.
    await until(async () => commits() === 2);
    const { shipped, position } = await stateNow();
    const inNext = `select uuid from events where epoch = ${shipped + 1} and ts > '${position?.ts}' order by ts limit 5`;
    expect(await database.query(inNext)).toHaveLength(5);
    await database.query(`delete from events where uuid in (${inNext})`);
    while (!(await shipper.step()));
    await expectEqual();
  } finally {
    await house.close();
    for (const open of clients) await open.end();
  }
});
