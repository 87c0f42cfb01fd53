/**
 * Codes of an app as the second step of a sign-in (TOTP), and recovery codes for when the app is not there. The secret is encrypted; a code
 * counts once, recovery codes work once each and are kept as hashes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { AppError, invalid } from '#src/kit/errors.ts';
import { seal, unseal } from '#src/kit/secret-box.ts';
import type { Limits } from '#src/limits/limits.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Audit } from '../audit.ts';
import type { Reader } from '../contract.ts';
import type { CodeSetUp } from './contract.ts';
import * as queries from './queries.ts';

export interface SecondStep {
  /** True when sign-in requires a second step after a password or a link. A passkey counts as both. */
  needed(userId: number): Promise<boolean>;
  /** Makes a secret for an app; it counts from its first code on. @throws AppError `conflict` when codes are on */
  begin(reader: Reader): Promise<CodeSetUp>;
  /** The first code: from now on codes are asked for. Gives the recovery codes, for the only time. */
  confirm(reader: Reader, code: string, address: string): Promise<string[]>;
  /** New recovery codes; those before stop working. @throws AppError `conflict` while codes are off */
  renewCodes(reader: Reader, address: string): Promise<string[]>;
  turnOff(reader: Reader, address: string): Promise<void>;
  /**
   * Looks at a code of the app or a recovery code, and uses it up.
   *
   * @throws AppError `invalid` with field `code` for a wrong one, `rate_limited` after too many
   */
  check(userId: number, code: string, address: string): Promise<void>;
}

export interface SecondStepParts {
  secrets: Pick<Secrets, 'keys'>;
  limits: Pick<Limits, 'signIn'>;
  audit: Audit;
}

const STEP_SEC = 30;
const CODES = 10;
/** Empty space around the picture that readers need, in modules. */
const QUIET = 4;
/** Without what looks alike. Thirty-two, so that every byte gives one without bias. */
const ALPHABET = 'abcdefghjkmnpqrstvwxyz0123456789';
const CODE_LENGTH = 16;

export function createSecondStep(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { secrets, limits, audit }: SecondStepParts,
): SecondStep {
  const keys = () => secrets.keys('totp');

  /** @throws AppError `conflict` when it cannot be read: both secrets that it was written with are gone */
  async function secretOf(userId: number, sealed: string | null): Promise<string> {
    const secret = sealed === null ? null : unseal(await keys(), `user ${userId}`, sealed);
    if (secret === null)
      throw new AppError('conflict', 'Authenticator codes can’t be verified right now. Use a recovery code.');
    return secret;
  }

  /** Takes a code of the app; false for a wrong one, and for one that was taken. */
  async function takeCode(on: Queryable, userId: number, secret: string, code: string): Promise<boolean> {
    if (!/^\d{6}$/.test(code)) return false;
    const epoch = Math.floor(clock.now() / 1_000);
    const { verifySync } = await import('otplib');
    const result = verifySync({ secret, token: code, epoch, epochTolerance: STEP_SEC });
    if (!result.valid) return false;
    return queries.takeStep(on, userId, Math.floor((epoch + result.delta * STEP_SEC) / STEP_SEC));
  }

  async function giveCodes(on: Queryable, userId: number): Promise<string[]> {
    const codes = Array.from({ length: CODES }, makeCode);
    await queries.setRecoveryCodes(on, userId, codes.map(hashOf));
    return codes;
  }

  return {
    async needed(userId) {
      const own = await queries.own(db, userId);
      return own !== null && own.totp_confirmed_at !== null;
    },
    async begin(reader) {
      const { generateSecret, generateURI } = await import('otplib');
      const secret = generateSecret();
      const [key] = await keys();
      if (!(await queries.setTotp(db, reader.id, seal(key as Buffer, `user ${reader.id}`, secret)))) throw isOn();
      const uri = generateURI({ issuer: 'Luneta', label: reader.email, secret });
      return { secret: secret.replace(/(.{4})(?=.)/g, '$1 '), uri, ...(await pictureOf(uri)) };
    },
    async confirm(reader, code, address) {
      const attempt = await limits.signIn(`second step ${reader.id}`, address);
      const now = clock.now();
      const codes = await db.transaction(async (trx) => {
        const own = await queries.own(trx, reader.id);
        if (own === null || own.totp_confirmed_at !== null) throw isOn();
        const secret = await secretOf(reader.id, own.totp_secret);
        if (!(await takeCode(trx, reader.id, secret, tidy(code)))) throw wrongCode();
        if (!(await queries.confirmTotp(trx, reader.id, own.totp_secret as string, now))) throw isOn();
        await audit.note(trx, { actor: reader, action: 'secondStep.on', address });
        return giveCodes(trx, reader.id);
      });
      await attempt.succeeded();
      return codes;
    },
    renewCodes: (reader, address) =>
      db.transaction(async (trx) => {
        const own = await queries.own(trx, reader.id);
        if (own === null || own.totp_confirmed_at === null) {
          throw new AppError('conflict', 'Two-factor authentication is off. Recovery codes aren’t needed.');
        }
        await audit.note(trx, { actor: reader, action: 'recoveryCodes.made', address });
        return giveCodes(trx, reader.id);
      }),
    turnOff: (reader, address) =>
      db.transaction(async (trx) => {
        await queries.clearTotp(trx, reader.id);
        await audit.note(trx, { actor: reader, action: 'secondStep.off', address });
      }),
    async check(userId, typed, address) {
      const attempt = await limits.signIn(`second step ${userId}`, address);
      const code = tidy(typed);
      const own = await queries.own(db, userId);
      if (own === null || own.totp_confirmed_at === null) throw wrongCode();
      const isRight =
        code.length === CODE_LENGTH
          ? await queries.spendRecoveryCode(db, userId, hashOf(code), clock.now())
          : await takeCode(db, userId, await secretOf(userId, own.totp_secret), code);
      if (!isRight) throw wrongCode();
      await attempt.succeeded();
    },
  };
}

/** People copy codes with spaces, dashes and capitals. */
function tidy(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

/** Eighty bits, so a plain hash is enough. `abcd-efgh-jkmn-pqrs` */
function makeCode(): string {
  const text = Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return text.replace(/(.{4})(?=.)/g, '$1-');
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(tidy(code)).digest();
}

/** Each run of dark modules in a row as one rectangle. */
async function pictureOf(text: string): Promise<{ path: string; size: number }> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const runs = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1] === true) return [];
      const end = row.indexOf(false, x);
      return `M${x} ${y}h${(end < 0 ? size : end) - x}v1H${x}z`;
    }),
  );
  return { path: runs.join(''), size };
}

function wrongCode(): AppError {
  return invalid('code', 'Incorrect or already used code.');
}

function isOn(): AppError {
  return new AppError('conflict', 'Two-factor authentication is already on.');
}
