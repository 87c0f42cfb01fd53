/** Roles in a team. Without schemas, so that screens may import it as it is. */

/** Roles, from least to most. Who may do what is in this table alone: UI, procedures and tests read it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];
