/** What happened in a recording, counted event by event. Pure. */
import type { JsonValue } from '../json.ts';
import {
  CLICK,
  CONSOLE_PLUGIN,
  eventType,
  incrementalOf,
  isObject,
  NETWORK_PLUGIN,
  pluginPayload,
  type RecordedEvent,
  source,
} from './events.ts';

export interface RecordingSummary {
  clicks: number;
  /** Changes of inputs. */
  keys: number;
  /** Console errors, uncaught exceptions included. */
  errors: number;
  warns: number;
  /** Requests with status 400 or more. */
  networkErrors: number;
  rageClicks: number;
  activeMs: number;
  pages: number;
  /** The first pages, without the host. */
  urls: string[];
  /** Of the first viewport. */
  width: number | null;
  height: number | null;
}

export interface Summary {
  /** In the order of time, of one window. */
  add(event: RecordedEvent): void;
  result(): RecordingSummary;
}

const URLS = 3;
const MAX_URL_LENGTH = 300;
/** A longer pause between two interactions is not active time. */
const PAUSE_MS = 5_000;
/** So many clicks, each within this time and distance of the one before, are rage. */
const RAGE_CLICKS = 3;
const RAGE_MS = 1_000;
const RAGE_PX = 30;

const interactive = new Set<JsonValue>([
  source.mouseMove,
  source.interaction,
  source.scroll,
  source.input,
  source.touchMove,
  source.mediaInteraction,
  source.drag,
]);

export function createSummary(): Summary {
  const sum: RecordingSummary = {
    clicks: 0,
    keys: 0,
    errors: 0,
    warns: 0,
    networkErrors: 0,
    rageClicks: 0,
    activeMs: 0,
    pages: 0,
    urls: [],
    width: null,
    height: null,
  };
  let lastActive: number | null = null;
  let lastClick: { at: number; x: number; y: number } | null = null;
  let clicksInARow = 0;
  let shownPage = '';
  let metaPages = 0;

  function addPage(href: JsonValue | undefined, isView: boolean): void {
    const page = pathOf(href);
    if (page === null) return;
    if (isView) sum.pages++;
    else if (page !== shownPage) metaPages++;
    shownPage = page;
    if (sum.urls.length < URLS && !sum.urls.includes(page)) sum.urls.push(page);
  }

  function addClick(at: number, x: number, y: number): void {
    sum.clicks++;
    const isNear =
      lastClick !== null &&
      at - lastClick.at <= RAGE_MS &&
      Math.abs(x - lastClick.x) <= RAGE_PX &&
      Math.abs(y - lastClick.y) <= RAGE_PX;
    clicksInARow = isNear ? clicksInARow + 1 : 1;
    if (clicksInARow === RAGE_CLICKS) sum.rageClicks++;
    lastClick = { at, x, y };
  }

  function addIncremental(event: RecordedEvent): void {
    const data = incrementalOf(event);
    const from = data?.['source'];
    if (data === null || from === undefined || !interactive.has(from)) return;
    const at = event.timestamp;
    if (lastActive !== null && at > lastActive && at - lastActive <= PAUSE_MS) sum.activeMs += at - lastActive;
    lastActive = at;
    if (from === source.input) sum.keys++;
    if (from === source.interaction && data['type'] === CLICK)
      addClick(at, Number(data['x'] ?? 0), Number(data['y'] ?? 0));
  }

  function addPlugin(event: RecordedEvent): void {
    const level = pluginPayload(event, CONSOLE_PLUGIN)?.['level'];
    if (level === 'error') sum.errors++;
    else if (level === 'warn') sum.warns++;
    const requests = pluginPayload(event, NETWORK_PLUGIN)?.['requests'];
    if (!Array.isArray(requests)) return;
    for (const request of requests) {
      const status = isObject(request) ? (request['responseStatus'] ?? request['status']) : null;
      if (typeof status === 'number' && status >= 400) sum.networkErrors++;
    }
  }

  return {
    add(event) {
      const { type, data } = event;
      if (type === eventType.incremental) addIncremental(event);
      else if (type === eventType.plugin) addPlugin(event);
      else if (type === eventType.meta && isObject(data)) {
        addPage(data['href'], false);
        sum.width ??= sizeOf(data['width']);
        sum.height ??= sizeOf(data['height']);
      } else if (
        type === eventType.custom &&
        isObject(data) &&
        data['tag'] === '$pageview' &&
        isObject(data['payload'])
      ) {
        addPage(data['payload']['href'], true);
      }
    },
    result: () => ({ ...sum, activeMs: Math.round(sum.activeMs), pages: sum.pages || metaPages }),
  };
}

/** The sum of windows, in the order of their beginning. */
export function addSummaries(parts: readonly RecordingSummary[]): RecordingSummary {
  const total = createSummary().result();
  for (const part of parts) {
    for (const name of counted) total[name] += part[name];
    total.urls = [...new Set([...total.urls, ...part.urls])].slice(0, URLS);
    total.width ??= part.width;
    total.height ??= part.height;
  }
  return total;
}

const counted = ['clicks', 'keys', 'errors', 'warns', 'networkErrors', 'rageClicks', 'activeMs', 'pages'] as const;

function pathOf(href: JsonValue | undefined): string | null {
  const url = typeof href === 'string' ? URL.parse(href) : null;
  if (url === null) return null;
  const text = url.protocol.startsWith('http') ? url.pathname : `${url.protocol}${url.pathname}`;
  return text.slice(0, MAX_URL_LENGTH).toWellFormed().replaceAll('\0', '');
}

/** A size in CSS px; null for what is none. */
function sizeOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && value > 0 && value < 100_000 ? Math.round(value) : null;
}
