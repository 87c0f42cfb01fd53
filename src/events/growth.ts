/**
 * Guards the dictionary of property groups. A group that is different in nearly every event (ids in addresses, say) would grow
 * without end. When a project's kind gains more than one new entry per four events, new groups keep only what the screens count
 * by, and the rest stays with the event; when it is full, everything does.
 */
import { type JsonObject, type JsonValue, putProperty } from '#src/kit/json.ts';
import type { GroupKind } from './contract.ts';

/** Groups of one kind that a project may have. */
const MAX_GROUPS = 1_000_000;
/** The growth of a kind is judged over this many events, once it has this many entries. */
const WINDOW = 4_000;
const SHARE = 1 / 4;
const SMALL = 20_000;

/**
 * Properties that stay in a group when its kind grows too fast. `$rules_version` does not: it marks complete groups, whose channel can be
 * derived again.
 */
const essentials: Record<GroupKind, ReadonlySet<string>> = {
  page: new Set(['$host', '$pathname', '$screen_name']),
  device: new Set([
    '$browser',
    '$webview_app',
    '$os',
    '$device_type',
    '$lib',
    '$browser_language',
    '$timezone',
    '$screen_width',
  ]),
  source: new Set([
    '$referring_domain',
    '$session_entry_referring_domain',
    '$channel_type',
    'utm_source',
    'utm_medium',
    'utm_campaign',
    '$session_entry_utm_source',
    '$session_entry_utm_medium',
    '$session_entry_utm_campaign',
    '$session_entry_utm_term',
    '$session_entry_utm_content',
  ]),
  geo: new Set(['$geoip_country_code', '$geoip_subdivision_1_code', '$geoip_subdivision_1_name', '$geoip_city_name']),
  flags: new Set(),
  elements: new Set(['$event_type', '$el_text', '$external_click_url']),
};

/** How one kind of groups of one project grows. */
export class Growth {
  private readonly kind: GroupKind;
  private entries = 0;
  private events = 0;
  private added = 0;
  private isFast = false;

  constructor(kind: GroupKind) {
    this.kind = kind;
  }

  /** True when new groups should be divided. */
  get isTooFast(): boolean {
    return this.isFast || this.isFull;
  }

  get isFull(): boolean {
    return this.entries >= MAX_GROUPS;
  }

  /** An event has a group of this kind. */
  seen(): void {
    this.events++;
    if (this.events < WINDOW) return;
    this.isFast = this.entries >= SMALL && this.added / this.events > SHARE;
    this.events = 0;
    this.added = 0;
  }

  /** Called with the number of a new group: numbers are dense, so it is the count. */
  gained(number: number): void {
    this.added++;
    this.entries = Math.max(this.entries, number);
  }

  /** Splits a group into its dictionary part and the part that stays with the event. */
  divide(group: JsonObject): { kept: JsonObject; spilled: JsonObject } {
    const [kept, spilled]: [JsonObject, JsonObject] = [{}, {}];
    for (const name of Object.keys(group)) {
      const value = group[name] as JsonValue;
      putProperty(essentials[this.kind].has(name) ? kept : spilled, name, value);
    }
    return { kept, spilled };
  }
}
