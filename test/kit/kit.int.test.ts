import { createDatabase, useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';

describe('the databases of the test kit', () => {
  const database = useDatabase();

  it('are migrated, and each test may write', async () => {
    await database.query(`insert into projects (name, created_at) values ('a', '2026-01-01Z')`);
    expect(await database.query('select id, name from projects')).toEqual([{ id: 1, name: 'a' }]);
    await database.query('update ingest_epochs set current = 9');
  });

  it('are empty again for the next, with what the migrations wrote', async () => {
    expect(await database.query('select id from projects')).toEqual([]);
    expect(await database.query('select current from ingest_epochs')).toEqual([{ current: 1 }]);
  });

  it('serve both pools of a Deps', async () => {
    const deps = testDeps(database.url);
    expect((await deps.db.raw('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect((await deps.write.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
    await deps.close();
  });

  it('can be made empty for tests of starting', async () => {
    const { url, drop } = await createDatabase({ migrated: false });
    expect(url).not.toBe(database.url);
    await drop();
  });
});
