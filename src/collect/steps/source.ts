/**
 * Where a visit came from. Clients keep a first referrer and the last campaign for months; what counts for a visit is how it was
 * entered (`$session_entry_*`, which current clients send). The group ends up with the client's own values as they were sent,
 * the entry's (filled from the former for clients that do not send them) and the channel, derived by versioned rules.
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';
import { channelOf, rulesVersion } from './channel.ts';
import { put } from './draft.ts';

const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const;
const CLICK_IDS = [
  'gclid',
  'gad_source',
  'gbraid',
  'wbraid',
  'dclid',
  'fbclid',
  'msclkid',
  'ttclid',
  'li_fat_id',
] as const;
const MORE_CLICK_IDS = ['twclid', 'igshid', 'rdt_cid'] as const;
const CAMPAIGN = [...UTM, ...CLICK_IDS, ...MORE_CLICK_IDS];
const MAX_CAMPAIGN_VALUE = 500;

/**
 * @param own the source properties that were sent, without nulls
 * @param sent all properties that were sent
 * @param ignored domains that are nowhere to come from, with all below them
 */
export function sourceGroup(own: JsonObject, sent: JsonObject, ignored: readonly string[] = []): JsonObject {
  if (isWithoutCampaign(sent)) readCampaign(own, sent['$current_url']);
  own['$referring_domain'] ??= domainOf(own['$referrer']);
  const hasEntry = own['$session_entry_referrer'] !== undefined || own['$session_entry_referring_domain'] !== undefined;
  const group: JsonObject = {};
  for (const name of Object.keys(own)) put(group, name, own[name] as JsonValue);
  if (!hasEntry) {
    for (const name of CAMPAIGN) if (own[name] !== undefined) group[`$session_entry_${name}`] = own[name];
    if (own['$referrer'] !== undefined) group['$session_entry_referrer'] = own['$referrer'];
  }
  const entryDomain = hasEntry
    ? (own['$session_entry_referring_domain'] ?? domainOf(own['$session_entry_referrer']))
    : own['$referring_domain'];
  const isNowhere = isOwnSite(entryDomain, sent['$host'], sent['$current_url']) || isIgnored(entryDomain, ignored);
  group['$session_entry_referring_domain'] = isNowhere ? '$direct' : entryDomain;
  return Object.assign(group, channelProperties(group));
}

/** The same for an event that was finished before its project was known. */
export function withoutIgnoredReferrer(event: FinishedEvent, { ignoredReferrers }: ProjectSettings): FinishedEvent {
  const { source } = event.groups;
  if (source === undefined || !isIgnored(source['$session_entry_referring_domain'], ignoredReferrers)) return event;
  const direct: JsonObject = { ...source, $session_entry_referring_domain: '$direct' };
  return { ...event, groups: { ...event.groups, source: Object.assign(direct, channelProperties(direct)) } };
}

/** What today's rules say of a stored group; null when they are what it was made by, or newer ones were, or it does not say. */
export function rederivedChannel(group: JsonObject): JsonObject | null {
  const version = group['$rules_version'];
  return typeof version === 'number' && version < rulesVersion ? channelProperties(group) : null;
}

function channelProperties(group: JsonObject): JsonObject {
  const channel = channelOf({
    source: group['$session_entry_utm_source'],
    medium: group['$session_entry_utm_medium'],
    campaign: group['$session_entry_utm_campaign'],
    referringDomain: group['$session_entry_referring_domain'],
    gclid: group['$session_entry_gclid'],
    gadSource: group['$session_entry_gad_source'],
    fbclid: group['$session_entry_fbclid'],
  });
  return { $channel_type: channel, $rules_version: rulesVersion };
}

/** Clients that look for campaign parameters say so, if only by null. */
export function isWithoutCampaign(sent: JsonObject): boolean {
  return sent['utm_source'] === undefined && sent['$session_entry_url'] === undefined;
}

/** Campaign parameters of the page's address. */
function readCampaign(own: JsonObject, url: JsonValue | undefined): void {
  if (typeof url !== 'string' || !url.includes('?')) return;
  const query = URL.parse(url)?.searchParams;
  if (query === undefined) return;
  for (const name of CAMPAIGN) {
    const value = query.get(name);
    if (value !== null && value !== '') own[name] ??= value.slice(0, MAX_CAMPAIGN_VALUE).toWellFormed();
  }
}

/** Host of a referrer; `$direct` without one. */
function domainOf(referrer: JsonValue | undefined): string {
  if (typeof referrer !== 'string' || referrer === '' || referrer === '$direct') return '$direct';
  return URL.parse(referrer)?.host || '$direct';
}

/** Coming from a page of the same site is coming from nowhere. */
function isOwnSite(domain: JsonValue | undefined, host: JsonValue | undefined, url: JsonValue | undefined): boolean {
  if (typeof domain !== 'string' || domain === '$direct') return false;
  const own = typeof host === 'string' ? host : typeof url === 'string' ? URL.parse(url)?.host : undefined;
  return own !== undefined && bareHost(domain) === bareHost(own);
}

function isIgnored(domain: JsonValue | undefined, ignored: readonly string[]): boolean {
  if (ignored.length === 0 || typeof domain !== 'string' || domain === '$direct') return false;
  const host = bareHost(domain);
  return ignored.some((each) => host === each || host.endsWith(`.${each}`));
}

function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/:\d+$/, '');
}
