/**
 * Analytics of Luneta itself, with its own clients: posthog-js, loaded after hydration, and a tag manager when configured.
 * Viewed data is excluded: URLs become route patterns, texts and attributes are masked, and data regions
 * have `ph-no-capture`. Browser only.
 */
import type { CaptureResult, PostHog, Properties } from 'posthog-js/dist/module.slim.js';
import { patternOf, type Route } from './routing.ts';
import { type Boot, type PublicValues, uiHost } from './settings.ts';

declare global {
  interface Window {
    /** The web-analytics script looks here, so as not to count a view twice. */
    posthog?: PostHog;
    dataLayer?: unknown[];
  }
}

let client: PostHog | null = null;
/** Calls made before the client was loaded. */
let waiting: ((client: PostHog) => void)[] = [];

/** Loads what measures. Resolves when it runs; a blocked or failing load costs nothing but the measurement. */
export async function startMeasuring(boot: Boot, routes: readonly Route[]): Promise<void> {
  startTagManager(boot.settings);
  if (boot.token === null || client !== null) return;
  const { posthog, extensions } = await import('#views/areas/posthog.ts');
  posthog.init(boot.token, {
    api_host: '/ingest',
    ui_host: uiHost(boot.settings),
    defaults: '2025-05-24',
    capture_exceptions: true,
    debug: false,
    __extensionClasses: extensions,
    mask_all_text: true,
    mask_all_element_attributes: true,
    before_send: (event) => event && withoutData(event, location.origin, routes),
    // Before the first page view, so that it belongs to this user.
    loaded() {
      if (!boot.shell) guarded((loaded) => recognise(loaded, boot.reader))(posthog);
    },
  });
  client = posthog;
  window.posthog = posthog;
  for (const call of waiting) call(posthog);
  waiting = [];
}

/** Ids that only a mistake could produce; merging everyone who has one would be for ever. */
const notIds = new Set([
  '',
  'undefined',
  'null',
  'nan',
  'none',
  'anonymous',
  'guest',
  '[object object]',
  'true',
  'false',
]);

/** Identifies the user. An invalid id only logs a warning. */
export function identify(id: string): void {
  if (typeof id !== 'string' || notIds.has(id.trim().toLowerCase())) {
    warn('identify needs the id of a person; the call was ignored');
    return;
  }
  safely((posthog) => posthog.identify(id));
}

/** Identifies the signed-in user. A previous user is reset first. */
export function recognise(posthog: Pick<PostHog, 'get_property' | 'identify' | 'reset'>, reader: string | null): void {
  const before: unknown = posthog.get_property('$user_id');
  if (typeof before === 'string' && before !== reader) posthog.reset();
  if (reader !== null && before !== reader) posthog.identify(reader);
}

/** Forgets who was using Luneta: what follows belongs to someone else. */
export function reset(): void {
  safely((posthog) => posthog.reset());
}

/** Measuring must never break what it measures. */
function safely(call: (client: PostHog) => void): void {
  if (client === null) waiting.push(guarded(call));
  else guarded(call)(client);
}

function guarded(call: (client: PostHog) => void): (client: PostHog) => void {
  return (posthog) => {
    try {
      call(posthog);
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error));
    }
  };
}

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: the browser has no other log
  console.warn(`[Luneta] ${message}`);
}

/** Properties that hold a path without a host. */
const pathProperty = /pathname$/;
const titleProperty = /^(\$?title|\$prev_pageview_title)$/;

/**
 * An event as it may be stored in the built-in project: our own addresses are replaced by route patterns wherever they
 * stand, and titles go, because a title may name what a project calls private.
 */
export function withoutData(event: CaptureResult, origin: string, routes: readonly Route[]): CaptureResult {
  const ownAddress = new RegExp(`${origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[^\\s"'<>)]*`, 'g');
  const patternUrl = (address: string): string => {
    try {
      return origin + patternOf(routes, new URL(address).pathname);
    } catch {
      return origin;
    }
  };
  const clean = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      if (titleProperty.test(key)) return undefined;
      if (pathProperty.test(key) && value.startsWith('/')) return patternOf(routes, value.split('?')[0] ?? value);
      // URLs of code are not personal data, and stack traces are useless without them.
      return value.replace(ownAddress, (found) => (found.startsWith(`${origin}/assets/`) ? found : patternUrl(found)));
    }
    if (Array.isArray(value)) return value.map((item) => clean(item, key));
    if (typeof value === 'object' && value !== null && !(value instanceof Date))
      return cleanObject(value as Properties);
    return value;
  };
  const cleanObject = (properties: Properties): Properties =>
    Object.fromEntries(
      Object.entries(properties)
        .map(([key, value]) => [key, clean(value, key)] as const)
        .filter(([, value]) => value !== undefined),
    );
  return {
    ...event,
    properties: cleanObject(event.properties),
    ...(event.$set ? { $set: cleanObject(event.$set) } : {}),
    ...(event.$set_once ? { $set_once: cleanObject(event.$set_once) } : {}),
  };
}

const tagManager = 'https://www.googletagmanager.com/gtm.js';

function startTagManager({ PUBLIC_TAG_MANAGER_ID: id, PUBLIC_TAG_MANAGER_SRC: src = tagManager }: PublicValues): void {
  if (id === undefined || document.getElementById('tag-manager')) return;
  const layer = dataLayer();
  layer.push({ 'gtm.start': Math.round(performance.timeOrigin + performance.now()), event: 'gtm.js' });
  const address = new URL(src, location.href);
  address.searchParams.set('id', id);
  const script = document.createElement('script');
  script.id = 'tag-manager';
  script.async = true;
  script.src = address.href;
  document.head.append(script);
}

/** Reports the shown screen to the tag manager. `pattern` is the route's, never the URL. */
export function pushPage(settings: PublicValues, pattern: string): void {
  if (settings.PUBLIC_TAG_MANAGER_ID === undefined) return;
  dataLayer().push({ event: 'page_view', page_path: pattern });
}

function dataLayer(): unknown[] {
  window.dataLayer ??= [];
  return window.dataLayer;
}
