/**
 * Invitations to a team: a one-time link, valid for seven days, sent by mail or shared by hand. Only the hash of its token is stored, so
 * it can be shown only when it is created; a new one replaces it. Whether an address has an account is never disclosed.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { AppError, forbidden, invalid, notFound } from '#src/kit/errors.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Limits } from '#src/limits/limits.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Audit } from '../audit.ts';
import { isCommonPassword } from '../common-passwords.ts';
import type { Reader, TeamId, UserId } from '../contract.ts';
import { hashPassword } from '../passwords.ts';
import { emailKey, insertMember, insertUser } from '../queries.ts';
import {
  INVITATION_DAYS,
  type InvitationLook,
  type InvitedAccount,
  type InvitedBy,
  type MadeInvitation,
  mayChange,
} from './contract.ts';
import * as queries from './invitation-queries.ts';
import { lockTeam, roleOf } from './queries.ts';
import { type Acting, entryOf } from './teams.ts';

export interface Invitations {
  /** Takes the place of one to the same address. @throws AppError `forbidden` for a role above one's own, `conflict` for a member */
  invite(by: Acting, invited: { email: string; role: Role; by: InvitedBy }): Promise<MadeInvitation>;
  /** A new link with a new end; the one before is dead. @throws AppError `not_found`, `forbidden` */
  renew(by: Acting, id: number, how: InvitedBy): Promise<MadeInvitation>;
  /** @throws AppError `not_found` */
  revoke(by: Acting, id: number): Promise<void>;
  look(token: string, reader: Reader | null): Promise<InvitationLook>;
  /** With an existing account. @throws AppError `not_found` when it is gone, `forbidden` for anyone but the invited person */
  accept(token: string, reader: Reader, address: string): Promise<TeamId>;
  /** With a new account. @throws AppError `not_found` when it is gone, `conflict` when the address has an account */
  acceptAsNew(invited: InvitedAccount, address: string): Promise<{ userId: UserId; team: TeamId }>;
}

export interface InvitationParts {
  mail: Pick<Mail, 'send' | 'status' | 'wasOnlyMailed'>;
  projects: Pick<Projects, 'checkTimeZone'>;
  audit: Audit;
  limits: Pick<Limits, 'signIn'>;
}

const MAX_WAITING = 100;

export function createInvitations(
  { config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>,
  { mail, projects, audit, limits }: InvitationParts,
): Invitations {
  const base = config.AUTH_URL ?? config.PUBLIC_APP_URL;

  /** A new link: as a mail, or to be shown. */
  async function makeLink(trx: Knex.Transaction, by: Acting, team: string, to: Invited) {
    const token = randomBytes(32).toString('base64url');
    const link = `${new URL(`/invite/${token}`, base)}`;
    const expiresAt = clock.now() + INVITATION_DAYS * dayMs;
    const isMailed = to.by === 'mail' && mail.status().isSetUp;
    const known = await queries.languageOf(trx, emailKey(to.email));
    const sent = isMailed
      ? await mail.send(trx, {
          kind: 'invitation',
          to: to.email,
          language: (known ?? by.reader.language) === 'pt-BR' ? 'pt-BR' : 'en',
          teamId: by.team,
          readableBy: to.role === 'owner' ? 'owner' : 'admin',
          until: expiresAt,
          data: { link, inviter: by.reader.name, team, role: to.role, days: INVITATION_DAYS },
        })
      : null;
    return { hash: hashOf(token), mailId: sent?.id ?? null, expiresAt, link: isMailed ? null : link };
  }

  /** The team, with the rights that the caller has at that moment. */
  async function begin(trx: Knex.Transaction, by: Acting): Promise<{ name: string; own: Role }> {
    const { name, deletes_at } = await lockTeam(trx, by.team);
    const own = await roleOf(trx, by.team, by.reader.id);
    if (own === null) throw notFound('team');
    if (deletes_at !== null) throw new AppError('conflict', 'This team is scheduled for deletion.', { field: 'team' });
    return { name, own: own.role };
  }

  async function one(trx: Knex.Transaction, by: Acting, id: number): Promise<queries.InvitationRow> {
    const row = await queries.waitingOne(trx, by.team, id);
    if (row === null) throw notFound('invitation');
    return row;
  }

  async function open(on: Knex | Knex.Transaction, token: string, lock: 'held' | 'free') {
    const row = await queries.byHash(on, hashOf(token), lock);
    return row !== null && isOpen(row, clock.now()) ? row : null;
  }

  async function join(trx: Knex.Transaction, row: queries.FoundInvitation, who: Joining): Promise<void> {
    const now = clock.now();
    await queries.accept(trx, row.id, now);
    await insertMember(trx, row.team_id, who.id, row.role, now);
    const { address, ...actor } = who;
    const details = { role: row.role, inviter: row.inviter };
    await audit.note(trx, { teamId: row.team_id, actor, action: 'member.joined', details, address });
  }

  return {
    invite: (by, to) =>
      db.transaction(async (trx) => {
        const { name, own } = await begin(trx, by);
        if (!mayChange(own, null, to.role)) throw tooHigh();
        if (await queries.isMember(trx, by.team, emailKey(to.email))) {
          throw new AppError('conflict', 'This person is already a team member.', { field: 'email' });
        }
        const now = clock.now();
        await queries.revokeTo(trx, by.team, to.email, now);
        if ((await queries.waiting(trx, by.team)).length >= MAX_WAITING) {
          throw new AppError('conflict', 'Too many pending invitations. Revoke some first.');
        }
        const { link, ...made } = await makeLink(trx, by, name, to);
        const { email, role } = to;
        const id = await queries.insert(trx, by.team, { ...made, email, role, invitedBy: by.reader.id }, now);
        await audit.note(trx, entryOf(by, 'invitation.made', { email, role, by: link === null ? 'mail' : 'hand' }));
        return { id, link };
      }),
    renew: (by, id, how) =>
      db.transaction(async (trx) => {
        const { name, own } = await begin(trx, by);
        const { email, role } = await one(trx, by, id);
        if (!mayChange(own, null, role)) throw tooHigh();
        const { link, ...made } = await makeLink(trx, by, name, { email, role, by: how });
        await queries.replaceLink(trx, id, made);
        await audit.note(trx, entryOf(by, 'invitation.renewed', { email, role, by: link === null ? 'mail' : 'hand' }));
        return { id, link };
      }),
    revoke: (by, id) =>
      db.transaction(async (trx) => {
        const { email, role } = await one(trx, by, id);
        await queries.revoke(trx, id, clock.now());
        await audit.note(trx, entryOf(by, 'invitation.revoked', { email, role }));
      }),
    async look(token, reader) {
      const row = await queries.byHash(db, hashOf(token), 'free');
      if (row === null) return { state: 'gone' };
      const isYou = reader === null ? null : emailKey(reader.email) === emailKey(row.email);
      const team = reader?.teams.find(({ id }) => id === row.team_id);
      // Anyone who comes back to the link they used is led on.
      if (isYou === true && team !== undefined) return { state: 'joined', team: { id: team.id, name: team.name } };
      if (!isOpen(row, clock.now())) return { state: 'gone' };
      const { email, role, inviter } = row;
      return { state: 'open', team: { name: row.team }, inviter, email, role, isYou };
    },
    accept: (token, reader, address) =>
      db.transaction(async (trx) => {
        const row = await open(trx, token, 'held');
        if (row === null) throw notFound('invitation');
        if (emailKey(reader.email) !== emailKey(row.email)) {
          throw forbidden('This invitation is for another email address.');
        }
        if (reader.teams.some(({ id }) => id === row.team_id)) await queries.accept(trx, row.id, clock.now());
        else await join(trx, row, { id: reader.id, name: reader.name, email: reader.email, address });
        return row.team_id;
      }),
    async acceptAsNew({ token, name, password, language, timeZone }, address) {
      const attempt = await limits.signIn(`invitation ${token}`, address);
      projects.checkTimeZone(timeZone);
      if (await isCommonPassword(password))
        throw invalid('password', 'This password is too common. Try a phrase of several words.');
      // Asked first, so that strangers cannot make us hash.
      if ((await open(db, token, 'free')) === null) throw notFound('invitation');
      const passwordHash = await hashPassword(password);
      const made = await db.transaction(async (trx) => {
        const row = await open(trx, token, 'held');
        if (row === null) throw notFound('invitation');
        const now = clock.now();
        const { email, mail_id } = row;
        // A link that came by mail proves the mailbox; one that was passed on by hand proves nothing.
        const isProven = mail_id !== null && (await mail.wasOnlyMailed(trx, mail_id));
        const verifiedAt = isProven ? now : null;
        const user = { uuid: uuidV7(now), email, name, language, timeZone, passwordHash, verifiedAt };
        const userId = (await insertUser(trx, user, now)) as UserId;
        await audit.note(trx, { actor: { id: userId, name, email }, action: 'account.created', address });
        await join(trx, row, { id: userId, name, email, address });
        return { userId, team: row.team_id };
      });
      await attempt.succeeded();
      return made;
    },
  };
}

interface Invited {
  email: string;
  role: Role;
  by: InvitedBy;
}

interface Joining {
  id: UserId;
  name: string;
  email: string;
  address: string;
}

function isOpen(row: queries.FoundInvitation, now: number): boolean {
  const { accepted_at, revoked_at, expires_at, team_deletes_at } = row;
  return accepted_at === null && revoked_at === null && expires_at > now && team_deletes_at === null;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function tooHigh(): AppError {
  return invalid('role', 'You can’t invite someone to a role above your own.');
}
