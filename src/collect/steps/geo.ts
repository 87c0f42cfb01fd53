/**
 * Location of the visitor and masking of the address, by project setting, before anything is stored. When the
 * address is not stored, only the country is: a city identifies as much as a part of an address.
 */
import { isIP } from 'node:net';
import { eventMarks } from '#src/events/contract.ts';
import { plainAddress } from '#src/kit/address.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';
import { isBrowserLibrary } from './bot.ts';
import { withBrazilianState } from './brazilian-state.ts';
import { type Draft, type Place, put, type StepContext } from './draft.ts';
import { geoGroupsOf } from './group-cache.ts';
import { place, placeOf } from './places.ts';

/**
 * Country, region, city and address, as far as the settings allow. Locations sent by the client (a migration) are kept;
 * a server's own address is ignored.
 *
 * @param isStated the event carries `$geoip_` properties
 */
export function geoGroup(draft: Draft, context: StepContext, isStated: boolean): JsonObject | null {
  const { sent, marks } = draft;
  const address = visitorAddress(sent, context.facts.address);
  const isLocated = sent['$geoip_disable'] !== true;
  const handling = marks & eventMarks.cookieless ? 'none' : context.project.settings.ipHandling;
  if (isStated) {
    const stated = statedPlace(sent, handling);
    // Two places would make one that there is not.
    return {
      ...located(address, isLocated && stated['$geoip_country_code'] === undefined, handling, context),
      ...stated,
    };
  }
  if (address === null) return null;
  const known = geoGroupsOf(context.cache, isLocated ? handling : `${handling}, not located`);
  const { location = null } = context.facts;
  const key = location === null ? address : `${address} ${Object.values(location).join('\0')}`;
  let found = known.get(key);
  if (found === undefined) {
    found = { group: located(address, isLocated, handling, context) };
    known.set(key, found);
  }
  return found.group;
}

function located(
  address: string | null,
  isLocated: boolean,
  handling: ProjectSettings['ipHandling'],
  context: StepContext,
): JsonObject | null {
  if (address === null) return null;
  const group: JsonObject = {};
  if (isLocated) Object.assign(group, placeProperties(foundPlace(address, context), handling));
  if (handling === 'full') group['$ip'] = address;
  if (handling === 'truncated') group['$ip'] = truncatedAddress(address);
  return Object.keys(group).length === 0 ? null : group;
}

/** A trusted proxy's location takes precedence over the databases, unless it has only the country. */
function foundPlace(address: string, { facts, lookups }: StepContext): Place {
  const said = address === facts.address ? (facts.location ?? null) : null;
  const known = lookups.place(address);
  if (said === null) return known;
  const isCountryOnly = said.region === null && said.regionName === null && said.city === null;
  return isCountryOnly && said.country === known.country ? known : said;
}

function placeProperties(found: Place, handling: ProjectSettings['ipHandling']): JsonObject {
  const properties: JsonObject = {};
  const { country, region, regionName, city } = withBrazilianState(found);
  if (country !== null) properties['$geoip_country_code'] = country;
  if (handling === 'none') return properties;
  if (region !== null) properties['$geoip_subdivision_1_code'] = region;
  if (regionName !== null) properties['$geoip_subdivision_1_name'] = regionName;
  if (city !== null) properties['$geoip_city_name'] = city;
  return properties;
}

function statedPlace(sent: JsonObject, handling: ProjectSettings['ipHandling']): JsonObject {
  const stated: JsonObject = {};
  for (const name in sent) {
    const value = sent[name] as JsonValue;
    if (value === null || placeOf(name) !== place.geo || (handling === 'none' && FINER.test(name))) continue;
    put(stated, name, value);
  }
  return stated;
}

/** Properties finer than the country. */
const FINER = /^\$geoip_(?:city|subdivision|postal|latitude|longitude|accuracy|time_zone)/;

/** The address that the event names, else the one it came from, unless that is a server's. */
export function visitorAddress(sent: JsonObject, connection: string | null): string | null {
  const named = sent['$ip'];
  if (typeof named === 'string' && named !== '') return plainAddress(named);
  const lib = sent['$lib'];
  if (isBrowserLibrary(lib)) return connection;
  const isFromServer = sent['$is_server'] === true || (typeof lib === 'string' && SERVER_LIBRARY.test(lib));
  return isFromServer ? null : connection;
}

const SERVER_LIBRARY =
  /(?:^|[-_])(?:node|edge|python|ruby|go|php|java|dotnet|elixir|rust|rs|server|laravel|server-side)(?:$|[-_])/i;

/** The address without its last octet (IPv4) or its last 80 bits (IPv6). */
export function truncatedAddress(address: string): string {
  if (isIP(address) === 4) return `${address.slice(0, address.lastIndexOf('.'))}.0`;
  const [head = '', tail] = address.toLowerCase().split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const behind = tail === '' ? [] : tail.split(':');
    while (groups.length + behind.length < 8) groups.push('0');
    groups.push(...behind);
  }
  const kept = groups.slice(0, 3).map((group) => group.replace(/^0+(?=.)/, ''));
  while (kept.at(-1) === '0') kept.pop();
  return `${kept.join(':')}::`;
}
