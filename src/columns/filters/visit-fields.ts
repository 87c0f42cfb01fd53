/** Fields of visits and their storage, shared by filters and tables, so that a row and a filter by it agree. Pure. */
import type { GroupKind } from '#src/events/contract.ts';
import { numberOf } from '#src/kit/numbers/values.ts';
import type { SessionField } from '../contract.ts';
import { DIRECT } from './source-names.ts';

/** A property of a kind of groups, and how it is read. */
export interface GroupProperty {
  kind: GroupKind;
  /** The first of these that a group has. */
  names: readonly string[];
  /** Values are also distinguished by this property, in two parts (`partsOf`). Tables only. */
  beside?: string;
  /**
   * `folded`: without regard to case, so in small letters. `width`: as one of `widthClasses`. `source`: by name (source-names.ts), of the first
   * property that is not empty. `region`, `city`: the first with the country and, of a city, the region (`São Paulo, BR-SP`). Absent: as it was sent.
   */
  as?: 'folded' | 'width' | 'source' | 'region' | 'city';
  /** Value of groups without it, and of missing groups; absent: none. */
  missing?: string;
}

/** Separator: stored texts cannot contain NUL. */
const BETWEEN = '\0';

/** Joins the two parts of a reading with `beside`; '' when both are empty. */
export function besideText(beside: string, text: string): string {
  return beside === '' && text === '' ? '' : `${beside}${BETWEEN}${text}`;
}

export function partsOf(both: string): [beside: string, text: string] {
  const end = both.indexOf(BETWEEN);
  return end === -1 ? ['', both] : [both.slice(0, end), both.slice(end + 1)];
}

/** In a group that a column of visits names. */
export type VisitProperty = GroupProperty & { column: string };

/** Fields that are numbers, stored as so many parts of one. */
export const visitNumbers = {
  seconds: { column: 'length', per: 1000 },
  views: { column: 'views', per: 1 },
} as const satisfies Partial<Record<SessionField, { column: string; per: number }>>;

export type VisitNumber = keyof typeof visitNumbers;
export type VisitDimension = Exclude<SessionField, VisitNumber>;

/**
 * Fields by which visits can be counted. A visit's source is the campaign's, else its domain, by name. Its domain and campaign are those of the address it was entered with, as the collector
 * derived them (one's own pages are `$direct`).
 */
export const visitProperties: Record<VisitDimension, VisitProperty> = {
  entryPath: { column: 'entryPage', kind: 'page', names: ['$pathname'] },
  exitPath: { column: 'exitPage', kind: 'page', names: ['$pathname'] },
  entryHost: { column: 'entryPage', kind: 'page', names: ['$host'] },
  exitHost: { column: 'exitPage', kind: 'page', names: ['$host'] },
  source: {
    column: 'source',
    kind: 'source',
    as: 'source',
    missing: DIRECT,
    names: ['$session_entry_utm_source', '$session_entry_referring_domain', '$referring_domain'],
  },
  referringDomain: {
    column: 'source',
    kind: 'source',
    missing: DIRECT,
    names: ['$session_entry_referring_domain', '$referring_domain'],
  },
  channel: { column: 'source', kind: 'source', names: ['$channel_type'] },
  utmSource: utm('source'),
  utmMedium: utm('medium'),
  utmCampaign: utm('campaign'),
  utmTerm: utm('term'),
  utmContent: utm('content'),
  country: { column: 'geo', kind: 'geo', names: ['$geoip_country_code'] },
  region: {
    column: 'geo',
    kind: 'geo',
    names: ['$geoip_subdivision_1_name', '$geoip_subdivision_1_code'],
    as: 'region',
  },
  city: { column: 'geo', kind: 'geo', names: ['$geoip_city_name'], as: 'city' },
  language: device('$browser_language', '$locale'),
  timeZone: device('$timezone'),
  deviceType: device('$device_type'),
  browser: device('$webview_app', '$browser'),
  os: device('$os', '$os_name'),
  viewportWidth: { ...device('$viewport_width', '$screen_width'), as: 'width' },
};

function utm(part: string): VisitProperty {
  return { column: 'source', kind: 'source', names: [`$session_entry_utm_${part}`], as: 'folded' };
}

function device(...names: string[]): VisitProperty {
  return { column: 'device', kind: 'device', names };
}

/** Viewport classes by minimum width, CSS pixels. */
export const widthClasses: readonly (readonly [number, string])[] = [
  [1440, '1440+'],
  [992, '992-1439'],
  [576, '576-991'],
  [0, '0-575'],
];

/** The class of a width; null for what is no width. */
export function widthClass(width: unknown): string | null {
  const number = numberOf(width);
  return widthClasses.find(([least]) => number >= least)?.[1] ?? null;
}

/** Letter case makes no difference to what is compared with it. */
export function isFolded({ as }: Pick<GroupProperty, 'as'>): boolean {
  return as === 'folded' || as === 'source';
}
