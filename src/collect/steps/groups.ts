/**
 * The step that splits an event's properties into the groups that are stored once, and what stays with the event. One pass over
 * the properties; a group that the same visit, or the same page or browser, sent before is recognised by comparison and
 * comes out as the same object.
 */
import { eventMarks } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { isBrowserLibrary } from './bot.ts';
import { type Draft, put, type StepContext } from './draft.ts';
import { elementsChain } from './elements.ts';
import { geoGroup } from './geo.ts';
import { bytesOfGroup, type CachedGroup, type CachedKind, type Latest, latestOf } from './group-cache.ts';
import { cutUnits, distinctIdOf } from './names.ts';
import { type Place, place, placeOf } from './places.ts';
import { isWithoutCampaign, sourceGroup } from './source.ts';

/** Longer ones than any client makes are not remembered. */
const MAX_WINDOW_ID = 200;
/** Longer names could not be indexed by PostgreSQL. */
const MAX_PROPERTY_NAME = 400;
/** The user agent is cut as posthog-js does it. */
const MAX_USER_AGENT = 1000;
/** Beyond this a chain of elements, or an address, is not worth remembering. */
const MAX_REMEMBERED_TEXT = 4_000;

export function putGroups(draft: Draft, context: StepContext): null {
  const { sent, properties } = draft;
  const counts = countsOfKinds.fill(0);
  for (const name in sent) {
    const value = sent[name] as JsonValue;
    const to = placeFor(name, draft, context);
    if (to >= place.page && to <= place.elements) counts[to] = (counts[to] as number) + 1;
    else if (to === place.event) putProperty(properties, name, value, draft, context);
  }
  const chain = sent['$elements_chain'] === undefined ? elementsChain(sent['$elements']) : null;

  const latest = latestOf(context.cache, draft.session ?? draft.distinctId);
  shareTexts(draft, latest);
  for (const kind of CACHED_KINDS) {
    const count = counts[place[kind]] as number;
    if (count === 0 && (kind === 'page' || kind === 'flags' || (kind === 'elements' && chain === null))) continue;
    const extra = extraOf(kind, draft, context, chain, count);
    if (extra === null) continue;
    const entry = recall(kind, draft, context, latest, count, extra) ?? make(kind, draft, context, extra, chain);
    if (latest[kind] !== entry) {
      const isRemembered = entry.bytes < Number.POSITIVE_INFINITY;
      latest[kind] = isRemembered ? entry : null;
      if (isRemembered) context.cache.visits.grow(entry.bytes);
    }
    if (entry.group !== NONE) draft.groups[kind] = entry.group;
  }
  const geo = geoGroup(draft, context, (counts[place.geo] as number) > 0);
  if (geo !== null) draft.groups.geo = geo;
  return null;
}

const CACHED_KINDS = ['page', 'device', 'flags', 'elements', 'source'] as const;
/** How many properties of each kind the event at hand has; for one event at a time. */
const countsOfKinds = new Uint32Array(7);

/**
 * Reuses equal strings of the visit's previous event: thousands of events wait for the database, and the garbage collector
 * copies and scans them.
 */
function shareTexts(draft: Draft, latest: Latest): void {
  const windowId = draft.properties['$window_id'];
  if (draft.session === latest.session) draft.session = latest.session;
  else latest.session = draft.session;
  if (draft.distinctId === latest.distinctId) draft.distinctId = latest.distinctId;
  else latest.distinctId = draft.distinctId;
  if (windowId === latest.windowId) {
    if (latest.windowId !== undefined) draft.properties['$window_id'] = latest.windowId;
  } else if (typeof windowId === 'string' && windowId.length <= MAX_WINDOW_ID) {
    latest.windowId = windowId;
  }
}

/** The place of a property in this event. */
function placeFor(name: string, draft: Draft, context: StepContext): Place {
  const to = placeOf(name);
  return to === place.unlessKnown ? placeByContent(name, draft, context) : to;
}

/** Properties that are stored only where they add something. */
function placeByContent(name: string, draft: Draft, { facts }: StepContext): Place {
  const { sent, event, distinctId, session, marks } = draft;
  const value = sent[name];
  switch (name) {
    case 'token': // of the project, or the site's own
      return value === null || value === facts.token || isProjectToken(value) ? place.nowhere : place.event;
    case 'distinct_id':
      return isTheirId(value, draft) ? place.nowhere : place.event;
    case 'title': // posthog-js names the page so; anywhere else it is the site's own property
      return isView(draft) ? place.page : place.event;
    case '$device_id':
      return value === null || value === distinctId || marks & eventMarks.cookieless ? place.nowhere : place.event;
    case '$user_id': // after signing in, of visitors without storage as well
      return value === distinctId || marks & eventMarks.cookieless ? place.nowhere : place.event;
    case '$anon_distinct_id':
    case 'alias':
      return marks & eventMarks.cookieless ? place.nowhere : place.event;
    case '$groups':
      return isEmpty(value) ? place.nowhere : place.event;
    case '$active_feature_flags':
    case '$feature_flag_payloads':
      return isEmpty(value) ? place.nowhere : place.flags;
    case '$feature_flag_request_id':
    case '$feature_flag_evaluated_at':
      return event === '$feature_flag_called' ? place.event : place.nowhere;
    default: // $session_entry_*: the visit's row knows its entry page
      return session === null ? place.event : place.nowhere;
  }
}

/** A token of any project, also of an upstream: a proxy may have added another token. */
function isProjectToken(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && (value.startsWith('phc_') || value.startsWith('lnt_'));
}

/** None that is another's may be kept of visitors without storage. */
function isTheirId(value: JsonValue | undefined, { distinctId, marks }: Draft): boolean {
  return (
    value === distinctId || (marks & eventMarks.cookieless) !== 0 || (distinctIdOf(value) ?? distinctId) === distinctId
  );
}

function isView({ event }: Draft): boolean {
  return event === '$pageview' || event === '$pageleave';
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function putProperty(properties: JsonObject, name: string, value: JsonValue, draft: Draft, context: StepContext): void {
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return; // no value, or 1e999
  const isLong = name.length > MAX_PROPERTY_NAME;
  put(properties, isLong ? cutUnits(name, MAX_PROPERTY_NAME) : name, value);
  if (isLong) context.warn('name_cut', draft, 'property name');
}

/** Campaign properties of servers and apps do not describe a visit's entry: stored as sent, without a derived channel. */
const AS_SENT = '\nas sent';
/** A group without content. */
const NONE: JsonObject = Object.freeze({});

/** Inputs of a group besides its own properties; null when the event has no such group. */
function extraOf(
  kind: CachedKind,
  draft: Draft,
  { facts, project: { settings } }: StepContext,
  chain: string | null,
  count: number,
): string | null {
  const { sent, marks } = draft;
  const isCookieless = (marks & eventMarks.cookieless) !== 0;
  switch (kind) {
    case 'device':
      return sent['$browser'] === undefined && takesUserAgentOfRequest(sent)
        ? `${isCookieless} ${facts.userAgent}`
        : String(isCookieless);
    case 'source': {
      const { $host: host, $current_url: url } = sent;
      const ignored = listText(settings.ignoredReferrers);
      if (isBrowserLibrary(sent['$lib']) || typeof url === 'string')
        return ignored + sourceExtra(typeof host === 'string' ? host : originOf(url), campaignAddress(sent, url));
      if (
        sent['$referrer'] === undefined &&
        sent['$referring_domain'] === undefined &&
        sent['utm_source'] === undefined
      )
        return count === 0 ? null : AS_SENT;
      return ignored + (typeof host === 'string' ? host : '');
    }
    case 'elements':
      return chain ?? '';
    case 'page': // the title's owner depends on the event
      return isView(draft) ? 'view' : '';
    case 'flags':
      return '';
  }
}

/** One text per list: settings are new objects whenever they are read again. */
const listTexts = new WeakMap<readonly string[], string>();

function listText(list: readonly string[]): string {
  if (list.length === 0) return '';
  const text = listTexts.get(list) ?? `${list.join(' ')}\n`;
  listTexts.set(list, text);
  return text;
}

function sourceExtra(host: string, campaign: string): string {
  return campaign === '' ? host : `\n${host} ${campaign}`;
}

/** Origin of the page when its host was not sent: the URL up to its path. */
function originOf(url: JsonValue | undefined): string {
  if (typeof url !== 'string') return '';
  const path = url.indexOf('/', url.indexOf('//') + 2);
  return path < 0 ? url : url.slice(0, path);
}

/** The page's address where the campaign has to be read from it, else ''. */
function campaignAddress(sent: JsonObject, url: JsonValue | undefined): string {
  return isWithoutCampaign(sent) && typeof url === 'string' && url.includes('?') ? url : '';
}

/** Servers' user agents say nothing about a visitor. */
function takesUserAgentOfRequest(sent: JsonObject): boolean {
  return isBrowserLibrary(sent['$lib']) || (sent['$lib'] === undefined && sent['$is_server'] !== true);
}

/** The group of an earlier event with the same properties. */
function recall(
  kind: CachedKind,
  draft: Draft,
  context: StepContext,
  latest: Latest,
  count: number,
  extra: string,
): CachedGroup | undefined {
  const before = latest[kind];
  if (before !== null && isSame(before, draft.sent, count, extra)) return before;
  const near = context.cache.near[kind].get(anchorOf(kind, draft, extra));
  return near !== undefined && isSame(near, draft.sent, count, extra) ? near : undefined;
}

function isSame(entry: CachedGroup, sent: JsonObject, count: number, extra: string): boolean {
  const { names, values } = entry;
  if (names.length !== count || entry.extra !== extra) return false;
  for (let index = 0; index < names.length; index++) {
    const value = sent[names[index] as string];
    const known = values[index];
    if (value !== known && !isEqualDeep(value, known)) return false;
  }
  return true;
}

/** Equality of JSON; objects must have their names in the same order, as one client writes them. */
function isEqualDeep(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A value that nearly identifies a group of its kind. */
function anchorOf(kind: CachedKind, { sent }: Draft, extra: string): string {
  switch (kind) {
    case 'page':
      return `${textOf(sent['$current_url'] ?? sent['$screen_name'])} ${sent['title'] === undefined}`;
    case 'device':
      return `${textOf(sent['$raw_user_agent'] ?? extra)} ${textOf(sent['$viewport_width'])}`;
    case 'source':
      return `${textOf(sent['$session_entry_referrer'] ?? sent['$referrer'])} ${textOf(sent['$session_entry_utm_source'] ?? sent['utm_source'])}`;
    case 'elements':
      return typeof sent['$elements_chain'] === 'string' ? sent['$elements_chain'] : extra;
    case 'flags':
      return '';
  }
}

/** All objects alike: not of every one can a text be made (`{"toString": 1}`). */
function textOf(value: JsonValue | undefined): string {
  return typeof value === 'object' ? '' : String(value);
}

function make(kind: CachedKind, draft: Draft, context: StepContext, extra: string, chain: string | null): CachedGroup {
  const names: string[] = [];
  const values: JsonValue[] = [];
  const own: JsonObject = {};
  const wanted = place[kind];
  for (const name in draft.sent) {
    if (placeFor(name, draft, context) !== wanted) continue;
    const value = draft.sent[name] as JsonValue;
    names.push(name);
    values.push(value);
    if (value !== null && (typeof value !== 'number' || Number.isFinite(value))) {
      put(own, name.length <= MAX_PROPERTY_NAME ? name : cutUnits(name, MAX_PROPERTY_NAME), value);
    }
  }
  const group = kind === 'source' && extra === AS_SENT ? own : completed(kind, own, draft, context, chain);
  const bytes = bytesOfGroup(names, values, extra);
  const entry = { names, values, extra, group: Object.keys(group).length === 0 ? NONE : group, bytes };
  const anchor = anchorOf(kind, draft, extra);
  if (anchor.length <= MAX_REMEMBERED_TEXT && bytes < Number.POSITIVE_INFINITY)
    context.cache.near[kind].set(anchor, entry);
  return entry;
}

/** Adds to a group what follows from it. */
function completed(
  kind: CachedKind,
  own: JsonObject,
  draft: Draft,
  context: StepContext,
  chain: string | null,
): JsonObject {
  switch (kind) {
    case 'page':
      return withAddressParts(own);
    case 'device':
      return deviceGroup(own, draft, context);
    case 'source':
      return sourceGroup(own, draft.sent, context.project.settings.ignoredReferrers);
    case 'elements':
      if (chain !== null) own['$elements_chain'] = chain;
      return own;
    case 'flags':
      return own;
  }
}

/** Host and path of the page, where only its address was sent. */
function withAddressParts(page: JsonObject): JsonObject {
  const url = page['$current_url'];
  if (typeof url !== 'string' || (page['$host'] !== undefined && page['$pathname'] !== undefined)) return page;
  const parsed = URL.parse(url);
  if (parsed !== null) {
    page['$host'] ??= parsed.host;
    page['$pathname'] ??= parsed.pathname;
  }
  return page;
}

/** Browser, system and device by the user agent, where the client did not say. */
function deviceGroup(own: JsonObject, draft: Draft, { facts, lookups }: StepContext): JsonObject {
  const reported = own['$raw_user_agent'] ?? own['$user_agent'];
  const fromRequest = takesUserAgentOfRequest(draft.sent) ? facts.userAgent : '';
  const userAgent = cutUserAgent(typeof reported === 'string' ? reported : fromRequest);
  if (own['$webview_app'] === '') delete own['$webview_app']; // tables would have no name for the browser
  if (own['$browser'] === undefined && userAgent !== '') {
    const device = lookups.device(userAgent);
    for (const name in device) own[name] ??= device[name] as JsonValue;
    if (reported === undefined) own['$raw_user_agent'] = userAgent;
  } else if (own['$webview_app'] === undefined && typeof reported === 'string') {
    // Older clients do not report the app of an in-app browser.
    const device = lookups.device(userAgent);
    for (const name of ['$webview_app', '$webview_app_version']) {
      if (device[name] !== undefined) own[name] = device[name];
    }
  }
  if (typeof own['$raw_user_agent'] === 'string') own['$raw_user_agent'] = cutUserAgent(own['$raw_user_agent']);
  if (draft.marks & eventMarks.cookieless) {
    delete own['$raw_user_agent']; // part of what the visitor of the day is computed from: not kept
    delete own['$user_agent'];
  }
  return own;
}

function cutUserAgent(userAgent: string): string {
  return userAgent.length <= MAX_USER_AGENT ? userAgent : `${cutUnits(userAgent, MAX_USER_AGENT - 3)}...`;
}
