/**
 * Cookieless visitors: the id is a keyed hash of address, browser and site with a daily salt. The same person is
 * a new visitor the next day, and the hash cannot be reversed once the salt is deleted.
 */
import { createHmac } from 'node:crypto';
import { eventMarks } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { DropReason } from '../contract.ts';
import { isObject } from '../envelope.ts';
import type { Draft, StepContext } from './draft.ts';
import { visitorAddress } from './geo.ts';
import { COOKIELESS_ID } from './names.ts';

/** These say that two ids are one person, which is exactly what this mode promises not to find out. */
const IDENTITY_EVENTS = new Set(['$identify', '$create_alias', '$merge_dangerously']);

/** Replaces the placeholder that such clients send by the visitor of the day. */
export function putCookielessIdentity(draft: Draft, context: StepContext): DropReason | null {
  if (draft.distinctId !== COOKIELESS_ID) return null;
  const { project, facts, salts } = context;
  if (!project.settings.cookieless) return 'cookieless_off';
  if (IDENTITY_EVENTS.has(draft.event)) return 'cookieless_identity';
  const salt = salts.get(dayIn(project.timeZone, Math.min(draft.ts, facts.receivedAt)));
  if (salt === undefined) return 'cookieless_late';
  draft.marks |= eventMarks.cookieless | eventMarks.personless;
  const userAgent = draft.sent['$raw_user_agent'];
  draft.distinctId = visitorOf(salt, [
    String(project.id),
    visitorAddress(draft.sent, facts.address) ?? facts.address ?? '', // of a server: its own, for want of another
    siteOf(draft.sent),
    typeof userAgent === 'string' ? userAgent : facts.userAgent,
  ]);
  return null;
}

/** True when a raw event is cookieless, and needs the salts of the day. */
export function isCookieless(raw: JsonValue): boolean {
  if (!isObject(raw)) return false;
  const sent = raw['properties'];
  if (raw['distinct_id'] === COOKIELESS_ID) return true;
  return isObject(sent) && (sent['distinct_id'] === COOKIELESS_ID || sent['$cookieless_mode'] === true);
}

function visitorOf(salt: Buffer, facts: string[]): string {
  const hash = createHmac('sha256', salt).update(facts.join('\0')).digest().subarray(0, 16);
  return `cookieless_${hash.toString('base64url')}`;
}

/** The site's own domain, so that its subdomains share visitors. */
function siteOf(sent: JsonObject): string {
  const { $host: host, $current_url: url } = sent;
  if (typeof host === 'string' && host !== '') return rootDomain(host);
  return typeof url === 'string' ? rootDomain(URL.parse(url)?.host ?? '') : '';
}

/** Second levels under which countries hand out names. */
const SHARED_SECOND_LEVELS = new Set([
  'com',
  'co',
  'org',
  'net',
  'gov',
  'edu',
  'ac',
  'gob',
  'ind',
  'art',
  'blog',
  'app',
  'dev',
  'eco',
]);

/** `loja.exemplo.com.br` → `exemplo.com.br`; addresses and single names as they are. */
export function rootDomain(host: string): string {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  if (/^[\d.]+$/.test(name) || name.startsWith('[')) return name;
  const labels = name.split('.');
  const [second, top] = labels.slice(-2);
  const kept = top?.length === 2 && SHARED_SECOND_LEVELS.has(second ?? '') ? 3 : 2;
  return labels.slice(-kept).join('.');
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of a time in a time zone, `yyyy-mm-dd`. */
export function dayIn(timeZone: string, ms: number): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(ms);
}
