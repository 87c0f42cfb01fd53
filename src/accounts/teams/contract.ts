/** Teams as their screens see them, and the log of what was done in them. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { shownName } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import { type Role, roles } from '#src/projects/contract.ts';
import { emailAddress, newPassword } from '../contract.ts';
import { mayChange } from '../values.ts';
import { type AuditAction, type AuditKind, auditActions, auditKinds } from './values.ts';

export { type AuditAction, type AuditKind, auditActions, auditKinds };

/** Small facts about what was done: names, roles, numbers. Never a password, token, key or link. */
export type AuditDetails = Record<string, string | number | boolean | null | readonly string[]>;

export interface AuditItem {
  id: number;
  /** ms */
  at: number;
  /** Name and address at that time; the address is null for an actor that is no person, such as an API key. */
  actor: { id: number | null; name: string; email: string | null };
  action: AuditAction;
  details: AuditDetails;
  /** Number of the project it is about, while that exists. */
  project: number | null;
  /** Network address that it came from. */
  address: string | null;
}

/** Cursor of the next page of the log. */
export const auditCursor = z.object({ at: z.int().check(z.minimum(0), z.maximum(Date.UTC(10_000, 0))), id: z.int() });
export type AuditCursor = z.infer<typeof auditCursor>;

export const auditInput = z.object({
  before: z.optional(auditCursor),
  kind: z.optional(z.enum(auditKinds)),
  /** Number of the person. */
  person: z.optional(rowId),
});

export type AuditQuestion = z.infer<typeof auditInput>;

export interface AuditPage {
  items: AuditItem[];
  /** Null: that was all. */
  before: AuditCursor | null;
  /** All actors of the log, for the filter. */
  people: { id: number; name: string }[];
}

/** How someone signs in; `link` when there is nothing else. */
export const memberSignIns = ['password', 'passkey', 'google', 'oidc', 'hosted', 'link'] as const;
export type MemberSignIn = (typeof memberSignIns)[number];

export interface TeamMember {
  id: number;
  name: string;
  /** Null for viewers, but their own. */
  email: string | null;
  role: Role;
  isYou: boolean;
  /** ms; null: never, or not for the caller. */
  lastActiveAt: number | null;
  /** Empty unless the caller may manage members. */
  ways: MemberSignIn[];
}

export interface Invitation {
  id: number;
  email: string;
  role: Role;
  /** Null: their account is gone. */
  inviter: string | null;
  byMail: boolean;
  createdAt: number;
  expiresAt: number;
}

/** A team as its members see it. */
export interface TeamView {
  id: number;
  name: string;
  /** The caller's role. */
  role: Role;
  /** Set: it waits to be deleted at this time, ms. */
  deletesAt: number | null;
  /** Luneta's own project is in it: it stays. */
  hasBuiltIn: boolean;
  members: TeamMember[];
  /** Pending and expired invitations; null when the caller may not manage members. */
  invitations: Invitation[] | null;
  at: number;
}

/** How long an invitation can be accepted, in days. */
export const INVITATION_DAYS = 7;
/** How long a deletion can be undone, in days. */
export const DELETION_DAYS = 7;

export { mayChange };

export const teamName = z.object({ name: shownName });
export const memberRef = z.object({ user: rowId });
export const roleChange = z.object({ user: rowId, role: z.enum(roles) });

/** `mail`: sent; without a mail service, and for `link`, the inviting member is shown the link. */
const invitedBy = z.enum(['mail', 'link']);
export const inviteInput = z.object({ email: emailAddress, role: z.enum(roles), by: invitedBy });
export const invitationRef = z.object({ invitation: rowId });
export const renewal = z.object({ invitation: rowId, by: invitedBy });
export type InvitedBy = z.infer<typeof invitedBy>;

/** An invitation that was made or made again. The link is shown this once. */
export interface MadeInvitation {
  id: number;
  /** Null: it went by mail. */
  link: string | null;
}

export const invitationToken = z.object({ token: z.string().check(z.maxLength(100)) });

/** An invitation as its link shows it. An unknown, used or revoked one is `gone`. */
export type InvitationLook =
  | { state: 'gone' }
  | { state: 'joined'; team: { id: number; name: string } }
  | {
      state: 'open';
      team: { name: string };
      inviter: string | null;
      email: string;
      role: Role;
      /** True when the signed-in user is the invited person; null: not signed in. */
      isYou: boolean | null;
    };

/** A new account by an invitation. */
export const invitedAccount = z.object({
  token: z.string().check(z.maxLength(100)),
  name: shownName,
  password: newPassword,
  language: z.enum(['en', 'pt-BR']),
  timeZone: z.string().check(z.maxLength(100)),
});
export type InvitedAccount = z.infer<typeof invitedAccount>;

/** The name of what is to be deleted, typed once more. */
export const deletionInput = z.object({ name: z.string().check(z.maxLength(200)) });
