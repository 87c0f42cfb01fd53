/**
 * One-time links: a random token of which only the hash is stored. A new link invalidates older ones of the same purpose and person.
 * Owner of `one_time_links`.
 */
import { createHash, randomBytes } from 'node:crypto';
import { dayMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { UserId } from './contract.ts';
import { emailKey } from './queries.ts';

export interface NewLink {
  /** A link works only for its purpose. */
  purpose: string;
  userId: UserId | null;
  /** The address that it was sent to. */
  email: string;
  details?: Record<string, string>;
  lifeMs: number;
}

export interface OneTimeLink {
  userId: UserId | null;
  email: string;
  details: Record<string, string>;
}

export interface Links {
  /** A token to be put into a link; it is not stored and cannot be had again. */
  issue(on: Queryable, link: NewLink): Promise<string>;
  /** Keeps something more about a link that was just issued. */
  remember(on: Queryable, token: string, details: Record<string, string>): Promise<void>;
  /** The link of a token; null when it is invalid. Does not consume it. */
  look(token: string, purpose: string): Promise<OneTimeLink | null>;
  /** As `look`, but works once. */
  consume(on: Queryable, token: string, purpose: string): Promise<OneTimeLink | null>;
  /** Invalidates all links of a person with this purpose. */
  end(on: Queryable, userId: UserId, purpose: string): Promise<void>;
  /** Forgets what has ended. */
  tidy(): Promise<void>;
}

/** 256 bits. */
const TOKEN_BYTES = 32;
/** Ended ones are kept for a day, to be looked into when someone asks. */
const KEPT_MS = dayMs;

export function createLinks({ db, clock }: Pick<Deps, 'db' | 'clock'>): Links {
  const alive = (token: string, purpose: string) => sql`
    hash = ${hashOf(token)} and purpose = ${purpose} and used_at is null and expires_at > ${new Date(clock.now())}`;
  return {
    async issue(on, { purpose, userId, email, details = {}, lifeMs }) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const now = clock.now();
      const [createdAt, expiresAt] = [new Date(now), new Date(now + lifeMs)];
      await query(
        on,
        sql`update one_time_links set used_at = ${createdAt}
             where purpose = ${purpose} and used_at is null
               and (email = ${emailKey(email)} or user_id = ${userId}::int)`,
      );
      await query(
        on,
        sql`insert into one_time_links (hash, purpose, user_id, email, details, expires_at, created_at)
            values (${hashOf(token)}, ${purpose}, ${userId}, ${emailKey(email)},
                    ${sql.json({ ...details, email: email.trim() })}, ${expiresAt}, ${createdAt})`,
      );
      return token;
    },
    async remember(on, token, details) {
      await query(
        on,
        sql`update one_time_links set details = details || ${sql.json(details)} where hash = ${hashOf(token)}`,
      );
    },
    async look(token, purpose) {
      const [row] = await query<LinkRow>(
        db,
        sql`select user_id, details from one_time_links where ${alive(token, purpose)}`,
      );
      return row === undefined ? null : linkOf(row);
    },
    async consume(on, token, purpose) {
      const [row] = await query<LinkRow>(
        on,
        sql`update one_time_links set used_at = ${new Date(clock.now())} where ${alive(token, purpose)}
            returning user_id, details`,
      );
      return row === undefined ? null : linkOf(row);
    },
    async end(on, userId, purpose) {
      await query(
        on,
        sql`update one_time_links set used_at = ${new Date(clock.now())}
             where user_id = ${userId} and purpose = ${purpose} and used_at is null`,
      );
    },
    async tidy() {
      await query(db, sql`delete from one_time_links where expires_at < ${new Date(clock.now() - KEPT_MS)}`);
    },
  };
}

interface LinkRow {
  user_id: number | null;
  details: Record<string, string> & { email: string };
}

function linkOf({ user_id, details: { email, ...details } }: LinkRow): OneTimeLink {
  return { userId: user_id as UserId | null, email, details };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
