/** People and teams, as calls and screens exchange them. Who may do what is in values.ts. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { shownName } from '#src/kit/line.ts';
import type { TableFormat } from '#src/kit/values.ts';
import type { Role } from '#src/projects/contract.ts';
import { isAtLeast, MAX_PASSWORD, MIN_PASSWORD, mayCall, type Need } from './values.ts';

declare const userMark: unique symbol;
/** Number of a person, as this room gave it: one that came in with a request does not compile in its place. */
export type UserId = number & { readonly [userMark]: true };

declare const teamMark: unique symbol;
/** Number of a team, as this room gave it. */
export type TeamId = number & { readonly [teamMark]: true };

export { isAtLeast, mayCall, type Need };

/** An e-mail address as we accept it: one, without a display name. */
export const emailAddress = z.string().check(
  z.trim(),
  z.maxLength(254, 'Email addresses can have at most 254 characters.'),
  // Addresses that mail can be sent to (isMailAddress of the mail room), and internationalized domains.
  z.regex(/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u, 'Invalid email address.'),
);

export { MAX_PASSWORD, MIN_PASSWORD };

/** Any composition; how common it is the server checks. */
export const newPassword = z
  .string()
  .check(
    z.minLength(MIN_PASSWORD, 'Use at least 8 characters.'),
    z.maxLength(MAX_PASSWORD, 'Use at most 128 characters.'),
  );

/** The signed-in user, as procedures see them. */
export interface Reader {
  id: UserId;
  uuid: string;
  name: string;
  email: string;
  emailVerified: boolean;
  language: string;
  timeZone: string;
  /** How tables are downloaded. */
  tableFormat: TableFormat;
  /** An owner of the team that the installation's own project belongs to. */
  operator: boolean;
  teams: { id: TeamId; name: string; role: Role; deletesAt: number | null }[];
}

/** The signed-in user, as their own screens see them. */
export interface Me {
  /** Their distinct id in this installation's own analytics. */
  uuid: string;
  name: string;
  email: string;
  emailVerified: boolean;
  language: string;
  timeZone: string;
  tableFormat: TableFormat;
  operator: boolean;
  teams: { id: number; name: string; role: Role; deletesAt: number | null }[];
}

/** Sign-in methods that the screens offer. */
export interface SignInOptions {
  /** Setting up from here needs the token that the server's log shows. */
  needsSetupToken: boolean;
  /** A link by e-mail. */
  link: boolean;
  /** Identity providers (OpenID Connect). */
  providers: { id: string; name: string }[];
  /** Host of the hosted backend that accounts can sign in with; null: not configured. */
  hosted: string | null;
}

/** Accounts of other services that sign in to one's own. */
export interface Connections {
  connected: { issuer: string; subject: string; name: string; email: string | null; createdAt: number }[];
  /** Providers that can be connected. */
  providers: { id: string; name: string }[];
  /** Host of the backend, when one of its accounts can be added. */
  hosted: string | null;
  /** Server time of the answer. */
  at: number;
}

export const connectionRef = z.object({
  issuer: z.string().check(z.maxLength(500)),
  subject: z.string().check(z.maxLength(500)),
});

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

/** The sign-in form. An invalid address fails like an unknown one, so no format is checked here. */
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
