/**
 * What a cluster is sent, as far as a ClickHouse without one reads it: statements are parsed, and their tables are refused for the lack of a cluster and for nothing else. Nothing of it
 * runs.
 */
import { lookAhead } from '#src/clickhouse/ahead.ts';
import type { ClickhouseConnection } from '#src/clickhouse/connection.ts';
import { forgetClickhouse } from '#src/clickhouse/forget.ts';
import { openShipper } from '#src/clickhouse/shipper.ts';
import { migrateClickhouse } from '#src/clickhouse/target.ts';
import { clickhouseText } from '#src/clickhouse/text.ts';
import { openDirect } from '#src/store/db.ts';
import { useCopying } from './copying.ts';

jest.setTimeout(60_000);

const copying = useCopying();
const { database, engine, server, store } = copying;

/** Says of each statement that there is a cluster. */
const said: string[] = [];
const house: ClickhouseConnection = {
  database: 'luneta',
  cluster: 'main',
  query: async () => [],
  async *stream() {},
  async run(fragment) {
    said.push(typeof fragment === 'string' ? fragment : clickhouseText(fragment));
  },
  async insert(_table, _columns, rows) {
    for await (const _ of rows);
  },
  close: async () => undefined,
};

async function answerOf(statement: string): Promise<string> {
  return (await fetch(server.url, { method: 'POST', body: statement })).text();
}

beforeAll(async () => {
  await migrateClickhouse(house);
  const client = openDirect(engine.deps.config);
  await client.connect();
  const reader = openDirect(engine.deps.config);
  await reader.connect();
  const ahead = lookAhead(40);
  const openReader = async () => reader;
  try {
    const shipper = await openShipper({ client, openReader, house, clock: engine.deps.clock, ahead });
    const untilDone = async () => {
      while (!(await shipper.step()));
    };
    await store(30);
    await untilDone();
    await database.query('update events set marks = marks where person = 2');
    await database.query('delete from sessions where id = (select min(id) from sessions)');
    await forgetClickhouse(engine.deps.db, copying.project.id, new AbortController().signal);
    await untilDone();
  } finally {
    await client.end();
    await reader.end();
  }
});

it('sends statements that are parsed, to all servers', async () => {
  const words = said.map((statement) => /^\s*(\w+)/.exec(statement)?.[1]);
  expect(new Set(words)).toEqual(new Set(['create', 'alter', 'truncate', 'delete', 'insert']));
  for (const statement of said) {
    if (!/^\s*insert/.test(statement)) expect(statement).toContain('on cluster `main`');
    expect(await answerOf(`explain ast ${statement}`)).toMatch(/^\s*(Create|Alter|Truncate|Delete|Insert)Query/);
  }
});

it('describes tables that are refused for the lack of Keeper and of the cluster, and for nothing else', async () => {
  const made = said.filter((statement) => statement.startsWith('create table'));
  expect(made).toHaveLength(7);
  await answerOf('create database if not exists luneta');
  for (const [at, statement] of made.entries()) {
    // As each server of the cluster would run it.
    const uuid = `018f0000-0000-7000-8000-${String(at).padStart(12, '0')}`;
    const own = statement.replace(' on cluster `main`', ` uuid '${uuid}'`).replace(/\{(shard|replica)\}/g, '1');
    const isOverShards = statement.includes('Distributed');
    const lack = isOverShards
      ? "Requested cluster 'main' not found"
      : "Can't create replicated table without ZooKeeper";
    expect(await answerOf(own)).toContain(lack);
    // The table behind shards has to be there.
    const alone = own.replace(/Replicated(\w+)\('[^']*', '[^']*'(, )?/, '$1(').replace(/ settings .*$/s, '');
    if (!isOverShards) expect(await answerOf(alone)).toBe('');
  }
});
