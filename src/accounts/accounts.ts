/**
 * People and teams: who is who, and in which teams with which role. Owner of `users`, `identities`, `passkeys`, `recovery_codes`,
 * `one_time_links`, `teams`, `members`, `invitations`, `audit`, `gone_projects` and `sign_in_sessions`.
 */
import { AppError, invalid } from '#src/kit/errors.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { tableFormatOf } from '#src/kit/values.ts';
import type { Limits } from '#src/limits/limits.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import { type Access, type AccessWatch, createAccessWatch } from './access-watch.ts';
import { type Audit, createAudit } from './audit.ts';
import { isCommonPassword } from './common-passwords.ts';
import type { Reader, SetUpInput, TeamId, UserId } from './contract.ts';
import { createHosted, type Hosted } from './hosted.ts';
import { createIdentities, type Identities } from './identities.ts';
import { createLinks, type Links } from './links.ts';
import { createOidc, type Oidc } from './oidc.ts';
import { createOwn, type OwnAccounts } from './own/own.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import * as queries from './queries.ts';
import { createRecovery, type Recovery } from './recovery.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createDeletion, type Deletion } from './teams/deletion.ts';
import { createInvitations, type Invitations } from './teams/invitations.ts';
import { createTeams, type Farewell, type Teams } from './teams/teams.ts';

export type { Access, Farewell };

export interface Accounts extends OwnAccounts {
  /** A person who may sign in, with teams and roles as they are now; null when there is none. */
  reader(userId: number): Promise<Reader | null>;
  /** False until the first person has made their account. */
  isSetUp(): Promise<boolean>;
  /**
   * Makes the first person's account, their team and its first project. What was captured before goes to that team.
   * @throws AppError `conflict` when someone was first, `invalid` for a time zone that does not exist
   */
  setUp(input: SetUpInput): Promise<{ userId: UserId; project: Project }>;
  /** The person with this address and password; null for a wrong pair, in the same time. */
  byPassword(email: string, password: string): Promise<UserId | null>;
  /** Sign-in methods and first set-up. */
  signIn: SignIn;
  /** Links by e-mail that let someone in. */
  recovery: Recovery;
  /** Services that know who someone is. */
  oidc: Oidc;
  hosted: Hosted;
  identities: Identities;
  /** Links that work once. */
  links: Links;
  teams: Teams;
  invitations: Invitations;
  /** Teams and projects that wait to be deleted. */
  deletion: Deletion;
  /** The log of who did what. */
  audit: Audit;
  /** Ends open streams of people who lost access. */
  access: Omit<AccessWatch, 'stop'>;
  stop(): Promise<void>;
}

export interface AccountsParts {
  projects: Projects;
  mail: Mail;
  secrets: Secrets;
  limits: Limits;
  /** How often open streams are held against the rights. Tests look sooner. */
  watchEveryMs?: number;
  farewells?: readonly Farewell[];
}

export function createAccounts(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'fetch'>,
  parts: AccountsParts,
): Accounts {
  const { projects } = parts;
  const { db, clock } = deps;
  const watch = createAccessWatch(deps, parts.watchEveryMs);
  const audit = createAudit(deps);
  const links = createLinks(deps);
  const own = createOwn(deps, { ...parts, audit, links });
  const recovery = createRecovery(deps, { ...parts, links, audit, endOthers: own.sessions.endOthers });
  const oidc = createOidc(deps);
  const hosted = createHosted(deps);
  let setUpDone = false;

  return {
    async reader(userId) {
      const row = await queries.reader(db, userId);
      return row && asReader(row);
    },
    async isSetUp() {
      setUpDone ||= await queries.hasUsers(db);
      return setUpDone;
    },
    async setUp({ name, email, password, language, timeZone, team, project }) {
      projects.checkTimeZone(timeZone);
      if (await isCommonPassword(password))
        throw invalid('password', 'This password is too common. Try a phrase of several words.');
      const passwordHash = await hashPassword(password);
      const now = clock.now();
      const { userId, teamId } = await db.transaction(async (trx) => {
        await queries.lockSetUp(trx);
        if (await queries.hasUsers(trx)) throw new AppError('conflict', 'Luneta is already set up. Sign in instead.');
        const user = { uuid: uuidV7(now), email, name, language, timeZone, passwordHash, verifiedAt: null };
        const made = await queries.insertUser(trx, user, now);
        const own = await queries.insertTeam(trx, team, now);
        await queries.insertMember(trx, own, made, 'owner', now);
        await projects.adopt(trx, own);
        return { userId: made as UserId, teamId: own as TeamId };
      });
      const weekStart = language === 'pt-BR' ? 0 : 1;
      const settings = { decimalSeparator: language === 'pt-BR' ? 'comma' : 'point' } as const;
      return { userId, project: await projects.create({ name: project, timeZone, weekStart, teamId, settings }) };
    },
    async byPassword(email, password) {
      const found = await queries.passwordOf(db, email);
      const matches = await verifyPassword(password, found?.hash ?? null);
      if (found === null || found.hash === null || !matches) return null;
      if (isOutdated(found.hash)) await queries.setPasswordHash(db, found.id, await hashPassword(password));
      return found.id as UserId;
    },
    signIn: createSignIn(deps, { ...parts, audit, oidc, hosted }),
    oidc,
    hosted,
    identities: createIdentities(deps, { audit, oidc, hosted }),
    recovery,
    links,
    audit,
    teams: createTeams(deps, { ...parts, audit }),
    invitations: createInvitations(deps, { ...parts, audit }),
    deletion: createDeletion(deps, { ...parts, audit }),
    ...own,
    access: watch,
    async stop() {
      watch.stop();
      await recovery.settled();
    },
  };
}

function asReader(row: queries.ReaderRow): Reader {
  return {
    id: row.id as UserId,
    uuid: row.uuid,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified_at !== null,
    language: row.language,
    timeZone: row.time_zone,
    tableFormat: tableFormatOf(row.table_format, row.language),
    operator: row.operator,
    teams: row.teams.map(({ id, name, role, deletes_at }) => ({
      id: id as TeamId,
      name,
      role,
      deletesAt: deletes_at === null ? null : Date.parse(deletes_at),
    })),
  };
}
