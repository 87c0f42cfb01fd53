/**
 * The channel of a visit, by an ordered list of rules: the first that matches wins. The order is that of PostHog's code.
 * Raise `rulesVersion` with every change of a rule or a list: stored channels say by which rules they were made, and `npm run rederive`
 * brings them up to date.
 * @see docs/wire.md
 */
import type { JsonValue } from '#src/kit/json.ts';
import { type SourceKind, sourceKindOf } from './channel-sources.ts';

export const rulesVersion = 2;

export const channels = [
  'Cross Network',
  'Paid Search',
  'Paid Social',
  'Paid Video',
  'Paid Shopping',
  'Paid Other',
  'Display',
  'Direct',
  'Organic Search',
  'Organic Social',
  'Organic Video',
  'Organic Shopping',
  'AI',
  'Affiliate',
  'Referral',
  'Email',
  'Audio',
  'SMS',
  'Push',
  'Other',
] as const;
export type Channel = (typeof channels)[number];

/** How a visit was entered; anything but a filled text counts as missing. */
export interface Entry {
  source?: JsonValue | undefined;
  medium?: JsonValue | undefined;
  campaign?: JsonValue | undefined;
  /** `$direct` when there was no referrer. */
  referringDomain?: JsonValue | undefined;
  /** Names of the ad networks' click ids that were in the address (`paidClickIds`). */
  clickIds?: readonly string[] | undefined;
  gadSource?: JsonValue | undefined;
  fbclid?: JsonValue | undefined;
}

/**
 * Click ids that ad networks add to the addresses of their advertisements, with the channel of a visit that has no other evidence. Networks
 * that add one to every link (`fbclid`, `igshid`) are not listed: theirs prove no payment.
 */
export const paidClickIds: Readonly<Record<string, Channel>> = {
  gclid: 'Paid Other', // of Google's networks any: search, video, display
  gclsrc: 'Paid Other',
  gbraid: 'Paid Other',
  wbraid: 'Paid Other',
  dclid: 'Display',
  msclkid: 'Paid Search',
  yclid: 'Paid Search',
  ttclid: 'Paid Social',
  twclid: 'Paid Social',
  li_fat_id: 'Paid Social',
  rdt_cid: 'Paid Social',
  ScCid: 'Paid Social',
  sccid: 'Paid Social',
  epik: 'Paid Social',
  qclid: 'Paid Social',
  tblci: 'Display',
  obclid: 'Display',
};

export function channelOf(entry: Entry): Channel {
  const source = textOf(entry.source);
  const medium = textOf(entry.medium);
  const campaign = textOf(entry.campaign);
  const domain = textOf(entry.referringDomain);
  const hasFbclid = textOf(entry.fbclid) !== '';
  const gadSource = textOf(entry.gadSource);
  const clickIds = entry.clickIds ?? [];

  if (campaign.includes('cross-network')) return 'Cross Network';
  if (PAID_MEDIUMS.has(medium) || medium.startsWith('paid') || clickIds.length > 0 || gadSource !== '') {
    return (
      paidByKind[sourceKindOf(source) ?? 'none'] ??
      (SHOPPING_CAMPAIGN.test(campaign) ? 'Paid Shopping' : null) ??
      paidByMedium(medium) ??
      paidByKind[sourceKindOf(domain) ?? 'none'] ??
      (gadSource === '1' ? 'Paid Search' : null) ??
      (campaign.includes('video') ? 'Paid Video' : null) ??
      (hasFbclid ? 'Paid Social' : null) ??
      channelOfClickId(clickIds)
    );
  }
  if (domain === '$direct' && medium === '' && DIRECT_SOURCES.has(source) && !hasFbclid) return 'Direct';
  return (
    organicByKind[sourceKindOf(source) ?? 'none'] ??
    (SHOPPING_CAMPAIGN.test(campaign) ? 'Organic Shopping' : null) ??
    organicByMedium(medium) ??
    organicByKind[sourceKindOf(domain) ?? 'none'] ??
    (campaign.includes('video') ? 'Organic Video' : null) ??
    (medium.endsWith('push') ? 'Push' : null) ??
    (hasFbclid ? 'Organic Social' : null) ??
    (domain === '$direct' ? 'Direct' : domain !== '' ? 'Referral' : 'Other')
  );
}

const MAX_TEXT = 1_000;
const PAID_MEDIUMS = new Set(['cpc', 'cpm', 'cpv', 'cpa', 'ppc', 'retargeting']);
const DIRECT_SOURCES = new Set(['', 'direct', '(direct)', '$direct']);
const SOCIAL_MEDIUMS = new Set(['sm', 'social', 'social media', 'social network', 'social-media', 'social-network']);
const DISPLAY_MEDIUMS = new Set(['banner', 'cpm', 'display', 'expandable', 'interstitial']);
/** "shop" at the start, or after anything but a letter other than e (so "e-shop", "eshop", not "workshop"), or "shopping". */
const SHOPPING_CAMPAIGN = /(?:(?:[^a-df-z]|^)shop|shopping)/;

const paidByKind: Partial<Record<SourceKind | 'none', Channel>> = {
  search: 'Paid Search',
  social: 'Paid Social',
  video: 'Paid Video',
  shopping: 'Paid Shopping',
};
const organicByKind: Partial<Record<SourceKind | 'none', Channel>> = {
  search: 'Organic Search',
  social: 'Organic Social',
  video: 'Organic Video',
  shopping: 'Organic Shopping',
  email: 'Email',
  sms: 'SMS',
  push: 'Push',
  ai: 'AI',
};

/** The most specific of several: advertisers combine Google's with others. */
function channelOfClickId(clickIds: readonly string[]): Channel {
  const said = clickIds.map((name) => paidClickIds[name] ?? 'Paid Other');
  return said.find((channel) => channel !== 'Paid Other') ?? 'Paid Other';
}

function paidByMedium(medium: string): Channel | null {
  if (SOCIAL_MEDIUMS.has(medium)) return 'Paid Social';
  if (medium === 'video') return 'Paid Video';
  return DISPLAY_MEDIUMS.has(medium) ? 'Display' : null;
}

function organicByMedium(medium: string): Channel | null {
  if (SOCIAL_MEDIUMS.has(medium)) return 'Organic Social';
  if (DISPLAY_MEDIUMS.has(medium)) return 'Display';
  switch (medium) {
    case 'affiliate':
    case 'partnership':
    case 'partnerships':
      return 'Affiliate';
    case 'referral':
    case 'link':
    case 'app':
      return 'Referral';
    case 'email':
    case 'e-mail':
    case 'e_mail':
    case 'e mail':
    case 'mail':
    case 'mailing':
    case 'newsletter':
    case 'newsletters':
      return 'Email';
    case 'sms':
    case 'text message':
      return 'SMS';
    case 'whatsapp':
    case 'telegram':
      return 'Organic Social';
    case 'audio':
      return 'Audio';
    case 'push':
    case 'mobile':
    case 'notification':
      return 'Push';
    case 'video':
      return 'Organic Video';
    default:
      return null;
  }
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.slice(0, MAX_TEXT).trim().toLowerCase() : '';
}
