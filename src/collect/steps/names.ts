/** Steps that find out what happened and who did it, and drop what is no event for us. */
import { createHash } from 'node:crypto';
import { eventMarks, HEATMAP } from '#src/events/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { DropReason } from '../contract.ts';
import { isObject } from '../envelope.ts';
import type { Draft, StepContext } from './draft.ts';
import { sameName } from './group-cache.ts';

/** UTF-16 units of an event name, code points of a distinct id. */
const MAX_NAME = 200;
/** The distinct id that posthog-js sends in cookieless mode. */
export const COOKIELESS_ID = '$posthog_cookieless';

/** Reads the event's name. It is kept as sent, spaces included; longer than 200 it is cut. */
export function putName(draft: Draft, context: StepContext): DropReason | null {
  const name = draft.raw['event'];
  if (typeof name !== 'string' || name === '') return 'no_name';
  draft.event = name.length > MAX_NAME ? name : sameName(context.cache, name);
  if (name.length > MAX_NAME) {
    draft.event = cutUnits(name, MAX_NAME);
    context.warn('name_cut', draft, 'event name');
  }
  const { properties } = draft.raw;
  if (isObject(properties)) draft.sent = properties;
  return null;
}

/** Reads who did it: beside the properties (servers) or among them (browsers). Anything but text is written as JSON. */
export function putDistinctId(draft: Draft, context: StepContext): DropReason | null {
  const { raw, sent } = draft;
  const given = raw['distinct_id'] ?? raw['$distinct_id'] ?? sent['distinct_id'] ?? sent['$distinct_id'];
  const id = distinctIdOf(given);
  if (id === null) return 'no_distinct_id';
  // An identified person in cookieless mode is not stored anywhere, not even in a warning.
  draft.distinctId = sent['$cookieless_mode'] === true ? COOKIELESS_ID : id;
  if (typeof given === 'string' && id !== given) context.warn('name_cut', draft, 'distinct id');
  if (sent['$process_person_profile'] === false) draft.marks |= eventMarks.personless;
  if (context.facts.historical) draft.marks |= eventMarks.historical;
  return null;
}

/** Code points of a longer id that stay; a separator and 32 hexadecimal digits of its SHA-256 follow. */
const KEPT_OF_LONG_ID = 167;

/**
 * A distinct id as it is stored, not trimmed; null for what cannot be one. Longer than 200 code points it is cut to 167 with a hash of
 * the whole, so that two long ids do not become one person.
 */
export function distinctIdOf(given: JsonValue | undefined): string | null {
  if (given === undefined || given === null) return null;
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  if (text.trim() === '') return null;
  if (text.length <= MAX_NAME || countPoints(text, MAX_NAME) === text.length) return text;
  const hash = createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, MAX_NAME - KEPT_OF_LONG_ID - 1);
  return `${text.slice(0, countPoints(text, KEPT_OF_LONG_ID))}~${hash}`;
}

/** UTF-16 units of the first `points` code points. */
function countPoints(text: string, points: number): number {
  let end = 0;
  for (let point = 0; point < points && end < text.length; point++) {
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  }
  return end;
}

/** At most `units` UTF-16 units, without half a pair at the end. */
export function cutUnits(text: string, units: number): string {
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units);
}

/** Names that are no analytics events. Heatmaps are, where the project wants them. */
const notEvents: Record<string, DropReason> = {
  $snapshot: 'recording',
  [HEATMAP]: 'heatmap',
  $performance_event: 'performance',
  $$client_ingestion_warning: 'client_notice',
};

export function dropOtherData(draft: Draft, { project }: StepContext): DropReason | null {
  if (draft.event === HEATMAP && project.settings.heatmaps) return null;
  return draft.event.charCodeAt(0) === 0x24 /* $ */ && Object.hasOwn(notEvents, draft.event)
    ? (notEvents[draft.event] as DropReason)
    : null;
}

const VIEWS = new Set(['$pageview', '$pageleave']);
/** Schemes of what is no page of a site: saved files, blank and generated documents, pages of the browser and its extensions. */
const NO_PAGE =
  /^\s*(?:about|blob|chrome|chrome-extension|chrome-error|data|edge|file|javascript|moz-extension|safari-web-extension|view-source):/i;

/** Drops page views of non-pages. Other events count on any URL: apps run from files. */
export function dropNoPage({ event, sent }: Draft): DropReason | null {
  const url = sent['$current_url'];
  return VIEWS.has(event) && typeof url === 'string' && NO_PAGE.test(url) ? 'not_a_page' : null;
}

/** Browsers that ask not to be tracked, where the project respects it. */
export function dropUntracked(_draft: Draft, { project, facts }: StepContext): DropReason | null {
  return facts.asksNotToTrack === true && project.settings.respectDnt ? 'do_not_track' : null;
}

/** Browsers of other sites than the project's own, when it names any. Servers send no origin. */
export function dropForeignOrigin(_draft: Draft, { project, facts }: StepContext): DropReason | null {
  return isOriginAllowed(facts.origin, project.settings.allowedOrigins) ? null : 'origin';
}

/** @param allowed origins such as `https://shop.example`, or `https://*.shop.example` for any host below; none: all */
export function isOriginAllowed(origin: string | null, allowed: readonly string[]): boolean {
  if (origin === null || allowed.length === 0) return true;
  const asked = origin.toLowerCase();
  return allowed.some((entry) => {
    const rule = entry.toLowerCase().replace(/\/+$/, '');
    const star = rule.indexOf('//*.');
    if (star < 0) return rule === asked;
    return asked.startsWith(rule.slice(0, star + 2)) && asked.endsWith(rule.slice(star + 3));
  });
}
