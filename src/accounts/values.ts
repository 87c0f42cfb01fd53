/** Rights, and how long what people choose may be. Without schemas, so that screens may import it as it is. */
/** Roles in a team, from least to most. Who may do what is in `access` of rights/values.ts. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 128;

/** A session expires after this time without use … */
export const SIGN_IN_IDLE_MS = 7 * 86_400_000;
/** … and after so long in all. */
export const SIGN_IN_WHOLE_MS = 30 * 86_400_000;

/**
 * Required access: `anyone`; `signedIn`; the `operator`, an owner of the team that the installation's own project belongs to; or a
 * member of the project's or team's team with at least this role.
 */
export type Need = 'anyone' | 'signedIn' | 'operator' | Role;

/** Procedures that screens ask about before they show a control: the rest of the table (rights/values.ts) stays with the server. */
export const screenAccess = {
  'accounts.teams.askProjectDeletion': 'owner',
  'accounts.teams.undoProjectDeletion': 'owner',
  'projects.create': 'admin',
  'projects.settings': 'admin',
  'projects.update': 'admin',
  'events.live': 'member',
  'insights.annotations.create': 'member',
  'insights.saved.create': 'member',
  'insights.segments.save': 'member',
  'insights.goals.create': 'member',
  'dashboards.create': 'member',
  'experiments.create': 'member',
  'sharing.create': 'member',
  'alerts.create': 'member',
  'reports.create': 'viewer',
  'flags.create': 'member',
  'flags.setActive': 'member',
  'errors.change': 'member',
  'explorer.definitions': 'member',
  'explorer.page': 'member',
  'explorer.deleteEarly': 'admin',
  'collect.install': 'member',
  'profiles.split': 'admin',
  'profiles.groups.erase': 'admin',
  'privacy.erase': 'admin',
} as const satisfies Readonly<Record<string, Role>>;

/** True when `role` is at least `least`. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** True when a member with this role may call the procedure. */
export function mayCall(path: keyof typeof screenAccess, role: Role): boolean {
  return isAtLeast(role, screenAccess[path]);
}

/** True when a member with role `own` may change a member from role `from` to `to`; null: not in the team. */
export function mayChange(own: Role, from: Role | null, to: Role | null): boolean {
  return own === 'owner' || (own === 'admin' && from !== 'owner' && to !== 'owner');
}
