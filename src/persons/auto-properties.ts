/**
 * Automatic person properties: browser, OS, page and campaign of the latest event,
 * and the `$initial_…` ones of the first. @see docs/wire.md
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import { campaignProperties } from '#src/events/values.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';

/** One property of the event and its two names on the person. */
export interface AutoProperty {
  name: string;
  initialName: string;
  value: JsonValue;
}

const NAMES = new Set([
  '$app_build',
  '$app_name',
  '$app_namespace',
  '$app_version',
  '$browser',
  '$browser_version',
  '$device_type',
  '$current_url',
  '$pathname',
  '$os',
  '$os_name',
  '$os_version',
  '$referring_domain',
  '$referrer',
  '$screen_height',
  '$screen_width',
  '$viewport_height',
  '$viewport_width',
  '$raw_user_agent',
  ...campaignProperties,
]);
const GEO = '$geoip_';
/** How the event is to be processed, not where its person is. */
const GEO_OFF = '$geoip_disable';

/** Events about the person: what they carry overwrites. Others only fill in what is not known yet. */
const PERSON_EVENTS = new Set(['$identify', '$set', '$create_alias', '$merge_dangerously']);

/** These tell of something else, though a person sent them. */
const NOT_ABOUT_PERSON = new Set(['$exception', '$$heatmap', '$groupidentify']);

/** Groups are shared by many events, as one object: each is looked through once. */
const byGroup = new WeakMap<JsonObject, readonly AutoProperty[]>();
const NONE: readonly AutoProperty[] = [];

/** Lists the automatic person properties of an event, one list per source. */
export function autoPropertiesOf({ event, groups, properties }: FinishedEvent): readonly (readonly AutoProperty[])[] {
  if (NOT_ABOUT_PERSON.has(event)) return [];
  return [
    listOf(groups.page),
    listOf(groups.device),
    listOf(groups.source),
    listOf(groups.geo),
    pick(properties), // what did not fit into a group
  ];
}

/** True when the event's automatic properties overwrite those of its person. */
export function overwritesPerson({ event, person }: FinishedEvent): boolean {
  return PERSON_EVENTS.has(event) || !isEmpty(person.set) || person.unset.length > 0;
}

function listOf(group: JsonObject | undefined): readonly AutoProperty[] {
  if (group === undefined) return NONE;
  let list = byGroup.get(group);
  if (list === undefined) {
    list = pick(group);
    byGroup.set(group, list);
  }
  return list;
}

function pick(from: JsonObject): readonly AutoProperty[] {
  let list: AutoProperty[] | null = null;
  for (const sent in from) {
    if (!NAMES.has(sent) && (!sent.startsWith(GEO) || sent === GEO_OFF)) continue;
    const value = from[sent];
    if (value === null || value === undefined) continue;
    const name = sent === '$os_name' ? '$os' : sent;
    list ??= [];
    list.push({ name, initialName: `$initial_${name.startsWith('$') ? name.slice(1) : name}`, value });
  }
  return list ?? NONE;
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}
