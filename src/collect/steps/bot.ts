/** Detects bots. Their events are stored and flagged, excluded from reports by default; or dropped, by project setting. */
import { eventMarks } from '#src/events/contract.ts';
import type { DropReason } from '../contract.ts';
import type { Draft, StepContext } from './draft.ts';

/** Libraries of browsers. Others run on servers and in apps, which are no bots. */
const BROWSER_LIBRARIES = new Set(['web', 'web-analytics']);

export function isBrowserLibrary(lib: unknown): boolean {
  return typeof lib === 'string' && BROWSER_LIBRARIES.has(lib);
}

/**
 * Flags by user agent (the one that the client reports, else the header), and by signs in the request of a browser that no one
 * sits in front of. A library for servers is never flagged; nor is a plain HTTP call that does not pretend to be a browser.
 */
export function putBot(draft: Draft, { facts, lookups, project }: StepContext): DropReason | null {
  const { sent } = draft;
  const isBrowser = isBrowserLibrary(sent['$lib']);
  if (!isBrowser && (typeof sent['$lib'] === 'string' || sent['$is_server'] === true)) return null;
  const reported = sent['$raw_user_agent'];
  const userAgent = typeof reported === 'string' && reported !== '' ? reported : facts.userAgent;
  if (!isBrowser && !userAgent.startsWith('Mozilla/')) return null;
  const isBot = userAgent === '' || sent['$browser_type'] === 'bot' || hasNoScreen(draft) || lookups.isBot(userAgent);
  if (!isBot) return null;
  if (project.settings.bots === 'dropped') return 'bot';
  draft.marks |= eventMarks.bot;
  return null;
}

/** A browser with a zero screen size is headless. */
function hasNoScreen({ sent }: Draft): boolean {
  return sent['$screen_width'] === 0 && sent['$screen_height'] === 0;
}
