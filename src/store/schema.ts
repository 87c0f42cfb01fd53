/** Checks that the database has this program's schema. */
import type { Knex } from 'knex';
import { sqlState } from './db.ts';
import { migrationSource } from './migrations.ts';
import { query, sql } from './sql.ts';

/** False before the first migration and between a release and its migration. @throws while the database is away */
export async function isMigrated(db: Knex): Promise<boolean> {
  const wanted = (await migrationSource.getMigrations([])).map((migration) =>
    migrationSource.getMigrationName(migration),
  );
  try {
    const rows = await query<{ name: string }>(db, sql`select name from knex_migrations`);
    const applied = new Set(rows.map(({ name }) => name));
    return wanted.every((name) => applied.has(name));
  } catch (error) {
    if (sqlState(error) === '42P01') return false; // no such table: nothing was ever migrated
    throw error;
  }
}
