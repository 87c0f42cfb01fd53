/** How often the tiles of a dashboard are counted again: the reader's choice, in the address. */

/** In the address, unless it is the default. */
export const REFRESH = 'refresh';
/** Minutes; 0: not by itself. */
export const refreshMinutes = [0, 1, 5, 15] as const;
export type RefreshMinutes = (typeof refreshMinutes)[number];
export const DEFAULT_REFRESH: RefreshMinutes = 1;

export function readRefresh(search: URLSearchParams): RefreshMinutes {
  const given = search.get(REFRESH);
  return refreshMinutes.find((minutes) => String(minutes) === given) ?? DEFAULT_REFRESH;
}

/** The address with this choice; all else in it stays. */
export function withRefresh(path: string, search: URLSearchParams, minutes: RefreshMinutes): string {
  const next = new URLSearchParams(search);
  if (minutes === DEFAULT_REFRESH) next.delete(REFRESH);
  else next.set(REFRESH, String(minutes));
  return next.size === 0 ? path : `${path}?${next}`;
}
