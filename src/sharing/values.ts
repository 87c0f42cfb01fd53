/** Rules of links that share a dashboard or an insight. Without schemas, so that the browser may import it as it is. */

/** What a link can show. Stored. */
export const sharedKinds = ['dashboard', 'insight'] as const;
export type SharedKind = (typeof sharedKinds)[number];

/** How its page looks. Stored. `transparent`: as the system, without a background. */
export const shareThemes = ['system', 'light', 'dark', 'transparent'] as const;
export type ShareTheme = (typeof shareThemes)[number];

export const MIN_SHARE_PASSWORD = 8;
export const MAX_SHARE_PASSWORD = 200;
/** Fields of visits that readers may be allowed to filter by: none identifies a person. Stored. */
export const shareFilters = [
  'channel',
  'source',
  'utmCampaign',
  'entryPath',
  'country',
  'region',
  'deviceType',
  'browser',
] as const;
export type ShareFilter = (typeof shareFilters)[number];
/** Values of each that are offered, the most frequent first. */
export const MAX_FILTER_CHOICES = 50;
/** Characters of a value in the address. */
export const MAX_FILTER_VALUE = 200;

/** Sites that may embed one page. */
export const MAX_ORIGINS = 20;
/** Days over which views are summed up on screens. */
export const VIEW_DAYS = 7;

const ORIGIN = /^https?:\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/** An origin as `frame-ancestors` takes it, with `*.` for any host below; null for other text. Addresses lose their path. Pure. */
export function originEntry(text: string): string | null {
  const trimmed = text.trim().toLowerCase();
  const origin = /^https?:\/\/[^/?#]*/.exec(/^[a-z]+:/.test(trimmed) ? trimmed : `https://${trimmed}`)?.[0];
  return origin !== undefined && ORIGIN.test(origin) ? origin : null;
}
