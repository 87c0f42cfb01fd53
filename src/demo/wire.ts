/**
 * The sample shop's story in the words of the clients that would have sent it: posthog-js in the browser, posthog-node
 * beside the warehouse. @see docs/wire.md
 */
import type { JsonObject } from '#src/kit/json.ts';
import { dayMs } from '#src/kit/zone.ts';
import { companyOf, companyType } from './companies.ts';
import { createRandom } from './random.ts';
import { shop, shopOffsetMs } from './shop.ts';
import type { StoryDay } from './story.ts';
import { pathOf, type Visit } from './visits.ts';

const browserLibrary = {
  $lib: 'web',
  $lib_version: '1.449.2',
  $sdk_dist_channel: 'npm',
  $config_defaults: '2025-05-24',
};
const serverLibrary = { $lib: 'posthog-node', $lib_version: '5.70.0', $is_server: true, $geoip_disable: true };

/** An event as it stands in a client's envelope. */
export interface SentEvent {
  uuid: string;
  event: string;
  timestamp: string;
  properties: JsonObject;
  $set?: JsonObject;
  $set_once?: JsonObject;
  /** Servers name the person beside the properties, browsers among them. */
  distinct_id?: string;
}

/** Events of the browsers on a day, in chronological order. */
export function browserEvents(day: StoryDay, token: string): SentEvent[] {
  const events = day.visits.flatMap((visit) => eventsOfVisit(visit, token));
  for (const { at, page, userAgent, id, session, uuid } of day.botViews) {
    const properties = {
      ...pageProperties(page),
      ...browserLibrary,
      title: shop.name,
      $raw_user_agent: userAgent,
      $referrer: '$direct',
      $referring_domain: '$direct',
      ...identity(token, id, id, session, session, false),
    };
    events.push({ uuid, event: '$pageview', timestamp: iso(at), properties });
  }
  return events.sort(byTime);
}

/** Events of the shop's server: orders ship at ten on the next day except Sundays. */
export function serverEvents(day: StoryDay, end: number): SentEvent[] {
  return day.visits
    .flatMap(({ order, visitor }) => {
      if (order === null || visitor.customer === null) return [];
      const at = nextDispatch(order.at);
      if (at >= end) return [];
      const random = createRandom(Number(order.id.slice(3)));
      return {
        uuid: random.uuid(at),
        event: 'pedido_enviado',
        timestamp: iso(at),
        distinct_id: visitor.customer.email,
        properties: {
          ...serverLibrary,
          pedido: order.id,
          valor: order.value,
          moeda: shop.currency,
          transportadora: 'Correios',
          ...groupsOf({ visitor }),
        },
      };
    })
    .sort(byTime);
}

function eventsOfVisit(visit: Visit, token: string): SentEvent[] {
  const { visitor, source, session, window } = visit;
  const { device, place } = visitor;
  const [first] = visit.actions;
  if (first === undefined) return [];
  const random = createRandom(Number.parseInt(session.slice(-8), 16));
  const constant: JsonObject = {
    $os: device.os,
    $os_version: device.osVersion,
    $browser: device.browser,
    $browser_version: device.browserVersion,
    $device_type: device.type,
    $timezone: place.timeZone,
    $raw_user_agent: device.userAgent,
    $browser_language: place.language,
    $browser_language_prefix: place.language.slice(0, 2),
    $screen_width: device.screen[0],
    $screen_height: device.screen[1],
    $viewport_width: device.viewport[0],
    $viewport_height: device.viewport[1],
    ...browserLibrary,
    ...origin(visit),
    $geoip_country_code: place.country,
    ...(place.city !== undefined && {
      $geoip_subdivision_1_code: place.region,
      $geoip_subdivision_1_name: place.regionName,
      $geoip_city_name: place.city,
    }),
  };
  const initial: JsonObject = {
    $initial_current_url: addressOf(visit.landing),
    $initial_pathname: pathOf(visit.landing),
    $initial_host: shop.host,
    $initial_referrer: source.referrer ?? '$direct',
    $initial_referring_domain: domainOf(source.referrer),
  };
  const groups = groupsOf(visit);
  return visit.actions.map(({ at, event, page, properties, distinctId, identified, set }) => ({
    uuid: random.uuid(at),
    event,
    timestamp: iso(at),
    properties: {
      ...constant,
      ...pageProperties(page),
      ...identity(token, distinctId, visitor.anonymousId, session, window, identified),
      $insert_id: random.uuid(at).slice(-12),
      $time: at / 1000,
      ...(identified && groups),
      ...properties,
    },
    ...(set && { $set: set, $set_once: initial }),
  }));
}

/** The company that a customer buys for, once they are known. */
function groupsOf({ visitor }: Pick<Visit, 'visitor'>): JsonObject {
  const company = visitor.customer === null ? null : companyOf(visitor.customer);
  return company === null ? {} : { $groups: { [companyType.name]: company.key } };
}

/** What browsers say of a customer's company: once a visit, with the first that they do as a customer. */
export function groupEvents(day: StoryDay, token: string): SentEvent[] {
  return day.visits
    .flatMap((visit) => {
      const { visitor, session, window } = visit;
      const first = visit.actions.find(({ identified }) => identified);
      const company = visitor.customer === null ? null : companyOf(visitor.customer);
      if (first === undefined || company === null) return [];
      const { at, page, distinctId } = first;
      return {
        uuid: createRandom(Number.parseInt(session.slice(-8), 16) + 1).uuid(at),
        event: '$groupidentify',
        timestamp: iso(at),
        properties: {
          ...pageProperties(page),
          ...browserLibrary,
          ...identity(token, distinctId, visitor.anonymousId, session, window, true),
          ...groupsOf(visit),
          $group_type: companyType.name,
          $group_key: company.key,
          $group_set: company.properties,
        },
      };
    })
    .sort(byTime);
}

function identity(
  token: string,
  distinctId: string,
  deviceId: string,
  session: string,
  window: string,
  identified: boolean,
): JsonObject {
  return {
    token,
    distinct_id: distinctId,
    $device_id: deviceId,
    ...(identified && { $user_id: distinctId }),
    $session_id: session,
    $window_id: window,
    $is_identified: identified,
    $process_person_profile: identified,
  };
}

function pageProperties(page: string): JsonObject {
  return { $current_url: addressOf(page), $host: shop.host, $pathname: pathOf(page) };
}

function origin({ source, landing }: Visit): JsonObject {
  const referrer = source.referrer ?? '$direct';
  const domain = domainOf(source.referrer);
  const campaign = source.campaign ?? {};
  const entry = Object.fromEntries(Object.entries(campaign).map(([name, value]) => [`$session_entry_${name}`, value]));
  const absent = {
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    utm_content: null,
    utm_term: null,
    gclid: null,
  };
  return {
    $referrer: referrer,
    $referring_domain: domain,
    ...absent,
    ...campaign,
    $session_entry_url: addressOf(landing),
    $session_entry_host: shop.host,
    $session_entry_pathname: pathOf(landing),
    $session_entry_referrer: referrer,
    $session_entry_referring_domain: domain,
    ...entry,
  };
}

function addressOf(page: string): string {
  return `https://${shop.host}${page}`;
}

function domainOf(referrer: string | null): string {
  return referrer === null ? '$direct' : new URL(referrer).host;
}

function nextDispatch(orderedAt: number): number {
  let day = Math.floor((orderedAt + shopOffsetMs) / dayMs) + 1;
  if ((day + 4) % 7 === 0) day += 1;
  return day * dayMs - shopOffsetMs + 10 * 3_600_000 + (orderedAt % 1_800_000);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function byTime(one: SentEvent, other: SentEvent): number {
  return one.timestamp < other.timestamp ? -1 : one.timestamp > other.timestamp ? 1 : 0;
}
