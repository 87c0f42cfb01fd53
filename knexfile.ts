/** For knex's own command line, `npx knex migrate:list` and the like. The program itself migrates by `migrate` of src/store/db.ts. */
import dotenv from 'dotenv';
import type { Knex } from 'knex';
import { migrationSource } from './src/store/migrations.ts';

dotenv.config({ quiet: true });

const config: Knex.Config = {
  client: 'pg',
  connection: process.env['DIRECT_DATABASE_URL'] || process.env['DATABASE_URL'] || '',
  migrations: { migrationSource },
};

export default config;
