/** Options of a key. No schemas, so that screens can import it. */

/** Scopes of a key. Stored, so a name never changes its meaning. */
export const keyScopes = [
  'project:read',
  'query:read',
  'events:read',
  'persons:read',
  'insights:write',
  'dashboards:write',
  'alerts:write',
  'reports:read',
  'reports:write',
  'shares:read',
  'shares:write',
  'cohorts:write',
  'annotations:write',
  'flags:read',
  'flags:write',
  'experiments:read',
  'experiments:write',
  'errors:read',
  'errors:write',
  'source-maps:write',
  'replays:read',
  'replays:write',
] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Days until a key expires. */
export const keyDays = { month: 30, quarter: 90, year: 365, never: null } as const;
export type KeyDays = keyof typeof keyDays;
export const keyDayNames = ['month', 'quarter', 'year', 'never'] as const satisfies readonly KeyDays[];
