/** A role whose connections are used up: who needs one waits, and what does not come free is named. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Client, type Pool } from 'pg';
import { createLog } from '#src/kit/log.ts';
import { watchRefusedConnections } from '#src/store/connection-wait.ts';
import { withBudget } from '#src/store/connections.ts';
import { asAppError, connectDirect, openDb, openSessionPool, openWritePool } from '#src/store/db.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testConfig } from '#test/kit/deps.ts';
import { withClient } from '#test/kit/server.ts';

const database = useDatabase();
const ALLOWED = 2;
const ROLE = `few_${process.pid}`;
const lines: string[] = [];
const log = createLog('info', { write: (line) => lines.push(JSON.parse(line).msg) });
let config: ReturnType<typeof testConfig>;
let holders: Client[];

const asAdmin = (statement: string) =>
  withClient(process.env['LUNETA_TEST_ADMIN_URL'] as string, (client) => client.query(statement));
beforeAll(() => asAdmin(`create role ${ROLE} login connection limit ${ALLOWED} password 'few'`));
afterAll(() => asAdmin(`drop role ${ROLE}`));

beforeEach(async () => {
  const url = new URL(database.url);
  if (url.searchParams.has('user')) url.searchParams.set('user', ROLE);
  else Object.assign(url, { username: ROLE, password: 'few' });
  config = testConfig(url.href);
  holders = Array.from({ length: ALLOWED }, () => new Client({ connectionString: url.href }));
  await Promise.all(holders.map((holder) => holder.connect()));
  lines.length = 0;
});
afterEach(() => Promise.all(holders.map((holder) => holder.end())));

/** Ends the connections that use up the limit. */
function free(): Promise<unknown> {
  return Promise.all(holders.splice(0).map((holder) => holder.end()));
}

it('waits until one comes free, in every pool and for work in the background', async () => {
  const refused = watchRefusedConnections(log);
  const db: Knex = openDb(config, log, 1, refused);
  const pools: Pool[] = [openWritePool(config, log, 1, refused), openSessionPool(config, log, 1, refused)];
  const freed = sleep(400).then(free);
  await Promise.all([db.raw('select 1'), pools[0]?.query('select 1')]);
  await freed;
  await db.destroy();
  await pools[0]?.end();
  await pools[1]?.query('select 1');
  const direct = await connectDirect(config, () => undefined);
  await direct.end();
  await pools[1]?.end();
  expect(refused.stats().times).toBeGreaterThanOrEqual(2);
  expect(lines.filter((line) => line.includes('53300'))).toHaveLength(1);
});

it('names what is missing when none comes free in time', async () => {
  const db = openDb(config, log, 1);
  const write = openWritePool(config, log, 1);
  const failures = [db.raw('select 1'), write.query('select 1')].map((query) =>
    Promise.resolve(query).then(() => null, asAppError),
  );
  for (const error of await Promise.all(failures)) {
    expect(error).toMatchObject({ code: 'busy', message: expect.stringContaining('DATABASE_CONNECTIONS') });
  }
  await Promise.all([db.destroy(), write.end()]);
});

it('warns of a budget that the server has no room for', async () => {
  await holders.pop()?.end();
  const warnings: string[] = [];
  const { DATABASE_CONNECTIONS } = await withBudget(config, 'worker', {
    warn: (text: unknown) => void warnings.push(String(text)),
  });
  expect(DATABASE_CONNECTIONS).toBe(8);
  expect(warnings).toEqual([expect.stringContaining(`of ${ALLOWED} that its role may have, 1 are free`)]);
});

it('states no more connections than its pools hold', async () => {
  await holders.pop()?.end();
  const stated = await withBudget({ ...config, DATABASE_CONNECTIONS: 500 }, 'web', { warn: () => undefined });
  expect(stated.DATABASE_CONNECTIONS).toBe(47);
  const copying = { ...config, DATABASE_CONNECTIONS: 500, CLICKHOUSE_URL: 'http://127.0.0.1:9' };
  const more = await withBudget(copying, 'web', { warn: () => undefined });
  expect(more.DATABASE_CONNECTIONS).toBe(49);
});
