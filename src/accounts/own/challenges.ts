/**
 * WebAuthn challenges: random, with an HMAC, for one purpose and person, valid once within five minutes. Nothing is stored
 * until one is answered, so opening the sign-in page writes no row.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import * as queries from './queries.ts';

export type ChallengePurpose = 'register' | 'sign-in' | 'second-step' | 'prove';

export interface Challenges {
  /** @param userId the person to sign it; null: anyone with a passkey */
  issue(purpose: ChallengePurpose, userId: number | null): Promise<Buffer>;
  /** True once for a challenge of ours that still counts. `text` is base64url, as browsers give it back. */
  spend(text: string, purpose: ChallengePurpose, userId: number | null): Promise<boolean>;
}

const LIFE_MS = 5 * 60_000;
const RANDOM_BYTES = 16;
const END_BYTES = 6;
const BODY_BYTES = RANDOM_BYTES + END_BYTES;

export function createChallenges(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  secrets: Pick<Secrets, 'keys'>,
): Challenges {
  const keys = () => secrets.keys('passkeys');

  return {
    async issue(purpose, userId) {
      const [key] = await keys();
      const body = Buffer.alloc(BODY_BYTES);
      randomBytes(RANDOM_BYTES).copy(body);
      body.writeUIntBE(clock.now() + LIFE_MS, RANDOM_BYTES, END_BYTES);
      return Buffer.concat([body, markOf(key as Buffer, body, purpose, userId)]);
    },
    async spend(text, purpose, userId) {
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length !== BODY_BYTES + 32) return false;
      const [body, mark] = [bytes.subarray(0, BODY_BYTES), bytes.subarray(BODY_BYTES)];
      const isOurs = (await keys()).some((key) => timingSafeEqual(markOf(key, body, purpose, userId), mark));
      const until = body.readUIntBE(RANDOM_BYTES, END_BYTES);
      const now = clock.now();
      if (!isOurs || until < now) return false;
      return queries.spendChallenge(db, createHash('sha256').update(bytes).digest(), until, now);
    },
  };
}

function markOf(key: Buffer, body: Buffer, purpose: ChallengePurpose, userId: number | null): Buffer {
  return createHmac('sha256', key)
    .update(`${purpose} ${userId ?? 'anyone'} `)
    .update(body)
    .digest();
}
