/**
 * Teams, members and roles. A transaction that changes members locks the team's row, so two changes at once cannot remove the
 * last owner; the caller's rights are read again under the lock.
 */
import type { Knex } from 'knex';
import { AppError, forbidden, notFound } from '#src/kit/errors.ts';
import { type ProjectId, type Role, roles } from '#src/projects/contract.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Audit, AuditEntry } from '../audit.ts';
import type { Reader, TeamId, UserId } from '../contract.ts';
import { insertMember, insertTeam } from '../queries.ts';
import { isAtLeast } from '../values.ts';
import {
  type AuditAction,
  type AuditDetails,
  type MemberSignIn,
  mayChange,
  type TeamMember,
  type TeamView,
} from './contract.ts';
import * as invitationQueries from './invitation-queries.ts';
import * as queries from './queries.ts';

/** A member who acts in their team. */
export interface Acting {
  reader: Reader;
  team: TeamId;
  role: Role;
  /** Network address, for the log. */
  address: string;
}

/**
 * Deletes a leaving member's private data in these projects.
 * @returns the number of deleted rows by name
 */
export type Farewell = (
  on: Queryable,
  projects: readonly ProjectId[],
  user: UserId,
) => Promise<Readonly<Record<string, number>>>;

export interface Teams {
  /** Creates a team, owned by the caller. @throws AppError `conflict` for the 51st team of a person */
  create(reader: Reader, name: string, address: string): Promise<TeamId>;
  view(by: Acting): Promise<TeamView>;
  rename(by: Acting, name: string): Promise<void>;
  /** @throws AppError `not_found`, `forbidden`, `conflict` for the last owner */
  changeRole(by: Acting, user: number, role: Role): Promise<void>;
  /** @throws AppError as `changeRole` */
  remove(by: Acting, user: number): Promise<void>;
  /** @throws AppError `conflict` for the last owner */
  leave(by: Acting): Promise<void>;
  /** Makes someone else the owner and the caller an admin. @throws AppError `not_found` */
  transfer(by: Acting, user: number): Promise<void>;
  /** Names of the owners, to ask for more rights. */
  ownersOf(team: TeamId): Promise<string[]>;
  /** Remembers that someone was here; writes at most every five minutes. */
  noteActive(userId: number): Promise<void>;
}

const MAX_TEAMS = 50;
const ACTIVE_MS = 5 * 60_000;
const GOOGLE = 'https://accounts.google.com';

export interface TeamsParts {
  audit: Audit;
  projects: Pick<Projects, 'ofTeams'>;
  farewells?: readonly Farewell[];
}

export function createTeams(
  { config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>,
  { audit, projects, farewells = [] }: TeamsParts,
): Teams {
  /** Changes members of a team, with the rights that the one who asks has at that moment. */
  function change(by: Acting, work: (trx: Knex.Transaction, own: Role) => Promise<void>): Promise<void> {
    return db.transaction(async (trx) => {
      await queries.lockTeam(trx, by.team);
      const own = await queries.roleOf(trx, by.team, by.reader.id);
      if (own === null) throw notFound('team');
      await work(trx, own.role);
    });
  }

  async function memberOf(on: Knex.Transaction, by: Acting, user: number): Promise<queries.MemberName> {
    const member = await queries.roleOf(on, by.team, user);
    if (member === null) throw notFound('member');
    return member;
  }

  async function keepAnOwner(on: Knex.Transaction, teamId: TeamId, leaving: queries.MemberName): Promise<void> {
    if (leaving.role !== 'owner') return;
    const owners = await queries.owners(on, teamId);
    if (owners.some(({ id }) => id !== leaving.id)) return;
    throw new AppError('conflict', 'A team needs at least one owner. Make someone else an owner first.', {
      field: 'user',
    });
  }

  const note = (on: Knex.Transaction, by: Acting, action: AuditAction, details: AuditDetails = {}) =>
    audit.note(on, entryOf(by, action, details));

  /** Invitations that someone could not make with the role they have now (null: none) end: else they would come back by their own. */
  async function withdraw(trx: Knex.Transaction, teamId: TeamId, inviter: UserId, role: Role | null): Promise<void> {
    const lost = roles.filter((into) => role === null || !mayChange(role, null, into));
    await invitationQueries.revokeFrom(trx, teamId, inviter, lost, clock.now());
  }

  /** @returns what went with them */
  async function takeOut(trx: Knex.Transaction, teamId: TeamId, userId: UserId): Promise<Record<string, number>> {
    await withdraw(trx, teamId, userId, null);
    await queries.removeMember(trx, teamId, userId);
    const ids = (await projects.ofTeams([teamId], trx)).map(({ id }) => id);
    const gone: Record<string, number> = {};
    for (const farewell of farewells) Object.assign(gone, await farewell(trx, ids, userId));
    return gone;
  }

  async function giveRole(trx: Knex.Transaction, by: Acting, member: queries.MemberName, role: Role): Promise<void> {
    await queries.setRole(trx, by.team, member.id, role);
    await withdraw(trx, by.team, member.id, role);
    await note(trx, by, 'member.roleChanged', { who: member.name, email: member.email, from: member.role, to: role });
  }

  return {
    create: (reader, name, address) =>
      db.transaction(async (trx) => {
        if ((await queries.teamsOf(trx, reader.id)) >= MAX_TEAMS) {
          throw new AppError('conflict', `Limit of ${MAX_TEAMS} teams per person reached.`);
        }
        const now = clock.now();
        const team = (await insertTeam(trx, name, now)) as TeamId;
        await insertMember(trx, team, reader.id, 'owner', now);
        await note(trx, { reader, team, role: 'owner', address }, 'team.created', { name });
        return team;
      }),
    async view(by) {
      const { reader, team: id, role } = by;
      const own = reader.teams.find((each) => each.id === id);
      if (own === undefined) throw notFound('team');
      const manages = isAtLeast(role, 'admin');
      const [rows, waiting, hasBuiltIn] = await Promise.all([
        queries.members(db, id),
        manages ? invitationQueries.waiting(db, id) : null,
        queries.hasBuiltIn(db, id),
      ]);
      const { name, deletesAt } = own;
      const members = rows.map((row) => memberFor(by, row, config.PUBLIC_SUPABASE_URL));
      const invitations = waiting?.map((row) => ({
        id: row.id,
        email: row.email,
        role: row.role,
        inviter: row.inviter,
        byMail: row.mail_id !== null,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      }));
      return { id, name, role, deletesAt, hasBuiltIn, members, invitations: invitations ?? null, at: clock.now() };
    },
    rename: (by, name) =>
      change(by, async (trx) => {
        const { name: from } = await queries.lockTeam(trx, by.team);
        await queries.rename(trx, by.team, name);
        await note(trx, by, 'team.renamed', { from, to: name });
      }),
    changeRole: (by, user, role) =>
      change(by, async (trx, own) => {
        const member = await memberOf(trx, by, user);
        if (!mayChange(own, member.role, role)) throw onlyOwners();
        if (member.role === role) return;
        await keepAnOwner(trx, by.team, member);
        await giveRole(trx, by, member, role);
      }),
    remove: (by, user) =>
      change(by, async (trx, own) => {
        const member = await memberOf(trx, by, user);
        if (!mayChange(own, member.role, null)) throw onlyOwners();
        await keepAnOwner(trx, by.team, member);
        const { name: who, email, role } = member;
        await note(trx, by, 'member.removed', { who, email, role, ...(await takeOut(trx, by.team, member.id)) });
      }),
    leave: (by) =>
      change(by, async (trx) => {
        const member = await memberOf(trx, by, by.reader.id);
        await keepAnOwner(trx, by.team, member);
        await note(trx, by, 'member.left', { role: member.role, ...(await takeOut(trx, by.team, member.id)) });
      }),
    transfer: (by, user) =>
      change(by, async (trx, own) => {
        if (own !== 'owner') throw onlyOwners();
        const member = await memberOf(trx, by, user);
        if (member.id === by.reader.id) throw new AppError('conflict', 'You already own this team.', { field: 'user' });
        if (member.role !== 'owner') await queries.setRole(trx, by.team, member.id, 'owner');
        await queries.setRole(trx, by.team, by.reader.id, 'admin');
        await withdraw(trx, by.team, by.reader.id, 'admin');
        await note(trx, by, 'team.transferred', { to: member.name, email: member.email });
      }),
    async ownersOf(team) {
      return (await queries.owners(db, team)).map(({ name }) => name);
    },
    async noteActive(userId) {
      const now = clock.now();
      await queries.noteActive(db, userId, now, now - ACTIVE_MS);
    },
  };
}

/** The line of the log for what someone did in their team. */
export function entryOf(by: Acting, action: AuditAction, details: AuditDetails = {}): AuditEntry {
  return { teamId: by.team, actor: by.reader, action, details, address: by.address };
}

function onlyOwners(): AppError {
  return forbidden('Only an owner can change team ownership.');
}

/** A colleague as the caller may see them. */
function memberFor({ reader, role }: Acting, row: queries.MemberRow, hosted: string | undefined): TeamMember {
  const manages = isAtLeast(role, 'admin');
  const isYou = row.id === reader.id;
  return {
    id: row.id,
    name: row.name,
    email: !isAtLeast(role, 'member') && !isYou ? null : row.email,
    role: row.role,
    isYou,
    lastActiveAt: manages ? row.last_active_at : null,
    ways: manages ? waysOf(row, hosted) : [],
  };
}

function waysOf(row: queries.MemberRow, hosted: string | undefined): MemberSignIn[] {
  const services = row.issuers.map((issuer): MemberSignIn => {
    if (issuer === GOOGLE) return 'google';
    return hosted !== undefined && issuer.startsWith(hosted) ? 'hosted' : 'oidc';
  });
  const ways: MemberSignIn[] = [
    ...(row.has_password ? (['password'] as const) : []),
    ...(row.has_passkey ? (['passkey'] as const) : []),
    ...new Set(services),
  ];
  return ways.length === 0 ? ['link'] : ways;
}
