/** What is done with posthog-js in a page, version by version, to see what it sends. */
import type { Page } from 'playwright-core';
import type { JsonObject } from '#src/kit/json.ts';

export interface BrowserCase {
  name: string;
  about: string;
  versions: readonly string[];
  /** Options of `posthog.init` besides host and token. */
  options?: JsonObject;
  /** Changes of the remote configuration. */
  remote?: JsonObject;
  refuse?(nth: number): { status: number; body: string } | null;
  clockAheadMs?: number;
  settings?: JsonObject;
  drive(visit: Visit): Promise<void>;
}

/** A page with the client in it. */
export interface Visit {
  page: Page;
  /** Calls a method of `window.posthog`. */
  call(method: string, ...args: unknown[]): Promise<void>;
  /** Notes the current ids under names: `know('anon')` is the distinct id, `know('session', 'get_session_id')` another one. */
  know(name: string, method?: string): Promise<void>;
  /** Until the recorder has had `count` requests to paths of events. */
  sent(count: number): Promise<void>;
  pause(ms: number): Promise<void>;
  /** Closes the page as a visitor does: what waits goes by beacon. */
  leave(): Promise<void>;
}

const NEWEST = '1.449.2';
export const browserVersions = ['1.20.0', '1.57.4', '1.96.1', '1.180.1', '1.260.0', '1.336.4', NEWEST] as const;
const withSessions = browserVersions.slice(2);

/** NUL, a lone surrogate in a name and in a value, an emoji: in a browser these come from pasted text and cut strings. */
const oddProperties =
  '({ "caf\\u00e9": "\\ud83d\\ude80 ok", bad: "a\\u0000b", cut: "x\\ud83d", "k\\udc00": 1, deep: { list: [1, "dois", null] } })';

async function odd(visit: Visit): Promise<void> {
  await visit.page.evaluate(`posthog.capture('pedido \\ud83d\\uded2', ${oddProperties})`);
}

export const browserCases: readonly BrowserCase[] = [
  {
    name: 'basics',
    about: 'a view, a navigation without loading, a click, an event with odd text, leaving the page',
    versions: browserVersions,
    async drive(visit) {
      await visit.know('anon');
      await visit.sent(1);
      await visit.page.evaluate(`history.pushState({}, '', '/checkout?step=1')`);
      await visit.page.click('#buy b');
      await odd(visit);
      await visit.pause(300);
      await visit.leave();
    },
  },
  {
    name: 'identity',
    about: 'anonymous, identified with properties, aliased, in a group, signed out',
    versions: ['1.20.0', '1.57.4', NEWEST],
    options: { autocapture: false, capture_pageleave: false },
    async drive(visit) {
      await visit.know('anon');
      await visit.call('capture', 'looked');
      await visit.call(
        'identify',
        'ana@example.com',
        { email: 'ana@example.com', plan: 'free' },
        { first_seen_on: 'web' },
      );
      await visit.call('capture', 'bought', { price: 12.5 });
      await visit.call('alias', 'customer-7');
      await visit.call('group', 'company', 'acme', { size: 12 });
      await visit.call('capture', 'invited');
      await visit.call('reset');
      await visit.know('anonAfter');
      await visit.call('capture', 'looked again');
      await visit.pause(300);
      await visit.leave();
    },
  },
  {
    name: 'person-properties',
    about: 'set, set once and unset without signing in; $set given to capture',
    versions: ['1.96.1', NEWEST],
    options: { autocapture: false, capture_pageview: false, capture_pageleave: false },
    async drive(visit) {
      await visit.know('anon');
      await visit.call('setPersonProperties', { name: 'Bia', age: 31 }, { first_page: '/' });
      await visit.call('setPersonProperties', { age: 32 }, { first_page: '/other' });
      await visit.page.evaluate(
        `posthog.capture('upgraded', { colour: 'green' }, { $set: { plan: 'pro' }, $set_once: { plan_first: 'pro' } })`,
      );
      await visit.page.evaluate(`posthog.capture('moved', { $set: { city: 'Recife' } })`);
      await visit.page.evaluate(`posthog.unsetPersonProperties && posthog.unsetPersonProperties(['name'])`);
      await visit.pause(300);
      await visit.leave();
    },
  },
  {
    name: 'plain',
    about: 'compression turned off in the client; the newest sends its beacon as base64 in a form all the same',
    versions: ['1.57.4', '1.336.4', NEWEST],
    options: { disable_compression: true, autocapture: false },
    async drive(visit) {
      await visit.know('anon');
      await visit.sent(1);
      await odd(visit);
      await visit.pause(300);
      await visit.leave();
    },
  },
  {
    name: 'lz64',
    about: 'a server that offers lz64: the hint is in the form',
    versions: ['1.20.0'],
    options: { autocapture: false },
    remote: { supportedCompression: ['lz64'] },
    async drive(visit) {
      await visit.know('anon');
      await visit.sent(1);
      await odd(visit);
      await visit.sent(2);
      await visit.leave();
    },
  },
  {
    name: 'gzip',
    about: 'the oldest client with gzip',
    versions: ['1.20.0'],
    options: { autocapture: false },
    remote: { supportedCompression: ['gzip', 'gzip-js', 'lz64'] },
    async drive(visit) {
      await visit.know('anon');
      await visit.sent(1);
      await odd(visit);
      await visit.sent(2);
      await visit.leave();
    },
  },
  {
    name: 'people',
    about: 'the old calls of persons, to /engage/ or as $set',
    versions: ['1.20.0', '1.57.4'],
    options: { autocapture: false, capture_pageview: false },
    async drive(visit) {
      await visit.know('anon');
      await visit.page.evaluate(`posthog.people && posthog.people.set({ favourite: 'coffee' })`);
      await visit.page.evaluate(`posthog.people && posthog.people.set_once({ first: 'tea' })`);
      await visit.call('capture', 'after');
      await visit.pause(3500);
      await visit.leave();
    },
  },
  {
    name: 'consent',
    about: 'opted out, captured in vain, opted in again',
    versions: ['1.96.1', NEWEST],
    options: { autocapture: false, capture_pageview: false, capture_pageleave: false },
    async drive(visit) {
      await visit.know('anon');
      await visit.call('capture', 'before');
      await visit.call('opt_out_capturing');
      await visit.call('capture', 'while out');
      await visit.call('opt_in_capturing');
      await visit.know('anonAfter');
      await visit.call('capture', 'after');
      await visit.pause(300);
      await visit.leave();
    },
  },
  {
    name: 'exception',
    about: 'an uncaught error, a rejected promise, one captured by hand with a cause',
    versions: [NEWEST],
    options: { autocapture: false, capture_pageview: false, capture_pageleave: false, capture_exceptions: true },
    remote: { autocaptureExceptions: true, errorTracking: { autocaptureExceptions: true, suppressionRules: [] } },
    async drive(visit) {
      await visit.know('anon');
      await visit.pause(1000);
      await visit.page.evaluate(`setTimeout(() => { throw new TypeError('cart is \\ud83d empty') })`);
      await visit.page.evaluate(`setTimeout(() => Promise.reject({ code: 7 }))`);
      await visit.page.evaluate(
        `posthog.captureException(new Error('outer', { cause: new RangeError('inner') }), { order: 9 })`,
      );
      await visit.pause(500);
      await visit.leave();
    },
  },
  {
    name: 'retry',
    about: 'the server is away twice, then takes the same events',
    versions: ['1.20.0', '1.57.4', '1.180.1', NEWEST],
    options: { autocapture: false, capture_pageview: false, capture_pageleave: false },
    refuse: (nth) => (nth < 2 ? { status: 503, body: 'busy' } : null),
    async drive(visit) {
      await visit.know('anon');
      await visit.call('capture', 'patient', { nth: 1 });
      await visit.sent(3);
      await visit.leave();
    },
  },
  {
    name: 'clock-ahead',
    about: 'the device believes that it is tomorrow',
    versions: [NEWEST, '1.180.1'],
    options: { autocapture: false },
    clockAheadMs: 86_400_000,
    async drive(visit) {
      await visit.know('anon');
      await visit.sent(1);
      await visit.call('capture', 'waited');
      await visit.leave();
    },
  },
  {
    name: 'clock-behind',
    about: 'the device believes that it is last week',
    versions: [NEWEST, '1.57.4'],
    options: { autocapture: false },
    clockAheadMs: -7 * 86_400_000,
    async drive(visit) {
      await visit.know('anon');
      await visit.sent(1);
      await visit.call('capture', 'waited');
      await visit.leave();
    },
  },
  {
    name: 'cookieless',
    about: 'nothing stored on the device: the server makes the visitor',
    versions: [NEWEST],
    options: { cookieless_mode: 'always', autocapture: false },
    async drive(visit) {
      await visit.sent(1);
      await visit.page.goto('http://shop.example/second');
      await visit.pause(400);
      await visit.leave();
    },
  },
  {
    name: 'profiles-always',
    about: 'everyone gets a profile, from the first view on',
    versions: [NEWEST],
    options: { person_profiles: 'always', autocapture: false, capture_pageleave: false },
    async drive(visit) {
      await visit.know('anon');
      await visit.sent(1);
      await visit.leave();
    },
  },
  {
    name: 'campaign',
    about: 'entered through an advertisement',
    versions: [NEWEST, '1.57.4'],
    options: { autocapture: false, capture_pageleave: false },
    async drive(visit) {
      await visit.know('anon');
      await visit.sent(1);
      await visit.leave();
    },
  },
  {
    name: 'recording',
    about: 'session recording switched on',
    versions: [NEWEST],
    options: { autocapture: false, capture_pageview: false, capture_pageleave: false },
    remote: { sessionRecording: { endpoint: '/s/', recorderVersion: 'v2' } },
    async drive(visit) {
      await visit.know('anon');
      await visit.pause(3500);
      await visit.call('capture', 'beside it');
      await visit.leave();
    },
  },
  {
    name: 'everything-on',
    about: 'all that a configuration can switch on: which paths are asked for',
    versions: ['1.96.1', NEWEST],
    options: { autocapture: true, capture_pageleave: false },
    remote: {
      hasFeatureFlags: true,
      captureDeadClicks: true,
      capturePerformance: { network_timing: true, web_vitals: true, web_vitals_allowed_metrics: null },
      autocaptureExceptions: true,
      heatmaps: true,
      surveys: true,
      logs: { captureConsoleLogs: true },
    },
    async drive(visit) {
      await visit.know('anon');
      await visit.sent(1);
      await visit.pause(1000);
      await visit.page.evaluate(`console.log('a line of the log')`);
      await visit.page.evaluate(
        `posthog.getEarlyAccessFeatures && posthog.getEarlyAccessFeatures(() => {}, true); posthog.getSurveys && posthog.getSurveys(() => {}, true)`,
      );
      for (const _ of [1, 2, 3]) await visit.page.click('#buy', { position: { x: 5, y: 5 } });
      await visit.pause(6000);
      await visit.leave();
    },
  },
];

/** Versions from which the client has sessions. */
export function hasSessions(version: string): boolean {
  return withSessions.includes(version as (typeof withSessions)[number]);
}
