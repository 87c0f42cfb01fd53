/** Kinds of entries in a team's log. No schemas, so that screens can import it. */

/** Kinds of what is noted: what the screen filters by. */
export const auditKinds = ['signIn', 'account', 'members', 'team', 'project', 'keys', 'data'] as const;
export type AuditKind = (typeof auditKinds)[number];

/** Everything that is noted, by kind. Stored: a name is never given another meaning. */
export const auditActions = {
  signIn: ['signIn.succeeded', 'signIn.failed', 'signIn.ended'],
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
    'access.refused',
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
  data: [
    'data.exported',
    'data.erased',
    'data.split',
    'data.imported',
    'events.exported',
    'events.deleted',
    'people.exported',
    'definition.changed',
    'goal.created',
    'goal.changed',
    'goal.deleted',
    'insight.created',
    'insight.changed',
    'insight.archived',
    'insight.restored',
    'insight.deleted',
    'dashboard.created',
    'dashboard.changed',
    'dashboard.deleted',
    'flag.created',
    'flag.changed',
    'flag.turnedOn',
    'flag.turnedOff',
    'flag.reverted',
    'flag.scheduled',
    'flag.unscheduled',
    'flag.deleted',
  ],
} as const satisfies Record<AuditKind, readonly string[]>;

export type AuditAction = (typeof auditActions)[AuditKind][number];
