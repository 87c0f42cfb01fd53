/** Validates redirect targets from URLs and forms (no open redirects). */

/** A path of ours, or the start: `//evil`, `/\evil`, `/.//evil` and what browsers make of tabs in between lead elsewhere. */
export function localPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return '/';
  const base = 'http://localhost';
  const url = URL.canParse(wanted, base) ? new URL(wanted, base) : null;
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
