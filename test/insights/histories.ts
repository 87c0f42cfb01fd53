/** Histories of made-up projects, as values, and as events that the collector would hand on. */

import { eventMarks, type FinishedEvent } from '#src/events/contract.ts';
import { uuidV5 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import fc from '#test/kit/fast-check.ts';
import type { Happened, Question, Wish, Wishes } from './reference.ts';

/** The event that the collector makes of it. */
export function finishedEvent(projectId: number, happened: Happened): FinishedEvent {
  const { uuid, event, distinctId, ts, session, bot, internal, plan, loose, anonymousId } = happened;
  return {
    projectId,
    uuid,
    event,
    distinctId,
    ts,
    receivedAt: ts,
    session,
    marks: internal ? eventMarks.bot | eventMarks.internal : bot ? eventMarks.bot : 0,
    groups: groupsOf(happened),
    properties: { ...(plan === undefined || plan === null ? {} : { plan }), ...loose },
    person: {
      process: event === '$identify',
      set: {},
      setOnce: {},
      unset: [],
      identify: event === '$identify',
      merge: anonymousId === undefined ? null : { kind: 'identify', otherDistinctId: anonymousId },
    },
  };
}

/** So many of an event's properties are as common, and come first: all others of a chunk are packed as rare ones. */
const COMMON = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`common ${at}`, at]));

/** The same event among so many other properties that its own are rare ones. */
export function withRareProperties(event: FinishedEvent): FinishedEvent {
  return { ...event, properties: { ...COMMON, ...event.properties } };
}

/** The groups of its properties, as the collector makes them. */
function groupsOf(happened: Happened): FinishedEvent['groups'] {
  const { ts, path, host, referringDomain, channel, campaign, country, region, device, outbound } = happened;
  const source: JsonObject = {};
  if (referringDomain !== null) source['$session_entry_referring_domain'] = referringDomain;
  if (channel) source['$channel_type'] = channel;
  for (const [name, value] of Object.entries(campaign ?? {})) if (value) source[`$session_entry_${name}`] = value;
  const own: JsonObject = {};
  if (device?.language) own['$browser_language'] = device.language;
  if (device?.timeZone) own['$timezone'] = device.timeZone;
  if (device?.type) own['$device_type'] = device.type;
  if (device?.browser) own['$browser'] = device.browser;
  if (device?.system) own[ts % 2 === 0 ? '$os' : '$os_name'] = device.system;
  if (device?.width !== undefined) own[ts % 2 === 0 ? '$viewport_width' : '$screen_width'] = device.width;
  const geo: JsonObject = {};
  if (country) geo['$geoip_country_code'] = country;
  if (region) {
    Object.assign(geo, { $geoip_subdivision_1_name: region, $geoip_city_name: `Bom ${region}` });
    geo['$geoip_subdivision_1_code'] = 'X1';
  }
  const page: JsonObject = {};
  if (path !== null) Object.assign(page, { $pathname: path, $current_url: `https://shop.example${path}?at=${ts % 3}` });
  if (host) page['$host'] = host;
  return {
    ...(Object.keys(page).length === 0 ? {} : { page }),
    ...(Object.keys(source).length === 0 ? {} : { source }),
    ...(Object.keys(own).length === 0 ? {} : { device: own }),
    ...(Object.keys(geo).length === 0 ? {} : { geo }),
    ...(outbound ? { elements: { $event_type: 'click', $external_click_url: outbound } } : {}),
  };
}

/** A session id that is the same for the same name. */
export function sessionId(name: string): string {
  return uuidV5(`session ${name}`);
}

/** Zones with their awkward days: half hours, a skipped midnight, a repeated hour, none at all. */
const times: { timeZone: string; dates: string[] }[] = [
  { timeZone: 'America/Sao_Paulo', dates: ['2026-11-20', '2018-11-05', '2018-02-19'] },
  { timeZone: 'Asia/Kathmandu', dates: ['2026-11-20', '2026-03-01'] },
  { timeZone: 'America/New_York', dates: ['2026-03-09', '2026-11-02', '2024-03-01'] },
  { timeZone: 'Australia/Lord_Howe', dates: ['2026-04-06', '2026-10-05'] },
  { timeZone: 'UTC', dates: ['2026-01-01', '2025-12-31'] },
];

const presets = [
  ...[
    'today',
    'yesterday',
    'last_24_hours',
    'last_7_days',
    'last_7_full_days',
    'last_28_days',
    'last_30_days',
    'this_week',
  ],
  ...['this_month', 'last_month', 'this_year', 'last_12_months'],
];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export interface Case {
  question: Question;
  interval: 'hour' | 'day' | 'week' | 'month';
  /** In the order of arrival. */
  history: Happened[];
  /** Sizes of the batches it arrives in. */
  batches: number[];
  /** After which of them everything is sealed. */
  seals: boolean[];
}

/** Questions and the histories they are asked of, crowded around the edges of ranges. */
export const cases: fc.Arbitrary<Case> = fc
  .constantFrom(...times.flatMap(({ timeZone, dates }) => dates.map((date) => ({ timeZone, date }))))
  .chain(({ timeZone, date }) => {
    // Between morning and evening everywhere: no clock is changed then.
    const noon = Date.parse(`${date}T12:00:00Z`) - offsetHours(timeZone, date) * hourMs;
    return fc.integer({ min: -4 * hourMs, max: 9 * hourMs }).chain((fromNoon) => {
      const now = noon + fromNoon;
      return fc.record({
        question: fc.record({
          preset: fc.oneof(
            { arbitrary: fc.constantFrom(...presets), weight: 4 },
            { arbitrary: datesBefore(date), weight: 1 },
          ),
          compare: fc.oneof(
            fc.constantFrom('previous' as const, 'year' as const, 'weekday' as const, 'none' as const),
            datesBefore(date),
          ),
          timeZone: fc.constant(timeZone),
          weekStart: fc.constantFrom(0 as const, 1 as const),
          bounceSeconds: fc.constantFrom(10, 10, 1, 30, 600),
          now: fc.constant(now),
          filters: fc.option(wishes, { nil: undefined }),
          include: fc.oneof(
            { arbitrary: fc.constant<('bots' | 'internal')[]>([]), weight: 3 },
            fc.constantFrom<('bots' | 'internal')[]>(['bots'], ['internal'], ['bots', 'internal']),
          ),
        }),
        interval: fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const),
        history: fc
          .array(moments(now), { minLength: visitNames.length, maxLength: visitNames.length })
          .chain((starts) =>
            fc.uniqueArray(happenings(now, starts), { minLength: 1, maxLength: 60, selector: ({ uuid }) => uuid }),
          ),
        batches: fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 8 }),
        seals: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
        hosts: fc.constantFrom(...hostsOfProjects),
      });
    });
  })
  .map(({ hosts, ...given }) => ({
    ...given,
    interval: isTooFine(given) ? 'day' : given.interval,
    history: batched(given).map((each) => placed(each, hosts)),
  }));

/** More than 1,000 hours are refused. */
function isTooFine({ interval, question: { preset } }: Pick<Case, 'interval' | 'question'>): boolean {
  return interval === 'hour' && ['this_year', 'last_12_months'].includes(String(preset));
}

/** Of one host, of several, of none; and where some do not say theirs. */
const hostsOfProjects: (string | null)[][] = [
  ['shop.example'],
  ['shop.example', null],
  ['shop.example', 'www.shop.example', 'blog.example'],
  ['shop.example', 'blog.example', null],
  [null],
];

function placed(happened: Happened, hosts: (string | null)[]): Happened {
  return { ...happened, host: hosts[Number.parseInt(happened.uuid.slice(-4), 16) % hosts.length] as string | null };
}

function batched({ history, batches }: Pick<Case, 'history' | 'batches'>): Happened[] {
  const ends = [0];
  for (let batch = 0; (ends.at(-1) as number) < history.length; batch++) {
    ends.push((ends.at(-1) as number) + (batches[batch % batches.length] as number));
  }
  return history.map((happened, at) => ({ ...happened, batch: ends.findIndex((end) => at < end) }));
}

export const texts: Partial<Wish>[] = [
  ...['equals', 'notEquals'].flatMap((operator) => [
    { operator, values: ['/a', '/caf%C3%A9'] },
    { operator, values: ['/', 'wa.me', 'pro', '7'] },
    { operator, values: [] },
  ]),
  ...['contains', 'notContains', 'startsWith', 'endsWith'].map((operator) => ({
    operator,
    values: ['A', 'direct', 'F%c3%a9'],
  })),
  ...['startsWith', 'endsWith'].map((operator) => ({ operator, values: ['/', 'P', 'E', 'Cafe\u0301'] })),
  ...['regex', 'notRegex'].map((operator) => ({ operator, values: ['^(/|w|p).?.?[abe]?$'] })),
  ...['equals', 'notEquals'].map((operator) => ({
    operator,
    values: ['BR', 'Spring', 'email', '992-1439', 'Direct', 'pt-BR', 'blog.example', 'shop.example'],
  })),
  ...['isSet', 'isNotSet', 'isNumber', 'isNotNumber'].map((operator) => ({ operator, values: [] })),
];
export const numbers: Partial<Wish>[] = ['gt', 'gte', 'lt', 'lte'].flatMap((operator) => [
  { operator, values: [1] },
  { operator, values: [9.5] },
]);

/** Around what clocks skip and repeat, in the zones above; and what is no date. */
const dates = [
  ...['2018-11-04', '2018-11-04T00:30', '2018-11-04T02:59:59.999Z', '2018-11-04T03:00:00Z', '2018-02-17 23:30'],
  ...['2018-02-18T01:45:00Z', '2018-02-18T02:45:00.1239999Z', '2018-02-18', '2024-02-29', '2026-04-05T01:45'],
  ...['2026-11-01T01:30', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00+00:00', '2026-11-01 01:30:00-0500'],
  ...['2026-11-01T05:59:59.999Z', '2026-03-08T02:10:30'],
  ...['2026-11-20', '2026-11-20T02:30:00Z', '2026-11-20T00:00', '2026-11-19T23:59:59.999'],
];
const noDates = [
  '2026-02-29',
  '2026-04-31',
  '2026-11-20T24:00',
  '0000-01-01',
  '20261120',
  '2026-11-20Z',
  '2026-11-20T10:30+15:00',
];
export const dated: Partial<Wish>[] = ['before', 'after', 'onOrBefore', 'onOrAfter'].flatMap((operator) =>
  dates.map((date) => ({ operator, values: [date] })),
);

const wish = fc.oneof(
  fc.tuple(
    fc.constantFrom<Partial<Wish>>(
      ...['$pathname', '$host', '$session_entry_referring_domain', 'plan', 'plan'].map((name) => ({
        about: 'event' as const,
        name,
      })),
      ...[
        'entryPath',
        'exitPath',
        'entryHost',
        'exitHost',
        'source',
        'referringDomain',
        'channel',
        'utmCampaign',
        'utmMedium',
        'country',
        'region',
        'city',
        'viewportWidth',
      ].map((name) => ({ about: 'session' as const, name })),
    ),
    fc.constantFrom(...texts),
  ),
  fc.tuple(
    fc.constantFrom<Partial<Wish>>(
      { about: 'event', name: 'plan' },
      ...['views', 'seconds'].map((name) => ({ about: 'session' as const, name })),
    ),
    fc.constantFrom(...numbers),
  ),
  fc.tuple(
    fc.constantFrom<Partial<Wish>>(
      ...['plan', 'plan', 'plan', '$pathname'].map((name) => ({ about: 'event' as const, name })),
      ...['views', 'exitPath'].map((name) => ({ about: 'session' as const, name })),
    ),
    fc.constantFrom(...dated),
  ),
) as fc.Arbitrary<[Partial<Wish>, Partial<Wish>]>;
const condition = wish.map(([about, asked]) => ({ ...about, ...asked }) as Wish);
const match = fc.constantFrom('all' as const, 'any' as const);
export const wishes: fc.Arbitrary<Wishes> = fc.record({
  match,
  of: fc.array(
    fc.oneof({ arbitrary: condition, weight: 3 }, fc.record({ match, of: fc.array(condition, { maxLength: 2 }) })),
    { maxLength: 3 },
  ),
});

/** Moments near `now`, near the edges of days, weeks and months before it, and a year before. */
function moments(now: number): fc.Arbitrary<number> {
  const back = fc.oneof(
    fc.integer({ min: 0, max: 30 * hourMs }),
    fc.integer({ min: 0, max: 16 * dayMs }),
    fc.integer({ min: 0, max: 62 * dayMs }),
    fc.integer({ min: 364 * dayMs, max: 380 * dayMs }),
    fc.integer({ min: -2 * hourMs, max: 0 }),
  );
  const to = fc.constantFrom(1, 1_000, hourMs / 4, hourMs);
  return fc.tuple(back, to).map(([ms, round]) => Math.floor((now - ms) / round) * round);
}

const visitNames = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

const campaigns = fc.constantFrom<NonNullable<Happened['campaign']> | null>(
  null,
  { utm_source: 'News', utm_medium: 'email', utm_campaign: 'Spring' },
  { utm_source: 'news', utm_medium: 'Email', utm_campaign: 'spring', utm_term: 'beans', utm_content: 'Top' },
  { utm_source: 'NEWS' },
  { utm_source: 'IG', utm_medium: 'social' },
);

const devices = fc.option(
  fc.record({
    language: fc.constantFrom('pt-BR', 'en-US'),
    timeZone: fc.constantFrom('America/Sao_Paulo', 'UTC'),
    type: fc.constantFrom('Mobile', 'Desktop'),
    browser: fc.constantFrom('Chrome', 'Firefox'),
    system: fc.constantFrom('Android', 'Windows'),
    width: fc.constantFrom(0, 575, 576, 991, 992, 1439, 1440, 2560),
  }),
  { freq: 6 },
);

/** @param starts when most events of each visit happen */
function happenings(now: number, starts: number[]): fc.Arbitrary<Happened> {
  return fc
    .record({
      uuid: fc.uuid({ version: 4 }),
      event: fc.oneof(
        { arbitrary: fc.constant('$pageview'), weight: 6 },
        { arbitrary: fc.constantFrom('$screen', '$autocapture', '$pageleave', 'ping', '$identify'), weight: 5 },
      ),
      actor: fc.integer({ min: 0, max: 5 }),
      user: fc.integer({ min: 0, max: 2 }),
      moment: moments(now),
      visit: fc.option(fc.integer({ min: 0, max: visitNames.length - 1 }), { freq: 4 }),
      into: fc.constantFrom(0, 0, 3_000, 8_000, 9_999, 10_000, 10_001, 1_900_000),
      isStray: fc.integer({ min: 0, max: 6 }).map((value) => value === 0),
      bot: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
      internal: fc.integer({ min: 0, max: 11 }).map((value) => value === 0),
      path: fc.constantFrom('/', '/a', '/b', '/caf%C3%A9', '/caf%c3%a9', '/café', '/cafe\u0301', null),
      referringDomain: fc.constantFrom('$direct', 'wa.me', 'blog.example', 'm.blog.example', 'l.instagram.com', null),
      plan: fc.oneof(
        {
          arbitrary: fc.constantFrom('pro', 'free', 7, 12.5, 0.1, '12,50', ' 7 ', 'R$ 1.234,5', null, null),
          weight: 2,
        },
        { arbitrary: fc.constantFrom(...dates, ...dates, ...noDates), weight: 1 },
      ),
      channel: fc.constantFrom('Direct', 'Email', null),
      campaign: campaigns,
      country: fc.constantFrom('BR', 'PT', null),
      region: fc.constantFrom('Pará', 'Braga', null),
      device: devices,
      link: fc.constantFrom('https://wa.me/55', 'https://blog.example/a', null),
      isUser: fc.boolean(),
    })
    .map(({ actor, user, moment, visit, into, isStray, link, isUser, ...told }) => {
      const { event } = told;
      const isIdentify = event === '$identify';
      return {
        ...told,
        distinctId: isIdentify || isUser ? `user ${user}` : `browser ${actor}`,
        ts: (visit === null || isStray ? moment : (starts[visit] as number)) + into,
        session: visit === null ? null : sessionId(visitNames[visit] as string),
        ...(event === '$autocapture' ? { outbound: link } : {}),
        ...(isIdentify ? { anonymousId: `browser ${actor}` } : {}),
      };
    });
}

function datesBefore(date: string): fc.Arbitrary<{ from: string; to: string }> {
  const end = Date.parse(`${date}T00:00:00Z`);
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 40 })).map(([endsBefore, length]) => ({
    from: text(end - (endsBefore + length) * dayMs),
    to: text(end - endsBefore * dayMs),
  }));
}

/** How far the zone's clock is ahead of UTC at noon. */
function offsetHours(timeZone: string, date: string): number {
  const hour = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', hour: 'numeric' });
  return Number(hour.format(new Date(`${date}T12:00:00Z`))) - 12;
}
