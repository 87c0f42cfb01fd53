/**
 * Assigns each property of an event to its storage. Properties that repeat together go into a group; a few are derivable or
 * only of use to the client, and are not stored (docs/wire.md lists them); all others stay with the event.
 */
import { groupKinds } from '#src/events/contract.ts';
import { campaignProperties } from '#src/events/values.ts';

/** Small numbers, because one is looked up per property: the groups' own, and these. */
export const place = {
  ...groupKinds,
  event: 0,
  /** Not stored. */
  nowhere: 7,
  /** With the event, unless the value is already stored elsewhere. */
  unlessKnown: 8,
} as const;
export type Place = (typeof place)[keyof typeof place];

const known: Record<Exclude<keyof typeof place, 'event'>, string[]> = {
  page: ['$current_url', '$host', '$pathname', '$screen_name'],
  device: [
    '$os',
    '$os_version',
    '$os_name',
    '$browser',
    '$browser_version',
    '$browser_type',
    '$webview_app',
    '$webview_app_version',
    '$raw_user_agent',
    '$user_agent',
    '$device',
    '$device_type',
    '$device_manufacturer',
    '$device_model',
    '$device_name',
    '$is_emulator',
    '$locale',
    '$browser_language',
    '$browser_language_prefix',
    '$timezone',
    '$timezone_offset',
    '$screen_height',
    '$screen_width',
    '$viewport_height',
    '$viewport_width',
    '$screen_density',
    '$app_build',
    '$app_name',
    '$app_namespace',
    '$app_version',
    '$network_type',
    '$network_carrier',
    '$network_wifi',
    '$network_cellular',
    '$lib',
    '$lib_version',
    '$lib_custom_api_host',
    '$sdk_dist_channel',
    '$config_defaults',
    '$recording_status',
    '$is_server',
    '$geoip_disable',
  ],
  source: [
    '$referrer',
    '$referring_domain',
    '$search_engine',
    'ph_keyword',
    ...campaignProperties,
    'ScCid',
    'yclid',
    'tblci',
    'obclid',
  ],
  geo: [],
  flags: [],
  elements: ['$elements_chain', '$event_type', '$ce_version', '$el_text', '$external_click_url', '$element_selectors'],
  nowhere: [
    '$distinct_id',
    '$time',
    '$insert_id',
    '$set',
    '$set_once',
    '$unset',
    '$session_id',
    '$ip',
    '$elements',
    '$is_identified',
    '$process_person_profile',
    '$cookieless_mode',
    '$ignore_sent_at',
    '$pageview_id',
    '$prev_pageview_id',
    '$had_persisted_distinct_id',
    '$sent_at',
    '$lib_rate_limit_remaining_tokens',
    '$event_time_override_provided',
    '$event_time_override_system_time',
    '$initialization_time',
    '$configured_session_timeout_ms',
    '$replay_sample_rate',
    '$replay_minimum_duration',
    '$prev_pageview_last_scroll',
    '$prev_pageview_last_scroll_percentage',
    '$prev_pageview_max_scroll',
    '$prev_pageview_last_content',
    '$prev_pageview_last_content_percentage',
    '$prev_pageview_max_content',
  ],
  unlessKnown: [
    'token',
    'distinct_id',
    '$device_id',
    '$user_id',
    '$anon_distinct_id',
    'alias',
    '$groups',
    'title',
    '$feature_flag_request_id',
    '$feature_flag_evaluated_at',
    '$active_feature_flags',
    '$feature_flag_payloads',
    '$session_entry_url',
    '$session_entry_host',
    '$session_entry_pathname',
  ],
};

const prefixes: readonly [string, Place][] = [
  ['$feature/', place.flags],
  ['$session_entry_', place.source],
  ['$initial_', place.source],
  ['$geoip_', place.geo],
  ['$sdk_debug_', place.nowhere],
  ['$session_recording_', place.nowhere],
];
/** Settings that clients got from the server and send back. */
const ECHO = /_(?:en|dis)abled_server_side$/;

const places = new Map<string, Place>();
for (const [to, names] of Object.entries(known)) {
  for (const name of names) places.set(name, place[to as keyof typeof known]);
}
const knownCount = places.size;
/** Names seen so far are remembered, up to this many: senders may invent names without end. */
const MAX_REMEMBERED = 20_000;

/** The storage of a property. */
export function placeOf(name: string): Place {
  return places.get(name) ?? learn(name);
}

function learn(name: string): Place {
  const found: Place =
    name.charCodeAt(0) === 0x24 /* $ */
      ? (prefixes.find(([prefix]) => name.startsWith(prefix))?.[1] ?? (ECHO.test(name) ? place.nowhere : place.event))
      : place.event;
  if (places.size < knownCount + MAX_REMEMBERED && name.length <= 100) places.set(name, found);
  return found;
}
