/**
 * Secret keys of projects: with one, a server reads the flag definitions of that project and nothing else. A key is shown
 * once and stored as a hash; 238 random bits need no slow one. Owner of `project_secrets`.
 */
import { createHash, randomInt } from 'node:crypto';
import { AppError, notFound } from '#src/kit/errors.ts';
import { hourMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import type { ProjectId, ProjectSecret } from '../contract.ts';
import type { GraceHours } from '../values.ts';

export interface ProjectSecrets {
  /** Valid ones, the current one first. */
  list(id: ProjectId): Promise<ProjectSecret[]>;
  /**
   * Makes a key; those before it are accepted for so long. What it gives is the only time that the key can be seen.
   * @throws AppError `conflict` when there are too many
   */
  rotate(id: ProjectId, grace: GraceHours): Promise<{ key: string; hint: string }>;
  /** Ends a key at once. @throws AppError `not_found` */
  revoke(id: ProjectId, secret: number): Promise<{ hint: string }>;
  /** Number of the project that a key belongs to; null when it has ended or is none. Notes that it was used. */
  projectOf(key: string): Promise<number | null>;
}

/** "Last used" is this exact: servers poll. */
const USED_MS = 5 * 60_000;
const MAX_SECRETS = 10;
const HINT_LENGTH = 8;
/** As other servers of this protocol write it, so that client libraries accept it. */
const SHAPE = /^phs_[0-9A-Za-z]{40}$/;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function isProjectSecret(key: string): boolean {
  return SHAPE.test(key);
}

export function createProjectSecrets({ db, clock }: Pick<Deps, 'db' | 'clock'>): ProjectSecrets {
  const isValid = () => sql`(accepted_until is null or accepted_until > ${sql.time(clock.now())})`;

  return {
    list: (id) =>
      query<ProjectSecret>(
        db,
        sql`select id, hint, created_at as "createdAt", last_used_at as "lastUsedAt", accepted_until as "acceptedUntil"
              from project_secrets
             where project_id = ${id} and ${isValid()}
             order by accepted_until is not null, created_at desc, id desc`,
      ),
    rotate: (id, grace) =>
      db.transaction(async (trx) => {
        const now = clock.now();
        const key = newKey();
        const hint = key.slice(0, HINT_LENGTH);
        // One after another: two at once would both stay current.
        await query(trx, sql`select from projects where id = ${id} for update`);
        await query(trx, sql`delete from project_secrets where project_id = ${id} and not ${isValid()}`);
        await query(
          trx,
          sql`update project_secrets set accepted_until = ${sql.time(now + grace * hourMs)}
               where project_id = ${id} and accepted_until is null`,
        );
        const made = await query(
          trx,
          sql`insert into project_secrets (project_id, hash, hint, created_at)
              select ${id}::int, ${hashOf(key)}::bytea, ${hint}::text, ${sql.time(now)}
               where (select count(*) from project_secrets where project_id = ${id}) < ${MAX_SECRETS}
              returning id`,
        );
        if (made.length > 0) return { key, hint };
        throw new AppError('conflict', `Limit of ${MAX_SECRETS} secret keys per project reached. Revoke one first.`);
      }),
    async revoke(id, secret) {
      const [gone] = await query<{ hint: string }>(
        db,
        sql`delete from project_secrets where id = ${secret} and project_id = ${id} returning hint`,
      );
      if (gone === undefined) throw notFound('key');
      return gone;
    },
    async projectOf(key) {
      if (!isProjectSecret(key)) return null;
      const [found] = await query<{ id: number; projectId: number; lastUsedAt: number | null }>(
        db,
        sql`select id, project_id as "projectId", last_used_at as "lastUsedAt"
              from project_secrets
             where hash = ${hashOf(key)} and ${isValid()}`,
      );
      if (found === undefined) return null;
      const now = clock.now();
      if (found.lastUsedAt === null || now - found.lastUsedAt > USED_MS) {
        await query(db, sql`update project_secrets set last_used_at = ${sql.time(now)} where id = ${found.id}`);
      }
      return found.projectId;
    },
  };
}

function newKey(): string {
  let key = 'phs_';
  for (let at = 0; at < 40; at++) key += BASE62[randomInt(62)];
  return key;
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
