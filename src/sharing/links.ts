/** Links as they are made and stored. */
import { randomBytes } from 'node:crypto';
import { hashPassword } from '#src/accounts/passwords.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { Secrets } from '#src/store/secrets.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { SharedObject, ShareSettings } from './contract.ts';
import * as queries from './queries.ts';
import { hashOf, tokenOf } from './tokens.ts';
import { originEntry } from './values.ts';

/** What a new link belongs to. */
interface LinkOf {
  project: number;
  of: SharedObject;
  /** Who creates it. */
  account: number;
}

export interface ShareLinks {
  /** Keys of tokens and tickets: the first to make, all to read. */
  keys(): Promise<Buffer[]>;
  newToken(): Promise<{ seed: string; hash: string }>;
  stored(settings: ShareSettings): Promise<queries.StoredSettings>;
  /** @returns false: there is one already */
  insert(on: Queryable, link: LinkOf, settings: queries.StoredSettings): Promise<boolean>;
}

export function createShareLinks(clock: Pick<Clock, 'now'>, secrets: Pick<Secrets, 'keys'>): ShareLinks {
  const keys = () => secrets.keys('shared links');

  async function newToken(): Promise<{ seed: string; hash: string }> {
    const seed = randomBytes(24).toString('base64url');
    const [key] = await keys();
    return { seed, hash: hashOf(tokenOf(key as Buffer, seed)) };
  }

  return {
    keys,
    newToken,
    async stored({ password, origins, filters, ...settings }) {
      return {
        ...settings,
        filters: [...new Set(filters)],
        origins: [...new Set(origins.flatMap((text) => originEntry(text) ?? []))],
        password: password ? await hashPassword(password) : password,
      };
    },
    async insert(on, { project, of, account }, settings) {
      const link = { ...settings, ...(await newToken()), account, now: clock.now() };
      return queries.insertLink(on, project, of, link);
    },
  };
}
