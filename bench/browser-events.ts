/**
 * Events as posthog-js sends them, deterministic: visitors that come, look at a few pages, click, and sometimes buy. Some
 * 45 properties and 1.3 to 1.6 kB of JSON each. Used by the benches of the collector.
 */
import type { JsonObject } from '#src/kit/json.ts';

const EVENTS_PER_VISIT = 8;
/** Under way at once. */
const VISITS = 400;
const pages = Array.from(
  { length: 300 },
  (_, index) => `/${['cafe', 'blog', 'conta', 'ajuda'][index % 4]}/pagina-${index}`,
);
const referrers = [
  '$direct',
  'https://www.google.com/',
  'https://l.instagram.com/',
  'https://www.tabnews.com.br/',
  'https://wa.me/',
];
const browsers = [
  [
    'Chrome',
    'Windows',
    'Desktop',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/@.0.0.0 Safari/537.36',
  ],
  [
    'Mobile Safari',
    'iOS',
    'Mobile',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_@ like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  ],
  [
    'Chrome',
    'Android',
    'Mobile',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/@.0.0.0 Mobile Safari/537.36',
  ],
] as const;

/** Event number `from` and the ones after it; the same numbers give the same events. */
export function browserEvents(from: number, count: number, nowMs: number, visits = VISITS): JsonObject[] {
  return Array.from({ length: count }, (_, index) => browserEvent(from + index, nowMs, visits));
}

/**
 * @param number numbers that are neighbours belong to different visits, as in a batch that a server gathers
 * @param visits how many are under way at once
 * @param perVisitor events of a visitor, who comes once; absent: some come again and again
 */
export function browserEvent(number: number, nowMs: number, visits = VISITS, perVisitor?: number): JsonObject {
  const perVisit = perVisitor ?? EVENTS_PER_VISIT;
  const round = Math.floor(number / (visits * perVisit));
  const visit = round * visits + (number % visits);
  const step = Math.floor(number / visits) % perVisit;
  const random = sequence(visit);
  const returning = Math.floor(random() ** 2 * 20_000);
  const person = perVisitor === undefined ? returning : visit;
  const [browser, os, deviceType, agent] = browsers[
    Math.floor(random() * browsers.length)
  ] as (typeof browsers)[number];
  const version = 120 + Math.floor(random() * 20);
  const [width, height] = [
    [1920, 1080],
    [390, 844],
    [412, 915],
    [1366, 768],
  ][Math.floor(random() * 4)] as [number, number];
  const referrer = referrers[Math.floor(random() * referrers.length)] as string;
  const domain = referrer === '$direct' ? '$direct' : new URL(referrer).host;
  const startMs = nowMs - perVisit * 20_000;
  const session = fakeUuid(startMs, visit, 1);
  const path = pages[Math.floor(sequence(visit * 31 + Math.floor(step / 2))() * pages.length)] as string;
  const entry = pages[Math.floor(sequence(visit * 31)() * pages.length)] as string;
  const distinctId = fakeUuid(1_760_000_000_000 + person, person, 2);
  const ms = startMs + step * 20_000;
  const properties: JsonObject = {
    $os: os,
    $browser: browser,
    $device_type: deviceType,
    $timezone: 'America/Sao_Paulo',
    $timezone_offset: 180,
    $current_url: `https://loja.example${path}`,
    $host: 'loja.example',
    $pathname: path,
    $raw_user_agent: agent.replace('@', String(version)),
    $browser_version: version,
    $browser_language: 'pt-BR',
    $browser_language_prefix: 'pt',
    $screen_height: height,
    $screen_width: width,
    $viewport_height: height - 120,
    $viewport_width: width,
    $lib: 'web',
    $lib_version: '1.434.18',
    $insert_id: `i${number.toString(36)}`,
    $time: ms / 1000,
    distinct_id: distinctId,
    $device_id: distinctId,
    $referrer: referrer,
    $referring_domain: domain,
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    gclid: null,
    fbclid: null,
    token: 'lnt_bench',
    $config_defaults: '2025-05-24',
    $session_id: session,
    $window_id: fakeUuid(startMs, visit, 3),
    $session_entry_referrer: referrer,
    $session_entry_referring_domain: domain,
    $session_entry_url: `https://loja.example${entry}`,
    $session_entry_pathname: entry,
    $is_identified: false,
    $process_person_profile: false,
    $lib_rate_limit_remaining_tokens: 99,
  };
  const event = step % 2 === 0 ? '$pageview' : step === 7 ? 'pedido feito' : '$autocapture';
  if (event === '$pageview') properties['title'] = `Loja ${path}`;
  if (event === '$autocapture') {
    const link = Math.floor(sequence(visit + step)() * 40);
    properties['$event_type'] = 'click';
    properties['$ce_version'] = 1;
    properties['$el_text'] = `Ver ${link}`;
    properties['$elements_chain'] =
      `a.link:attr__class="link"href="/x/${link}"nth-child="${link}"nth-of-type="1"text="Ver ${link}";li:nth-child="2"nth-of-type="2";body:nth-child="2"nth-of-type="1"`;
  }
  if (event === 'pedido feito') properties['total'] = Math.floor(random() * 40_000) / 100;
  return { uuid: fakeUuid(ms, number, 4), event, properties, timestamp: new Date(ms).toISOString() };
}

/** Numbers 0 ≤ n < 1 from a seed. */
function sequence(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** A UUIDv7 that is the same each time. */
function fakeUuid(ms: number, number: number, kind: number): string {
  const time = ms.toString(16).padStart(12, '0');
  const tail = (number + 1).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${kind}00-8000-${tail}`;
}
