/** Teams as their screens see them, and the log of what was done in them. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';

/** Kinds of what is noted: what the screen filters by. */
export const auditKinds = ['signIn', 'account', 'members', 'team', 'project', 'keys', 'data'] as const;
export type AuditKind = (typeof auditKinds)[number];

/** Everything that is noted, by kind. Stored: a name is never given another meaning. */
export const auditActions = {
  signIn: ['signIn.succeeded', 'signIn.failed', 'signIn.ended', 'access.refused'],
  account: [
    'account.created',
    'account.deleted',
    'password.changed',
    'password.reset',
    'email.changed',
    'email.verified',
    'secondStep.on',
    'secondStep.off',
    'recoveryCodes.made',
    'passkey.added',
    'passkey.removed',
    'identity.added',
    'identity.removed',
  ],
  members: [
    'invitation.made',
    'invitation.renewed',
    'invitation.revoked',
    'member.joined',
    'member.roleChanged',
    'member.removed',
    'member.left',
  ],
  team: [
    'team.created',
    'team.renamed',
    'team.transferred',
    'team.deletionAsked',
    'team.deletionUndone',
    'mail.linkShown',
    'mail.resent',
  ],
  project: [
    'project.created',
    'project.changed',
    'project.tokenRotated',
    'project.deletionAsked',
    'project.deletionUndone',
    'project.deleted',
  ],
  keys: ['key.created', 'key.revoked'],
  data: ['data.exported', 'data.erased', 'data.imported'],
} as const satisfies Record<AuditKind, readonly string[]>;

export type AuditAction = (typeof auditActions)[AuditKind][number];

/** Small facts about what was done: names, roles, numbers. Never a password, token, key or link. */
export type AuditDetails = Record<string, string | number | boolean | null | readonly string[]>;

export interface AuditItem {
  id: number;
  /** ms */
  at: number;
  /** Who, by the name and address they had then; the address is null for what is no person, as a key. */
  actor: { id: number | null; name: string; email: string | null };
  action: AuditAction;
  details: AuditDetails;
  /** Number of the project it is about, while that exists. */
  project: number | null;
  /** Network address that it came from. */
  address: string | null;
}

/** Where the next page of the log goes on. */
export const auditCursor = z.object({ at: z.int(), id: z.int() });
export type AuditCursor = z.infer<typeof auditCursor>;

export const auditInput = z.object({
  before: z.optional(auditCursor),
  kind: z.optional(z.enum(auditKinds)),
  /** Number of the person. */
  person: z.optional(z.int()),
});

export interface AuditPage {
  items: AuditItem[];
  /** Null: that was all. */
  before: AuditCursor | null;
  /** Everybody who is in the log, for the filter. */
  people: { id: number; name: string }[];
}
