/** A person's profile and sign-in: name, language, time zone, password, email address. */
import { AppError, invalid } from '#src/kit/errors.ts';
import type { Limits } from '#src/limits/limits.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Audit } from '../audit.ts';
import { isCommonPassword } from '../common-passwords.ts';
import type { Reader } from '../contract.ts';
import type { Links } from '../links.ts';
import { hashPassword, verifyPassword } from '../passwords.ts';
import { emailKey, setPasswordHash } from '../queries.ts';
import type { OwnAccount, ProfileInput } from './contract.ts';
import type { Passkeys } from './passkeys.ts';
import * as queries from './queries.ts';
import type { SignIns } from './sessions.ts';

/** From where someone asks: their sign-in, and their network address. */
export interface RequestOrigin {
  sid: string;
  address: string;
}

export interface Profile {
  /** Everything that the account screen shows; `sid` is the sign-in that asks. */
  get(reader: Reader, sid: string): Promise<OwnAccount>;
  /** @throws AppError `invalid` for a time zone that does not exist */
  change(reader: Reader, input: ProfileInput): Promise<void>;
  hasPassword(userId: number): Promise<boolean>;
  /** True for the person's password. @throws AppError `rate_limited` */
  isPassword(reader: Reader, password: string, address: string): Promise<boolean>;
  /**
   * Sets a password and ends all other sign-ins. Requires the current password, or without one a recent re-authentication.
   *
   * @throws AppError `invalid` with field `current` or `password`
   */
  changePassword(
    reader: Reader,
    input: { current?: string | undefined; password: string },
    asking: RequestOrigin,
  ): Promise<void>;
  /** Sends a link to the new address. @throws AppError `invalid` with field `email` when it is theirs already */
  askForEmail(reader: Reader, email: string, address: string): Promise<void>;
  /** The address that a link would set; null for one that does not work. */
  emailOf(token: string): Promise<string | null>;
  /** Changes the address after its link was opened, and notifies the previous address. @throws AppError `not_found`, `conflict` */
  confirmEmail(token: string, address: string): Promise<string>;
}

export interface ProfileParts {
  projects: Pick<Projects, 'checkTimeZone'>;
  mail: Pick<Mail, 'send'>;
  limits: Pick<Limits, 'signIn' | 'mail'>;
  audit: Audit;
  links: Links;
  signIns: Pick<SignIns, 'list' | 'endOthers'>;
  passkeys: Pick<Passkeys, 'list'>;
}

const PURPOSE = 'change-email';
const LINK_MINUTES = 60;

export function createProfile(deps: Pick<Deps, 'config' | 'db' | 'clock'>, parts: ProfileParts): Profile {
  const { config, db, clock } = deps;
  const { projects, mail, limits, audit, links, signIns, passkeys } = parts;
  const base = config.AUTH_URL ?? config.PUBLIC_APP_URL;
  const addressOf = (path: string) => new URL(path, base).href;

  async function isPassword(reader: Reader, password: string, address: string): Promise<boolean> {
    const attempt = await limits.signIn(reader.email, address);
    const own = await queries.own(db, reader.id);
    const isRight = await verifyPassword(password, own?.password_hash ?? null);
    if (isRight) await attempt.succeeded();
    return isRight;
  }

  return {
    async get(reader, sid) {
      const [row, left, keys, list] = await Promise.all([
        queries.own(db, reader.id),
        queries.recoveryCodesLeft(db, reader.id),
        passkeys.list(reader.id),
        signIns.list(reader, sid),
      ]);
      const { name, email, emailVerified, language, timeZone } = reader;
      return {
        name,
        email,
        emailVerified,
        language,
        timeZone,
        tableFormat: row?.table_format ?? null,
        hasPassword: row?.password_hash != null,
        hasCodes: row?.totp_confirmed_at != null,
        recoveryCodesLeft: left,
        passkeys: keys,
        signIns: list,
        at: clock.now(),
      };
    },
    async change(reader, input) {
      projects.checkTimeZone(input.timeZone);
      await queries.setProfile(db, reader.id, input);
    },
    hasPassword: async (userId) => (await queries.own(db, userId))?.password_hash != null,
    isPassword,
    async changePassword(reader, { current, password }, { sid, address }) {
      const own = await queries.own(db, reader.id);
      if (own === null) throw new AppError('not_found', 'This account no longer exists.');
      if (own.password_hash !== null && !(await isPassword(reader, current ?? '', address))) {
        throw invalid('current', 'Incorrect password. Try again.');
      }
      if (await isCommonPassword(password))
        throw invalid('password', 'This password is too common. Try a phrase of several words.');
      const hash = await hashPassword(password);
      await db.transaction(async (trx) => {
        await setPasswordHash(trx, reader.id, hash);
        // None of the links that are left were begun by an earlier owner of the account.
        for (const purpose of ['sign-in', 'reset', PURPOSE]) await links.end(trx, reader.id, purpose);
        await signIns.endOthers(trx, reader.id, sid);
        await audit.note(trx, { actor: reader, action: 'password.changed', address });
        await mail.send(trx, {
          kind: 'passwordChanged',
          to: own.email,
          userId: reader.id,
          language: languageOf(own),
          data: { link: addressOf('/sign-in/forgot'), at: clock.now(), timeZone: own.time_zone },
        });
      });
    },
    async askForEmail(reader, email, address) {
      if (emailKey(email) === emailKey(reader.email)) throw invalid('email', 'This is already your email address.');
      // Only the mail to the address may disclose that it is in use, never the response.
      if (!(await limits.mail(email, address)) || (await queries.hasAddress(db, email))) return;
      await db.transaction(async (trx) => {
        const lifeMs = LINK_MINUTES * 60_000;
        const token = await links.issue(trx, { purpose: PURPOSE, userId: reader.id, email, details: {}, lifeMs });
        const link = new URL('/account/email', base);
        link.searchParams.set('token', token);
        await mail.send(trx, {
          kind: 'emailChangeConfirm',
          to: email,
          userId: reader.id,
          language: languageOf({ language: reader.language }),
          until: clock.now() + lifeMs,
          data: { link: link.href, minutes: LINK_MINUTES },
        });
      });
    },
    emailOf: async (token) => (await links.look(token, PURPOSE))?.email ?? null,
    confirmEmail: (token, address) =>
      db.transaction(async (trx) => {
        const link = await links.consume(trx, token, PURPOSE);
        const own = link?.userId == null ? null : await queries.addressForChange(trx, link.userId);
        if (link?.userId == null || own === null)
          throw new AppError('not_found', 'This link is no longer valid. Request a new one.');
        if (await queries.hasAddress(trx, link.email)) {
          throw new AppError('conflict', 'Another account now uses this address.');
        }
        const now = clock.now();
        await queries.setAddress(trx, link.userId, link.email, now);
        // Links already sent to the previous mailbox are invalidated.
        for (const purpose of ['sign-in', 'reset', 'verify']) await links.end(trx, link.userId, purpose);
        const actor = { id: link.userId, name: own.name, email: own.email };
        await audit.note(trx, {
          actor,
          action: 'email.changed',
          details: { from: own.email, to: link.email },
          address,
        });
        await mail.send(trx, {
          kind: 'emailChanged',
          to: own.email,
          userId: link.userId,
          language: languageOf(own),
          data: { link: addressOf('/'), newAddress: link.email, at: now, timeZone: own.time_zone },
        });
        return link.email;
      }),
  };
}

function languageOf({ language }: { language: string }): 'en' | 'pt-BR' {
  return language === 'pt-BR' ? 'pt-BR' : 'en';
}
