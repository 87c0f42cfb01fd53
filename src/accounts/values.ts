/** Rights, and how long what people choose may be. Without schemas, so that screens may import it as it is. */
/** Roles in a team, from least to most. Who may do what is in `access` alone: UI, procedures and tests read it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 128;

/** A sign-in ends when it is not used for so long … */
export const SIGN_IN_IDLE_MS = 7 * 86_400_000;
/** … and after so long in all. */
export const SIGN_IN_WHOLE_MS = 30 * 86_400_000;

/**
 * Who may call: `anyone`; whoever is `signedIn`; the `operator`, an owner of the team that the installation's own project belongs to; or a
 * member of the project's or team's team with at least this role.
 */
export type Need = 'anyone' | 'signedIn' | 'operator' | Role;

/**
 * Every procedure of the router: the one table of rights. Procedures are let through by it, screens show by it what can be done, and a test
 * holds it against the router itself. One that is missing here is refused to everybody.
 */
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
  'accounts.connections': 'signedIn',
  'accounts.disconnect': 'signedIn',
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
  'events.explainStored': 'admin',
  'insights.query.overview': 'viewer',
  'insights.query.breakdown': 'viewer',
  'insights.query.heatmap': 'viewer',
  'insights.query.vitals': 'viewer',
  'insights.query.goals': 'viewer',
  'insights.query.trends': 'viewer',
  'insights.query.funnel': 'viewer',
  'insights.query.retention': 'viewer',
  'insights.query.paths': 'viewer',
  'insights.query.lifecycle': 'viewer',
  'insights.query.stickiness': 'viewer',
  'insights.explainQuery.lifecycle': 'viewer',
  'insights.explainQuery.stickiness': 'viewer',
  'insights.properties': 'viewer',
  'insights.values': 'viewer',
  'insights.tryFilters': 'viewer',
  'insights.unknownEvents': 'viewer',
  'insights.explain': 'viewer',
  'insights.explainNow': 'viewer',
  'insights.explainHome': 'signedIn',
  'insights.annotations.list': 'viewer',
  'insights.annotations.create': 'member',
  'insights.annotations.change': 'member',
  'insights.annotations.remove': 'member',
  'insights.segments.list': 'viewer',
  'insights.segments.save': 'member',
  'insights.segments.rename': 'member',
  'insights.segments.remove': 'member',
  'insights.goals.list': 'viewer',
  'insights.goals.reached': 'viewer',
  'insights.goals.uses': 'member',
  'insights.goals.known': 'member',
  'insights.goals.preview': 'member',
  'insights.goals.explainPreview': 'member',
  'insights.goals.create': 'member',
  'insights.goals.change': 'member',
  'insights.goals.remove': 'member',
  'explorer.names': 'member',
  'explorer.page': 'member',
  'explorer.count': 'member',
  'explorer.early': 'member',
  'explorer.deleteEarly': 'admin',
  'explorer.definitions': 'member',
  'explorer.explain': 'member',
  'explorer.describe': 'member',
  'explorer.explainList': 'member',
  'explorer.explainFiles': 'member',
  'explorer.exports': 'member',
  'explorer.askExport': 'member',
  'explorer.askPeopleExport': 'member',
  'explorer.removeExport': 'member',
  'collect.install': 'member',
  'collect.sendTestEvent': 'member',
  'collect.ingestion': 'member',
  'collect.explain': 'member',
  'relay.status': 'signedIn',
  'relay.explain': 'signedIn',
  'relay.test': 'operator',
  'relay.retryRefused': 'operator',
  'jobs.status': 'signedIn',
  'status.read': 'operator',
  'status.explain': 'operator',
  'proxies.problem': 'signedIn',
  'projects.apiKeys.list': 'signedIn',
  'projects.apiKeys.create': 'signedIn',
  'projects.apiKeys.revoke': 'signedIn',
  'profiles.list': 'member',
  'profiles.get': 'member',
  'profiles.timeline': 'member',
  'profiles.explainList': 'member',
  'profiles.explain': 'member',
  'profiles.changes': 'member',
  'profiles.split': 'admin',
  'privacy.overview': 'member',
  'privacy.explain': 'member',
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

/** Whether someone with role `own` may give `to` to someone who has `from`; null: is not in the team (any more). */
export function mayChange(own: Role, from: Role | null, to: Role | null): boolean {
  return own === 'owner' || (own === 'admin' && from !== 'owner' && to !== 'owner');
}
