/**
 * Personal keys: with one, a program of a person reads what the key's scopes and projects and the person's own rights all three allow.
 * The key is shown once and stored as a hash; 238 random bits need no slow one. Owner of `api_keys`.
 */
import { createHash, randomInt } from 'node:crypto';
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { type ApiKeyRow, type KeyScope, keyDays, type NewApiKey } from './contract.ts';

/** A valid presented key. The accounts room determines its owner's current rights. */
export interface PresentedKey {
  id: number;
  userId: number;
  scopes: readonly KeyScope[];
  /** Null: all projects of its person. */
  projects: readonly number[] | null;
}

export interface ApiKeys {
  /** A person's keys, newest first. */
  list(userId: number): Promise<ApiKeyRow[]>;
  /**
   * Makes a key. What it gives is the only time that the key can be seen.
   * @param allowed numbers of the projects that the person may see
   * @throws AppError `invalid` for a project that is not among them, `conflict` when there are too many keys
   */
  create(userId: number, input: NewApiKey, allowed: readonly number[]): Promise<{ id: number; key: string }>;
  /** Revokes a key immediately and returns it. @throws AppError `not_found` for a key of another person */
  revoke(userId: number, id: number): Promise<Pick<ApiKeyRow, 'name' | 'projects'>>;
  /** The key behind this text; null when there is none or it has ended. Notes that it was used. */
  byKey(key: string): Promise<PresentedKey | null>;
}

/** "Last used" is this exact: every request would otherwise write. */
const USED_MS = 5 * 60_000;
const MAX_KEYS = 50;
const SHAPE = /^lnk_[0-9A-Za-z]{40}$/;
const HINT_LENGTH = 8;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** True for what could be a key. */
export function isKeyShaped(text: string): boolean {
  return SHAPE.test(text);
}

export function createApiKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>): ApiKeys {
  return {
    list: (userId) =>
      query<ApiKeyRow>(
        db,
        sql`select id, name, hint, scopes, projects, expires_at as "expiresAt", last_used_at as "lastUsedAt",
                   created_at as "createdAt"
              from api_keys
             where user_id = ${userId}
             order by created_at desc, id desc`,
      ),
    async create(userId, { name, scopes, projects, days }, allowed) {
      const unknown = projects?.some((id) => !allowed.includes(id)) ?? false;
      if (unknown) throw invalid('projects', 'Project not found, or you don’t have access.');
      const key = newKey();
      const now = clock.now();
      const kept = keyDays[days];
      const expiresAt = kept === null ? null : new Date(now + kept * dayMs);
      const [made] = await query<{ id: number }>(
        db,
        sql`insert into api_keys (user_id, name, hash, hint, scopes, projects, expires_at, created_at)
            select ${userId}::int, ${name}, ${hashOf(key)}::bytea, ${key.slice(0, HINT_LENGTH)},
                   ${[...new Set(scopes)]}::text[], ${projects && [...new Set(projects)]}::int[],
                   ${expiresAt}::timestamptz, ${new Date(now)}::timestamptz
             where (select count(*) from api_keys where user_id = ${userId}) < ${MAX_KEYS}
            returning id`,
      );
      if (!made) throw new AppError('conflict', `Limit of ${MAX_KEYS} API keys per user reached. Revoke one first.`);
      return { id: made.id, key };
    },
    async revoke(userId, id) {
      const [gone] = await query<Pick<ApiKeyRow, 'name' | 'projects'>>(
        db,
        sql`delete from api_keys where id = ${id} and user_id = ${userId} returning name, projects`,
      );
      if (!gone) throw notFound('key');
      return gone;
    },
    async byKey(key) {
      if (!isKeyShaped(key)) return null;
      const now = clock.now();
      const [found] = await query<PresentedKey & { lastUsedAt: number | null }>(
        db,
        sql`select id, user_id as "userId", scopes, projects, last_used_at as "lastUsedAt"
              from api_keys
             where hash = ${hashOf(key)} and (expires_at is null or expires_at > ${new Date(now)})`,
      );
      if (!found) return null;
      const { lastUsedAt, ...presented } = found;
      if (lastUsedAt === null || now - lastUsedAt > USED_MS) {
        await query(db, sql`update api_keys set last_used_at = ${new Date(now)} where id = ${found.id}`);
      }
      return presented;
    },
  };
}

/** Revokes all keys of a person. */
export async function endKeysOf(on: Queryable, userId: number): Promise<void> {
  await query(on, sql`delete from api_keys where user_id = ${userId}`);
}

function newKey(): string {
  let key = 'lnk_';
  for (let at = 0; at < 40; at++) key += BASE62[randomInt(62)];
  return key;
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
