/** Where the visitor is, and what is kept of the address: the project's choice, made before anything is stored anywhere. */
import { isIP } from 'node:net';
import { eventMarks } from '#src/events/contract.ts';
import { plainAddress } from '#src/kit/address.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';
import { isBrowserLibrary } from './bot.ts';
import { type Draft, put, type StepContext } from './draft.ts';
import { geoGroupsOf } from './group-cache.ts';
import { place, placeOf } from './places.ts';

/**
 * Country of the address, and the address as far as it is kept. What the client says of the place itself (a migration) stands;
 * a server's own address is no visitor's.
 *
 * @param isStated the event carries `$geoip_` properties
 */
export function geoGroup(draft: Draft, context: StepContext, isStated: boolean): JsonObject | null {
  const { sent, marks } = draft;
  const address = visitorAddress(sent, context.facts.address);
  const isLocated = sent['$geoip_disable'] !== true;
  const handling = marks & eventMarks.cookieless ? 'none' : context.project.settings.ipHandling;
  if (isStated) return { ...located(address, isLocated, handling, context), ...statedPlace(sent) };
  if (address === null) return null;
  const known = geoGroupsOf(context.cache, isLocated ? handling : `${handling}, not located`);
  let found = known.get(address);
  if (found === undefined) {
    found = { group: located(address, isLocated, handling, context) };
    known.set(address, found);
  }
  return found.group;
}

function located(
  address: string | null,
  isLocated: boolean,
  handling: ProjectSettings['ipHandling'],
  { lookups }: StepContext,
): JsonObject | null {
  if (address === null) return null;
  const group: JsonObject = {};
  const country = isLocated ? lookups.country(address) : null;
  if (country !== null) group['$geoip_country_code'] = country;
  if (handling === 'full') group['$ip'] = address;
  if (handling === 'truncated') group['$ip'] = truncatedAddress(address);
  return Object.keys(group).length === 0 ? null : group;
}

function statedPlace(sent: JsonObject): JsonObject {
  const stated: JsonObject = {};
  for (const name in sent) {
    const value = sent[name] as JsonValue;
    if (value !== null && placeOf(name) === place.geo) put(stated, name, value);
  }
  return stated;
}

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
