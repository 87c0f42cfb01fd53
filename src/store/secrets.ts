/**
 * The secret that sessions and tokens are signed with: AUTH_SECRET, which the embedded database has a file for (auth-key.ts). Only with
 * another database and without AUTH_SECRET it is made once and kept there, with a warning. Owner of `secrets`. Other keys are derived from it, one per purpose, so that none is used for two things.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import type { Deps } from './deps.ts';
import { query, sql } from './sql.ts';

export interface Secrets {
  /** The one to sign with first, then those that still verify. @throws AppError `unavailable` while the database is away */
  all(): Promise<string[]>;
  /** Keys of 32 bytes for one purpose, in the same order: the first to make, all to read. */
  keys(purpose: string): Promise<Buffer[]>;
}

export function createSecrets({ config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>): Secrets {
  let kept: Promise<string> | null = null;

  async function keptSecret(): Promise<string> {
    const [known] = await query<{ value: string }>(db, sql`select value from secrets where name = 'auth'`);
    if (known) return known.value;
    const made = randomBytes(48).toString('base64url');
    await query(
      db,
      sql`insert into secrets (name, value, created_at) values ('auth', ${made}, ${new Date(clock.now())})
          on conflict (name) do nothing`,
    );
    const [row] = await query<{ value: string }>(db, sql`select value from secrets where name = 'auth'`);
    if (!row) throw new Error('secret not found right after its creation');
    return row.value;
  }

  async function all(): Promise<string[]> {
    const previous = config.AUTH_SECRET_PREVIOUS === undefined ? [] : [config.AUTH_SECRET_PREVIOUS];
    if (config.AUTH_SECRET !== undefined) return [config.AUTH_SECRET, ...previous];
    kept ??= keptSecret().catch((error) => {
      kept = null; // asked again next time
      throw error;
    });
    return [await kept, ...previous];
  }

  return {
    all,
    async keys(purpose) {
      return (await all()).map((secret) => Buffer.from(hkdfSync('sha256', secret, '', `luneta ${purpose}`, 32)));
    },
  };
}
