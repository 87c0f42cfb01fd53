/**
 * The public tokens of a project: the one we made last, those before it for as long as they are still accepted, and those that were
 * brought along from elsewhere.
 */
import { randomInt } from 'node:crypto';
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import { hourMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import type { ProjectId, ProjectToken } from './contract.ts';
import * as queries from './queries.ts';
import type { GraceHours } from './values.ts';
import { tokenEntry } from './values.ts';

/** Each is looked up on the path of every event. */
const MAX_TOKENS = 20;

export interface Tokens {
  /** Valid tokens, the current one first. */
  tokens(id: ProjectId): Promise<ProjectToken[]>;
  /** Makes a new one; the one before goes on being accepted for so long. */
  rotateToken(id: ProjectId, grace: GraceHours): Promise<ProjectToken[]>;
  /** Accepts one of another installation. @throws AppError `conflict` when it is taken, `invalid` for what is none or too many */
  addToken(id: ProjectId, token: string): Promise<ProjectToken[]>;
  /** Revokes a token immediately. @throws AppError `not_found`, `invalid` for the current one */
  removeToken(id: ProjectId, token: string): Promise<ProjectToken[]>;
}

/** @param changed waited for after each change: what is remembered of tokens is not true any more */
export function createTokens({ db, clock }: Pick<Deps, 'db' | 'clock'>, changed: () => Promise<void>): Tokens {
  const list = async (id: ProjectId): Promise<ProjectToken[]> =>
    (await queries.tokens(db, id, clock.now())).map(asToken);

  return {
    tokens: list,
    async rotateToken(id, grace) {
      const now = clock.now();
      await queries.rotate(db, id, { token: newToken(), acceptedUntil: now + grace * hourMs }, now);
      await changed();
      return list(id);
    },
    async addToken(id, text) {
      const token = tokenEntry(text);
      if (token === null) throw invalid('token', 'Invalid project token.');
      if ((await list(id)).length >= MAX_TOKENS) throw invalid('tokens', 'Token limit reached. Remove one first.');
      if (!(await queries.addToken(db, id, token, clock.now()))) {
        throw new AppError('conflict', 'Another project already uses this token.', { field: 'token' });
      }
      await changed();
      return list(id);
    },
    async removeToken(id, token) {
      const found = (await list(id)).find((each) => each.token === token);
      if (found === undefined) throw notFound('token');
      if (found.kind === 'current') throw invalid('token', 'The current token can’t be removed. Rotate it instead.');
      await queries.endToken(db, id, token, clock.now());
      await changed();
      return list(id);
    },
  };
}

function asToken(row: queries.TokenRow): ProjectToken {
  const kind = row.ours ? (row.accepted_until === null ? 'current' : 'replaced') : 'added';
  return { token: row.token, kind, createdAt: row.created_at, acceptedUntil: row.accepted_until };
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A public project token: `lnt_` and 32 random characters, about 190 bits. */
export function newToken(): string {
  let token = 'lnt_';
  for (let at = 0; at < 32; at++) token += BASE62[randomInt(62)];
  return token;
}
