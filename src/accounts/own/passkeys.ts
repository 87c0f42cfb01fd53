/**
 * Passkeys: a device that knows its person proves both that it is there and that they are, so one counts as both steps. The relying party is
 * the host of PUBLIC_APP_URL; an answer from any other origin is refused.
 */
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { AppError, notFound } from '#src/kit/errors.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import type { Audit } from '../audit.ts';
import type { Reader, UserId } from '../contract.ts';
import { type ChallengePurpose, createChallenges } from './challenges.ts';
import type { AssertionAnswer, Passkey, RegistrationAnswer } from './contract.ts';
import * as queries from './queries.ts';

/** Loaded with the first passkey: it holds 9 MB, and most processes only take in events. */
const webauthn = () => import('@simplewebauthn/server');

export type RegistrationQuestion = PublicKeyCredentialCreationOptionsJSON;
export type PasskeyQuestion = PublicKeyCredentialRequestOptionsJSON;

export interface Passkeys {
  list(userId: number): Promise<Passkey[]>;
  /** WebAuthn creation options for a new passkey. */
  registration(reader: Reader): Promise<RegistrationQuestion>;
  /** @throws AppError `invalid` with field `passkey` when the answer is not to our question, `conflict` when there are too many */
  add(reader: Reader, name: string, answer: RegistrationAnswer, address: string): Promise<void>;
  /** @throws AppError `not_found` */
  rename(reader: Reader, id: string, name: string): Promise<void>;
  /** @throws AppError `not_found` */
  remove(reader: Reader, id: string, address: string): Promise<void>;
  /** WebAuthn request options: for this person's passkeys, or with null for any on the device. Null when the person has none. */
  question(purpose: ChallengePurpose, userId: number | null): Promise<PasskeyQuestion | null>;
  /**
   * The owner of the passkey that signed the challenge.
   *
   * @throws AppError `invalid` with field `passkey` for anything but a valid response to our challenge
   */
  answered(purpose: ChallengePurpose, userId: number | null, answer: AssertionAnswer): Promise<UserId>;
}

const MAX_PASSKEYS = 20;
const TIMEOUT_MS = 120_000;

export function createPasskeys(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  { secrets, audit }: { secrets: Pick<Secrets, 'keys'>; audit: Audit },
): Passkeys {
  const { config, db, clock, log } = deps;
  const { origin, hostname: rpID } = new URL(config.PUBLIC_APP_URL);
  const challenges = createChallenges(deps, secrets);

  /** The library throws for every failed check. The reason is logged, never sent to the client. */
  async function verified<Result extends { verified: boolean }>(check: () => Promise<Result>): Promise<Result> {
    const result = await check().catch((error: unknown) => {
      log.info({ reason: error instanceof Error ? error.message : String(error) }, 'passkey rejected');
      return null;
    });
    if (result === null || !result.verified) throw refused();
    return result;
  }

  return {
    list: async (userId) => (await queries.passkeysOf(db, userId)).map(asPasskey),
    async registration(reader) {
      const known = await queries.passkeysOf(db, reader.id);
      return (await webauthn()).generateRegistrationOptions({
        rpName: 'Luneta',
        rpID,
        userName: reader.email,
        userDisplayName: reader.name,
        userID: new TextEncoder().encode(reader.uuid),
        challenge: new Uint8Array(await challenges.issue('register', reader.id)),
        timeout: TIMEOUT_MS,
        excludeCredentials: known.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },
    async add(reader, name, answer, address) {
      const { registrationInfo } = await verified(async () =>
        (await webauthn()).verifyRegistrationResponse({
          response: answer as RegistrationResponseJSON,
          expectedChallenge: (text) => challenges.spend(text, 'register', reader.id),
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: true,
        }),
      );
      if (registrationInfo === undefined) throw refused();
      const { id, publicKey, counter } = registrationInfo.credential;
      const transports = answer.response.transports ?? [];
      await db.transaction(async (trx) => {
        if ((await queries.passkeysOf(trx, reader.id)).length >= MAX_PASSKEYS) {
          throw new AppError('conflict', `Limit of ${MAX_PASSKEYS} passkeys reached. Remove one first.`);
        }
        const row = {
          credential_id: id,
          user_id: reader.id,
          public_key: Buffer.from(publicKey),
          counter,
          transports,
          name,
        };
        await queries.insertPasskey(trx, row, clock.now());
        await audit.note(trx, { actor: reader, action: 'passkey.added', details: { name }, address });
      });
    },
    async rename(reader, id, name) {
      if (!(await queries.renamePasskey(db, reader.id, id, name))) throw notFound('passkey');
    },
    remove: (reader, id, address) =>
      db.transaction(async (trx) => {
        const name = await queries.removePasskey(trx, reader.id, id);
        if (name === null) throw notFound('passkey');
        await audit.note(trx, { actor: reader, action: 'passkey.removed', details: { name }, address });
      }),
    async question(purpose, userId) {
      const known = userId === null ? [] : await queries.passkeysOf(db, userId);
      if (userId !== null && known.length === 0) return null;
      return (await webauthn()).generateAuthenticationOptions({
        rpID,
        allowCredentials: known.map(descriptorOf),
        challenge: new Uint8Array(await challenges.issue(purpose, userId)),
        timeout: TIMEOUT_MS,
        userVerification: 'required',
      });
    },
    async answered(purpose, userId, answer) {
      const row = await queries.passkey(db, answer.id);
      if (row === null || (userId !== null && row.user_id !== userId)) throw refused();
      const { authenticationInfo } = await verified(async () =>
        (await webauthn()).verifyAuthenticationResponse({
          response: answer as AuthenticationResponseJSON,
          expectedChallenge: (text) => challenges.spend(text, purpose, userId),
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: true,
          credential: {
            id: row.credential_id,
            publicKey: new Uint8Array(row.public_key),
            counter: Number(row.counter),
            transports: row.transports as AuthenticatorTransport[],
          },
        }),
      );
      if (!(await queries.notePasskeyUse(db, row.credential_id, authenticationInfo.newCounter, clock.now()))) {
        throw refused();
      }
      return row.user_id as UserId;
    },
  };
}

function descriptorOf({ credential_id: id, transports }: queries.PasskeyRow) {
  return { id, transports: transports as AuthenticatorTransport[] };
}

function asPasskey(row: queries.PasskeyRow): Passkey {
  return { id: row.credential_id, name: row.name, createdAt: row.created_at, usedAt: row.last_used_at };
}

function refused(): AppError {
  return new AppError('invalid', 'Passkey not accepted. Try again or use another method.', {
    field: 'passkey',
  });
}
