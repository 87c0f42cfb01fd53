/**
 * Traffic source of a visit. Clients keep the first referrer and last campaign for months; a visit's source is that of its
 * entry (`$session_entry_*`, sent by current clients). The group has the client's values as sent,
 * the entry's (filled from the former for older clients) and the channel, derived by versioned rules.
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';
import { channelOf, paidClickIds, rulesVersion } from './channel.ts';
import { put } from './draft.ts';

const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const;
/** Click ids that networks add to all links, and ids of mail programs. */
const OTHER_CLICK_IDS = ['gad_source', 'fbclid', 'igshid', 'irclid', 'mc_cid', '_kx'] as const;
const PAID_CLICK_IDS = Object.keys(paidClickIds);
const CAMPAIGN = [...UTM, ...PAID_CLICK_IDS, ...OTHER_CLICK_IDS];
const unknownToClients = ['ScCid', 'yclid', 'tblci', 'obclid'];
const UNKNOWN_TO_CLIENTS = new RegExp(`[?&](?:${unknownToClients.join('|')})=`);
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
  readOtherClickIds(group, sent['$session_entry_url'] ?? sent['$current_url']);
  const entryDomain = hasEntry
    ? entryDomainOf(own['$session_entry_referrer'], own['$session_entry_referring_domain'])
    : entryDomainOf(own['$referrer'], own['$referring_domain']);
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

/** The channel of a stored group by the current rules; null when it was derived by these or newer rules, or by an unknown version. */
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
    clickIds: PAID_CLICK_IDS.filter((name) => isFilled(group[`$session_entry_${name}`])),
    gadSource: group['$session_entry_gad_source'],
    fbclid: group['$session_entry_fbclid'],
  });
  return { $channel_type: channel, $rules_version: rulesVersion };
}

function isFilled(value: JsonValue | undefined): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
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

/** Click ids that posthog-js does not look for, or looks for in another letter case, so that only the address of the entry has them. */
function readOtherClickIds(group: JsonObject, url: JsonValue | undefined): void {
  if (typeof url !== 'string' || !UNKNOWN_TO_CLIENTS.test(url)) return;
  const query = URL.parse(url)?.searchParams;
  for (const [name, value] of query ?? []) {
    if (unknownToClients.includes(name) && value !== '') {
      group[`$session_entry_${name}`] ??= value.slice(0, MAX_CAMPAIGN_VALUE).toWellFormed();
    }
  }
}

/** A client's referring domain may be an app's number or an extension's id: the referrer itself decides. */
function entryDomainOf(referrer: JsonValue | undefined, said: JsonValue | undefined): JsonValue {
  const isOfSite = typeof referrer !== 'string' || !OTHER_SCHEME.test(referrer);
  return isOfSite && said !== undefined ? siteOf(said) : domainOf(referrer);
}

const OTHER_SCHEME = /^(?!https?:)[a-z][\w+.-]*:/i;

function siteOf(domain: JsonValue): JsonValue {
  const name = typeof domain === 'number' ? String(domain) : domain;
  return typeof name === 'string' && NUMBER_ALONE.test(name) ? (iosApps[name] ?? '$direct') : domain;
}

/** With a port or without: no site is called so, but an app may be. */
const NUMBER_ALONE = /^\d+(?::\d+)?$/;

/** Host of a referrer, or the app that was it; `$direct` without one. */
function domainOf(referrer: JsonValue | undefined): string {
  if (typeof referrer !== 'string' || referrer === '' || referrer === '$direct') return '$direct';
  const url = URL.parse(referrer);
  if (url === null || WITHOUT_DOMAIN.test(url.protocol)) return '$direct';
  // An app of Apple's store has only a number: known ones get a name, others none.
  if (url.protocol === 'ios-app:' || NUMBER_ALONE.test(url.host)) return iosApps[url.host] ?? '$direct';
  return url.host || '$direct';
}

/** Schemes without a site: extensions and files have ids for hosts, or none. */
const WITHOUT_DOMAIN =
  /^(?:[\w-]*extension|file|about|data|blob|javascript|chrome|edge|view-source|content|resource):$/;

/** Ids in Apple's store (apps.apple.com/app/idN) of apps that people open links in, and the domain of the same service. */
const iosApps: Readonly<Record<string, string>> = {
  '284882215': 'facebook.com',
  '389801252': 'instagram.com',
  '310633997': 'whatsapp.com',
  '333903271': 'x.com',
  '288429040': 'linkedin.com',
  '835599320': 'tiktok.com',
  '544007664': 'youtube.com',
  '1064216828': 'reddit.com',
  '429047995': 'pinterest.com',
  '686449807': 'telegram.org',
  '454638411': 'messenger.com',
  '447188370': 'snapchat.com',
  '6446901002': 'threads.net',
  '422689480': 'mail.google.com',
  '951937596': 'outlook.live.com',
  '284815942': 'www.google.com',
  '535886823': 'www.google.com',
  '6448311069': 'chatgpt.com',
  '6473753684': 'claude.ai',
  '1668000334': 'perplexity.ai',
};

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
