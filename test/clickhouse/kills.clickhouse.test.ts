/** A process that copies may be killed at each of its statements, to ClickHouse and to PostgreSQL: the next one loses nothing and copies nothing twice. */
import { until } from '#test/kit/until.ts';
import { useCopying } from './copying.ts';
import { killAt } from './killing.ts';

jest.setTimeout(300_000);

const copying = useCopying();
const { database, server, begin, store, expectEqual } = copying;

/** Fewer would not be all of a run that copies events and changes. */
const MIN_STATEMENTS = 16;

/** An epoch of three inserts, and changes of some events that are copied already. */
async function storeAndChange(): Promise<void> {
  await store(130);
  await database.query('update events set marks = marks where uuid in (select uuid from events order by uuid limit 5)');
  await database.query('delete from events where uuid = (select min(uuid::text)::uuid from events)');
}

beforeAll(async () => {
  await store(60);
  await begin().shipAll();
});

it.each(['hang', 'hangDone'] as const)('killed at any statement to ClickHouse: %s', async (what) => {
  let killed = 0;
  for (; ; killed++) {
    await storeAndChange();
    await server.fail({ what, at: '', after: killed, times: 1 });
    let isOver = false;
    begin()
      .shipAll()
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    await until(async () => isOver || (await server.faultsLeft()) === 0);
    await server.fail(null);
    if (isOver) break;
    await copying.killConnection();
    await copying.process.stop();
    // PostgreSQL may not have noticed yet that the lock's connection is gone.
    expect(await begin().shipAll({ waits: true })).toBe(true);
    await expectEqual();
  }
  await expectEqual();
  expect(killed).toBeGreaterThanOrEqual(MIN_STATEMENTS);
});

it.each(['before', 'after'] as const)('killed at any statement to PostgreSQL: %s it is done', async (when) => {
  let killed = 0;
  for (; ; killed++) {
    await storeAndChange();
    const killing = killAt(killed, { first: /set enable_seqscan = off/, when });
    try {
      await begin()
        .shipAll()
        .catch(() => undefined);
    } finally {
      killing.restore();
    }
    await copying.process.stop();
    if (!killing.isKilled()) break;
    expect(await begin().shipAll({ waits: true })).toBe(true);
    await expectEqual();
  }
  await expectEqual();
  expect(killed).toBeGreaterThanOrEqual(MIN_STATEMENTS);
});
