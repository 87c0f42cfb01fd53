/**
 * People, teams and who may do what. `access` is the one table of rights: procedures are let through by it, screens show by it what
 * can be done, and a test holds it against the router itself. Read by the browser, so zod/mini only.
 */
import * as z from 'zod/mini';
import { type Role, roles } from '#src/projects/contract.ts';

declare const userMark: unique symbol;
/** Number of a person, as this room gave it: one that came in with a request does not compile in its place. */
export type UserId = number & { readonly [userMark]: true };

declare const teamMark: unique symbol;
/** Number of a team, as this room gave it. */
export type TeamId = number & { readonly [teamMark]: true };

/**
 * Who may call: `anyone`; whoever is `signedIn`; the `operator`, an owner of the team that the installation's own project belongs to; or a
 * member of the project's or team's team with at least this role.
 */
export type Need = 'anyone' | 'signedIn' | 'operator' | Role;

/** Every procedure of the router. One that is missing here is refused to everybody. */
export const access: Readonly<Record<string, Need>> = {
  'accounts.me': 'signedIn',
  'accounts.own.get': 'signedIn',
  'accounts.own.setProfile': 'signedIn',
  'accounts.own.setPassword': 'signedIn',
  'accounts.own.setEmail': 'signedIn',
  'accounts.own.emailOfLink': 'anyone',
  'accounts.own.confirmEmail': 'anyone',
  'accounts.own.beginCodes': 'signedIn',
  'accounts.own.confirmCodes': 'signedIn',
  'accounts.own.renewRecoveryCodes': 'signedIn',
  'accounts.own.turnCodesOff': 'signedIn',
  'accounts.own.askForPasskey': 'signedIn',
  'accounts.own.addPasskey': 'signedIn',
  'accounts.own.renamePasskey': 'signedIn',
  'accounts.own.removePasskey': 'signedIn',
  'accounts.own.endSession': 'signedIn',
  'accounts.own.endSessions': 'signedIn',
  'accounts.ways': 'anyone',
  'accounts.link': 'anyone',
  'accounts.askForVerification': 'signedIn',
  'accounts.teams.create': 'signedIn',
  'accounts.teams.view': 'viewer',
  'accounts.teams.rename': 'admin',
  'accounts.teams.changeRole': 'admin',
  'accounts.teams.remove': 'admin',
  'accounts.teams.leave': 'viewer',
  'accounts.teams.transfer': 'owner',
  'accounts.teams.invite': 'admin',
  'accounts.teams.renewInvitation': 'admin',
  'accounts.teams.revokeInvitation': 'admin',
  'accounts.teams.invitation': 'anyone',
  'accounts.teams.join': 'signedIn',
  'accounts.teams.activity': 'admin',
  'accounts.teams.askDeletion': 'owner',
  'accounts.teams.undoDeletion': 'owner',
  'accounts.teams.askProjectDeletion': 'owner',
  'accounts.teams.undoProjectDeletion': 'owner',
  'mail.status': 'signedIn',
  'mail.outbox': 'admin',
  'mail.link': 'admin',
  'mail.resend': 'admin',
  'mail.sendTest': 'admin',
  'projects.list': 'signedIn',
  'projects.get': 'viewer',
  'projects.create': 'admin',
  'projects.settings': 'admin',
  'projects.update': 'admin',
  'projects.rotateToken': 'admin',
  'projects.addToken': 'admin',
  'projects.removeToken': 'admin',
  'projects.removeDemo': 'owner',
  'events.now': 'viewer',
  'events.live': 'member',
  'events.liveStream': 'member',
  'events.detail': 'member',
  'events.stored': 'admin',
  'insights.overview': 'viewer',
  'insights.breakdown': 'viewer',
  'collect.install': 'member',
  'collect.sendTestEvent': 'member',
  'collect.ingestion': 'member',
  'relay.status': 'signedIn',
  'relay.test': 'operator',
  'jobs.status': 'signedIn',
  'status.read': 'operator',
  'projects.apiKeys.list': 'signedIn',
  'projects.apiKeys.create': 'signedIn',
  'projects.apiKeys.revoke': 'signedIn',
  'privacy.overview': 'member',
  'privacy.find': 'member',
  'privacy.export': 'member',
  'privacy.erase': 'admin',
};

/** True when `role` is at least `least`. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** Whether someone with this role in the project's team may call the procedure: what screens ask before they show a control. */
export function mayCall(path: string, role: Role): boolean {
  const need = access[path];
  return (
    need !== undefined && (need === 'anyone' || need === 'signedIn' || (need !== 'operator' && isAtLeast(role, need)))
  );
}

/** An e-mail address as we accept it: one, without a display name. */
export const emailAddress = z
  .string()
  .check(
    z.trim(),
    z.maxLength(254, 'An e-mail address has at most 254 characters.'),
    z.regex(/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\.]+$/u, 'This is not an e-mail address.'),
  );

export const LEAST_PASSWORD = 8;
export const MOST_PASSWORD = 128;

/** Any composition; how common it is the server checks. */
export const newPassword = z
  .string()
  .check(
    z.minLength(LEAST_PASSWORD, 'A password needs at least 8 characters.'),
    z.maxLength(MOST_PASSWORD, 'A password has at most 128 characters.'),
  );

/** A name of a person, team or project: one line. */
export const shownName = z.string().check(
  z.trim(),
  z.minLength(1, 'A name is needed.'),
  z.maxLength(100, 'A name has at most 100 characters.'),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  z.regex(/^[^\u0000-\u001f\u007f\u2028\u2029]*$/, 'A name is one line.'),
);

/** Whoever is signed in, as procedures know them. */
export interface Reader {
  id: UserId;
  uuid: string;
  name: string;
  email: string;
  emailVerified: boolean;
  language: string;
  timeZone: string;
  /** An owner of the team that the installation's own project belongs to. */
  operator: boolean;
  teams: { id: TeamId; name: string; role: Role; deletesAt: number | null }[];
}

/** Whoever is signed in, as their own screens see them. */
export interface Me {
  /** What own telemetry knows them by. */
  uuid: string;
  name: string;
  email: string;
  emailVerified: boolean;
  language: string;
  timeZone: string;
  operator: boolean;
  teams: { id: number; name: string; role: Role; deletesAt: number | null }[];
}

/** What the screens before sign-in can offer. */
export interface SignInWays {
  /** Setting up from here needs the token that the server's log shows. */
  needsSetupToken: boolean;
  /** A link by e-mail. */
  link: boolean;
  /** Services that know who somebody is. */
  providers: { id: string; name: string }[];
  /** Host of the backend whose accounts sign in here; null: there is none. */
  hosted: string | null;
}

/** The first person of a fresh installation. */
export const setUpInput = z.object({
  name: shownName,
  email: emailAddress,
  password: newPassword,
  language: z.enum(['en', 'pt-BR']),
  timeZone: z.string().check(z.maxLength(100)),
  team: shownName,
  project: shownName,
  /** Printed in the log; needed when the installation is reachable from elsewhere. */
  setupToken: z.optional(z.string()),
});
export type SetUpInput = z.infer<typeof setUpInput>;

/** What was typed at sign-in: an address that nobody could have is as wrong as one that nobody has. */
export const passwordInput = z.object({
  email: z.string().check(z.trim(), z.maxLength(254)),
  password: z.string().check(z.maxLength(1_000)),
});

/** Asks for a link by e-mail; `next` is where the person wanted to go. */
export const emailInput = z.object({
  email: emailAddress,
  next: z.optional(z.nullable(z.string().check(z.maxLength(2_000)))),
});

/** Goes to another service to sign in. */
export const providerInput = z.object({
  provider: z.string().check(z.maxLength(50)),
  next: z.optional(z.nullable(z.string().check(z.maxLength(2_000)))),
});

const linkToken = z.string().check(z.maxLength(200));

/** Uses a link that came by e-mail. */
export const linkInput = z.object({ token: linkToken });
export const newPasswordInput = z.object({ token: linkToken, password: newPassword });
export const linkLookInput = z.object({ token: linkToken, purpose: z.enum(['sign-in', 'reset', 'verify']) });
