/** What can be chosen for a key. Without schemas, so that screens may import it as it is. */

/** What a key may be used for. Stored: a name is never given another meaning. */
export const keyScopes = [
  'project:read',
  'query:read',
  'events:read',
  'persons:read',
  'insights:write',
  'annotations:write',
  'flags:read',
] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Days after which a key ends by itself. */
export const keyDays = { month: 30, quarter: 90, year: 365, never: null } as const;
export type KeyDays = keyof typeof keyDays;
export const keyDayNames = ['month', 'quarter', 'year', 'never'] as const satisfies readonly KeyDays[];
