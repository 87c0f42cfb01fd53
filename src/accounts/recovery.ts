/**
 * Sign-in links by email: magic link, password reset, address confirmation. Whether an address has an account is never
 * disclosed: a request is answered immediately, and the work is done afterwards.
 */
import type { Knex } from 'knex';
import { AppError, invalid } from '#src/kit/errors.ts';
import type { MailMessage } from '#src/mail/contract.ts';
import type { Mail } from '#src/mail/mail.ts';
import { endKeysOf } from '#src/projects/api-keys/api-keys.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Audit } from './audit.ts';
import { isCommonPassword } from './common-passwords.ts';
import type { Reader, TeamId, UserId } from './contract.ts';
import type { Links, OneTimeLink } from './links.ts';
import { hashPassword } from './passwords.ts';
import { setPasswordHash } from './queries.ts';
import * as queries from './recovery-queries.ts';

/** Purpose of a link. Stored. */
export type LinkPurpose = 'sign-in' | 'reset' | 'verify';

export interface Recovery {
  /** Sends a link that signs in. Needs a mail service. `next` is where the person wanted to go. */
  askForLink(email: string, next: string | null): void;
  /** Sends a link to a new password; without a mail service it waits in the outbox. */
  askForReset(email: string): void;
  /** Sends a link that confirms the person's address. */
  askForVerification(person: Pick<Reader, 'id'>): Promise<void>;
  /** The address of a link; null when it is invalid. */
  look(token: string, purpose: LinkPurpose): Promise<string | null>;
  /** @throws AppError `not_found` when the link does not work, as all of these */
  signIn(token: string): Promise<UserId>;
  /**
   * Sets the password and ends every session. When this is the first proof that the mailbox is theirs, the second step is kept and all
   * other credentials are removed: passkeys, connected accounts and API keys. @throws AppError also `invalid` with field `password`
   */
  reset(token: string, password: string, address: string): Promise<UserId>;
  verify(token: string, address: string): Promise<string>;
  /** Waits for what is done behind the answers. */
  settled(): Promise<void>;
}

export interface RecoveryParts {
  mail: Pick<Mail, 'send' | 'status' | 'wasOnlyMailed'>;
  links: Links;
  audit: Audit;
  /** Ends a person's sessions except `sid`. */
  endOthers(on: Queryable, userId: number, sid: string): Promise<number>;
}

const MINUTE_MS = 60_000;
const lives: Record<LinkPurpose, number> = {
  'sign-in': 10 * MINUTE_MS,
  reset: 60 * MINUTE_MS,
  verify: 3 * 24 * 60 * MINUTE_MS,
};
const screens: Record<LinkPurpose, string> = {
  'sign-in': '/sign-in/link',
  reset: '/sign-in/new-password',
  verify: '/sign-in/confirm',
};
const kinds = { 'sign-in': 'magicLink', reset: 'resetPassword', verify: 'verifyEmail' } as const;

/** Creates a link with the configured address, never with the request's Host header. */
export async function issueLink(
  { config, links }: Pick<Deps, 'config'> & { links: Links },
  trx: Knex.Transaction,
  purpose: LinkPurpose,
  to: Pick<queries.PersonRow, 'id' | 'email'>,
  next: string | null = null,
): Promise<{ token: string; link: string; minutes: number }> {
  const lifeMs = lives[purpose];
  const token = await links.issue(trx, { purpose, userId: to.id as UserId, email: to.email, lifeMs });
  const link = new URL(screens[purpose], config.AUTH_URL ?? config.PUBLIC_APP_URL);
  link.searchParams.set('token', token);
  if (next !== null) link.searchParams.set('next', next);
  return { token, link: link.href, minutes: lifeMs / MINUTE_MS };
}

export function createRecovery(
  { config, db, clock, log }: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  { mail, links, audit, endOthers }: RecoveryParts,
): Recovery {
  const running = new Set<Promise<void>>();

  function behind(work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => log.warn({ err: error }, 'failed to send a requested link'))
      .finally(() => running.delete(done));
    running.add(done);
  }

  const issue = (trx: Knex.Transaction, purpose: LinkPurpose, to: queries.PersonRow, next: string | null = null) =>
    issueLink({ config, links }, trx, purpose, to, next);

  async function send(purpose: LinkPurpose, to: queries.PersonRow, next: string | null = null): Promise<void> {
    await db.transaction(async (trx) => {
      const { token, link, minutes } = await issue(trx, purpose, to, next);
      const message: MailMessage = {
        kind: kinds[purpose],
        to: to.email,
        userId: to.id as UserId,
        // Anyone who may copy the link can be this person: owners of their only team. With more teams only anyone who runs all this, who
        // alone can say as well that a mailbox is someone's: other services are believed by that.
        ...(to.only_team === null || purpose === 'verify' ? {} : { teamId: to.only_team as TeamId }),
        readableBy: 'owner',
        language: to.language === 'pt-BR' ? 'pt-BR' : 'en',
        until: clock.now() + lives[purpose],
        data: { link, minutes },
      };
      const { id } = await mail.send(trx, message);
      await links.remember(trx, token, { mail: id });
    });
  }

  /** The link's person. Anyone who has a link that was only ever in a mailbox has the mailbox. */
  async function use(
    trx: Knex.Transaction,
    token: string,
    purpose: LinkPurpose,
  ): Promise<OneTimeLink & { userId: UserId; isFirstProof: boolean }> {
    const link = await links.consume(trx, token, purpose);
    if (link === null || link.userId === null) throw dead();
    const person = await queries.personById(trx, link.userId);
    if (person === null || person.email !== link.email) throw dead();
    const { mail: mailId } = link.details;
    const isProof = mailId !== undefined && (await mail.wasOnlyMailed(trx, mailId));
    if (isProof) await queries.markVerified(trx, link.userId, clock.now());
    return { ...link, userId: link.userId, isFirstProof: isProof && person.email_verified_at === null };
  }

  return {
    askForLink(email, next) {
      behind(async () => {
        const person = mail.status().isSetUp ? await queries.personByEmail(db, email) : null;
        if (person !== null) await send('sign-in', person, next);
      });
    },
    askForReset(email) {
      behind(async () => {
        const person = await queries.personByEmail(db, email);
        if (person !== null) await send('reset', person);
      });
    },
    async askForVerification({ id }) {
      const person = await queries.personById(db, id);
      if (person !== null && person.email_verified_at === null) await send('verify', person);
    },
    look: async (token, purpose) => (await links.look(token, purpose))?.email ?? null,
    signIn: (token) => db.transaction(async (trx) => (await use(trx, token, 'sign-in')).userId),
    async reset(token, password, address) {
      if (await isCommonPassword(password))
        throw invalid('password', 'This password is too common. Try a phrase of several words.');
      // Before the hash, which is work that strangers must not be able to ask for.
      if ((await links.look(token, 'reset')) === null) throw dead();
      const hash = await hashPassword(password);
      return await db.transaction(async (trx) => {
        const { userId, isFirstProof } = await use(trx, token, 'reset');
        await setPasswordHash(trx, userId, hash);
        // Until now the account may have been someone else's, made for this address: they have no other way into it left.
        if (isFirstProof) {
          await queries.removeOtherSignIns(trx, userId);
          await endKeysOf(trx, userId);
        }
        await endOthers(trx, userId, '');
        // A change of address that someone else has begun would still take the account away.
        for (const purpose of ['sign-in', 'change-email']) await links.end(trx, userId, purpose);
        const person = (await queries.personById(trx, userId)) as queries.PersonRow;
        await audit.note(trx, { actor: person, action: 'password.reset', address });
        await mail.send(trx, {
          kind: 'passwordChanged',
          to: person.email,
          userId,
          language: person.language === 'pt-BR' ? 'pt-BR' : 'en',
          data: {
            link: new URL('/account', config.AUTH_URL ?? config.PUBLIC_APP_URL).href,
            at: clock.now(),
            timeZone: person.time_zone,
          },
        });
        return userId;
      });
    },
    verify: (token, address) =>
      db.transaction(async (trx) => {
        const { userId, email } = await use(trx, token, 'verify');
        const person = (await queries.personById(trx, userId)) as queries.PersonRow;
        if (person.email_verified_at === null) await queries.markVerified(trx, userId, clock.now());
        await audit.note(trx, { actor: person, action: 'email.verified', address });
        return email;
      }),
    async settled() {
      await Promise.all(running);
    },
  };
}

function dead(): AppError {
  return new AppError(
    'not_found',
    'This link is no longer valid. It was used, has expired or was replaced by a newer one.',
  );
}
