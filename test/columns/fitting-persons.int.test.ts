/** Of whom a condition is true and who was merged into whom, held against the plain questions at the same moment, while others write. */
import { type Client, Client as PgClient } from 'pg';
import { fittingPersons } from '#src/columns/conditions/fitting-persons.ts';
import { readMergedInto } from '#src/columns/snapshot/merged-into.ts';
import { createCache } from '#src/columns/storage/cache.ts';
import { outlineOf } from '#src/columns/storage/chunk-sql.ts';
import { changesSql, forgetOldChanges } from '#src/persons/changes.ts';
import { eraseRows } from '#src/persons/erasure.ts';
import { overridePersons } from '#src/persons/queries.ts';
import { query, sql } from '#src/store/sql.ts';
import { useDatabase } from '#test/kit/database.ts';
import { TEST_TIME } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';

const clients: Client[] = [];

// Before the database is emptied, which waits for them.
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});
const database = useDatabase();

async function connect(): Promise<Client> {
  const client = new PgClient({ connectionString: database.url });
  clients.push(client);
  await client.connect();
  return client;
}

const PROJECT = 7;
const KEY = 'plan is paid';
const test = sql`(properties ->> 'plan') = 'paid'`;

async function look(client: Client): Promise<void> {
  await client.query('begin transaction isolation level repeatable read read only');
  await client.query('select 1 from persons limit 1');
}

const lookOnce = async (client: Client, cache: ReturnType<typeof createCache>) => {
  await look(client);
  try {
    return await ask(client, cache);
  } finally {
    await client.query('commit');
  }
};

function ask(client: Client, cache: ReturnType<typeof createCache>): Promise<Int32Array> {
  return fittingPersons({ client, cache, projectId: PROJECT, once: (_, make) => make() }, KEY, test);
}

async function plainly(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ number: number }>(
    `select number from persons where project_id = ${PROJECT} and not merged and properties ->> 'plan' = 'paid' order by 1`,
  );
  return rows.map(({ number }) => number);
}

/** Writes a person and notes it, as the persons room does. */
async function write(client: Client, number: number, statement: string, values: unknown[] = []): Promise<void> {
  await client.query(statement, values);
  await query(client, changesSql(PROJECT, [number]));
}

function insert(client: Client, number: number, plan: string | null): Promise<unknown> {
  return write(
    client,
    number,
    `insert into persons (project_id, number, uuid, properties, created_at) values ($1, $2, gen_random_uuid(), $3, now())`,
    [PROJECT, number, JSON.stringify(plan === null ? {} : { plan })],
  );
}

const set = (client: Client, number: number, properties: object) =>
  write(client, number, 'update persons set properties = $1 where number = $2', [properties, number]);
const merge = (client: Client, number: number) =>
  write(client, number, 'update persons set merged = true where number = $1', [number]);
const remove = (client: Client, number: number) => eraseRows(client, PROJECT, [number]);

it('gives the same piece of memory while nobody changed, also when others were written', async () => {
  const [writer, reader] = [await connect(), await connect()];
  const cache = createCache(1_000_000);
  for (let number = 1; number <= 20; number++) await insert(writer, number, number % 2 === 0 ? 'paid' : 'free');
  const first = await lookOnce(reader, cache);
  expect([...first]).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  expect(await lookOnce(reader, cache)).toBe(first);
  await insert(writer, 21, 'free');
  await set(writer, 1, { plan: 'free', seen: 1 });
  await set(writer, 2, { plan: 'paid', seen: 1 });
  expect(await lookOnce(reader, cache)).toBe(first);
  await set(writer, 21, { plan: 'paid' });
  expect([...(await lookOnce(reader, cache))]).toEqual([...first, 21]);
});

it('notices who was merged, and who is not there any more', async () => {
  const [writer, reader] = [await connect(), await connect()];
  const cache = createCache(1_000_000);
  for (let number = 1; number <= 6; number++) await insert(writer, number, 'paid');
  expect([...(await lookOnce(reader, cache))]).toEqual([1, 2, 3, 4, 5, 6]);
  await merge(writer, 3);
  expect([...(await lookOnce(reader, cache))]).toEqual([1, 2, 4, 5, 6]);
  await remove(writer, 5);
  expect([...(await lookOnce(reader, cache))]).toEqual([1, 2, 4, 6]);
  // As many as before, but others.
  await writer.query('begin');
  await remove(writer, 1);
  await insert(writer, 7, 'free');
  await writer.query('commit');
  expect([...(await lookOnce(reader, cache))]).toEqual([2, 4, 6]);
});

/** As the persons room does: chains are one step, and who is merged is noted. Nothing when one of them is not there any more. */
async function mergeInto(client: Client, number: number, to: number): Promise<void> {
  const both = await client.query('select from persons where project_id = $1 and number in ($2, $3) and not merged', [
    ...[PROJECT, number, to],
  ]);
  if (both.rows.length < 2) return;
  await overridePersons(client, PROJECT, [{ person: number, to, joins: [TEST_TIME] }]);
  await query(client, changesSql(PROJECT, [number]));
}

async function survivorsOf(client: Client, cache: ReturnType<typeof createCache>): Promise<number[][]> {
  const outline = await outlineOf(client, PROJECT);
  if (outline.mostMerged === null) return [];
  const mergedInto = await readMergedInto({ client, cache }, PROJECT, { most: outline.mostMerged, seen: outline });
  return [...mergedInto].flatMap((to, number) => (to === 0 ? [] : [[number, to]]));
}

async function mergesPlainly(client: Client): Promise<number[][]> {
  const { rows } = await client.query<{ old_person: number; new_person: number }>(
    `select old_person, new_person from person_overrides where project_id = ${PROJECT} order by 1`,
  );
  return rows.map(({ old_person, new_person }) => [old_person, new_person]);
}

/** Deletes old changes by advancing time, unless another database of the same PostgreSQL has an equally old snapshot. */
async function clean(client: Client): Promise<void> {
  for (let times = 0; times < 3; times++) await forgetLater(client);
}

let nowMs = TEST_TIME;

async function forgetLater(client: Client): Promise<void> {
  nowMs += 600_000;
  await forgetOldChanges(client, nowMs);
}

it('asks about everybody when changes since are not kept any more', async () => {
  const [writer, reader] = [await connect(), await connect()];
  const cache = createCache(1_000_000);
  for (let number = 1; number <= 3; number++) await insert(writer, number, 'paid');
  expect([...(await lookOnce(reader, cache))]).toEqual([1, 2, 3]);
  await set(writer, 2, { plan: 'free' });
  await until(async () => {
    await clean(writer);
    return (await database.query('select 1 from person_changes where project_id <> 0')).length === 0;
  });
  expect([...(await lookOnce(reader, cache))].sort()).toEqual([1, 3]);
});

it('keeps changes while an earlier writer is active', async () => {
  const [slow, writer, reader] = [await connect(), await connect(), await connect()];
  const cache = createCache(1_000_000);
  for (let number = 1; number <= 3; number++) await insert(writer, number, 'paid');
  await slow.query('begin');
  await set(slow, 1, { plan: 'free' });
  expect([...(await lookOnce(reader, cache))]).toEqual([1, 2, 3]);
  await set(writer, 2, { plan: 'free' });
  await clean(writer);
  await slow.query('commit');
  expect([...(await lookOnce(reader, cache))]).toEqual([3]);
});

it('gives each snapshot its own state, regardless of other snapshots and writers', async () => {
  let state = 42;
  const below = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % most;
  };
  const writers = await Promise.all([1, 2, 3].map(async () => ({ client: await connect(), isBusy: false })));
  const readers = await Promise.all([1, 2, 3].map(async () => ({ client: await connect(), isLooking: false })));
  const cleaner = await connect();
  const cache = createCache(1_000_000);
  const last = [0, 0, 0];
  const kept: number[] = [];
  const same: number[] = [];
  const others: number[] = [];
  for (let step = 0; step < 1_500; step++) {
    const who = below(3);
    if (below(40) === 0) {
      await forgetLater(cleaner);
    }
    if (below(2) === 0) {
      const reader = readers[who] as (typeof readers)[number];
      if (!reader.isLooking) await look(reader.client);
      reader.isLooking = true;
      const before = cache.get(`persons of ${PROJECT} ${KEY}`);
      const found = [...(await ask(reader.client, cache))].sort((one, other) => one - other);
      expect([step, found]).toEqual([step, await plainly(reader.client)]);
      if (before !== undefined) kept.push(found.length);
      const list = () => cache.get<{ mergedInto: object }>(`merged of ${PROJECT}`)?.mergedInto;
      const listBefore = list();
      const merges = await survivorsOf(reader.client, cache);
      expect([step, merges]).toEqual([step, await mergesPlainly(reader.client)]);
      if (listBefore !== undefined) (list() === listBefore ? same : others).push(merges.length);
      if (below(3) > 0) {
        await reader.client.query('commit');
        reader.isLooking = false;
      }
      continue;
    }
    const writer = writers[who] as (typeof writers)[number];
    if (!writer.isBusy && below(2) === 0) {
      await writer.client.query('begin');
      writer.isBusy = true;
    }
    // Each has numbers of its own: nobody waits.
    const number = (below((last[who] as number) + 1) + 1) * 3 + who;
    const kind = below(10);
    if (kind < 3) {
      last[who] = (last[who] as number) + 1;
      await insert(writer.client, (last[who] as number) * 3 + who, below(2) ? 'paid' : 'free').catch(() => undefined);
    } else if (kind < 4) await remove(writer.client, number);
    else if (kind < 5) await mergeInto(writer.client, number, (below((last[who] as number) + 1) + 1) * 3 + who);
    else await set(writer.client, number, { plan: below(2) ? 'paid' : 'free', step });
    if (writer.isBusy && below(3) === 0) {
      await writer.client.query(below(4) === 0 ? 'rollback' : 'commit');
      writer.isBusy = false;
    }
  }
  expect(kept.length).toBeGreaterThan(300);
  // Mostly without merges, often with one.
  expect(same.length).toBeGreaterThan(300);
  expect(others.length).toBeGreaterThan(20);
});
