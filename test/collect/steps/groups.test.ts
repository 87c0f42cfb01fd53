import { elementsChain } from '#src/collect/steps/elements.ts';
import { truncatedAddress } from '#src/collect/steps/geo.ts';
import { createGroupCache } from '#src/collect/steps/group-cache.ts';
import { eventMarks } from '#src/events/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject } from '#src/kit/json.ts';
import fc from '#test/kit/fast-check.ts';
import { CHROME, finished, NOW, testContext } from '../context.ts';

const session = uuidV7(NOW - 60_000);

/** As posthog-js 1.434 sends it, in short. */
function pageview(overrides: JsonObject = {}): JsonObject {
  return {
    event: '$pageview',
    timestamp: new Date(NOW).toISOString(),
    properties: {
      $os: 'Linux',
      $browser: 'Chrome',
      $browser_version: 131,
      $device_type: 'Desktop',
      $raw_user_agent: CHROME,
      $timezone: 'America/Sao_Paulo',
      $current_url: 'https://loja.example/cafe',
      $host: 'loja.example',
      $pathname: '/cafe',
      title: 'Cafés',
      $lib: 'web',
      $lib_version: '1.434.18',
      $insert_id: 'yo3oot2sjax4v07d',
      $time: 1_795_215_434.427,
      $sdk_debug_retry_queue_size: 0,
      $web_vitals_enabled_server_side: false,
      $initialization_time: '2026-11-20T22:57:14.383Z',
      distinct_id: 'anon',
      $device_id: 'anon',
      token: 'lnt_a',
      utm_source: 'newsletter',
      utm_medium: null,
      $referrer: 'https://www.google.com/',
      $referring_domain: 'www.google.com',
      $session_id: session,
      $window_id: 'w1',
      $session_entry_url: 'https://loja.example/cafe?utm_source=newsletter',
      $session_entry_referring_domain: 'www.google.com',
      $session_entry_utm_source: 'newsletter',
      $active_feature_flags: [],
      $feature_flag_payloads: {},
      $pageview_id: 'p1',
      $prev_pageview_duration: 1.5,
      $prev_pageview_last_scroll: 10,
      $is_identified: false,
      $process_person_profile: false,
      $lib_rate_limit_remaining_tokens: 99,
      carrinho: 3,
      ...overrides,
    },
  };
}
const sent = { distinct_id: 'anon' };

describe('names that clients use for themselves', () => {
  const own = (properties: JsonObject, raw: JsonObject = {}) => finished({ ...raw, properties }).properties;

  it('are the site’s own where they say something else', () => {
    expect(own({ token: 'invite-7', distinct_id: 'order-9' })).toEqual({ token: 'invite-7', distinct_id: 'order-9' });
    for (const token of ['phc_anothers', 'lnt_anothers']) expect(own({ token })).toEqual({});
    expect(own({ token: { a: 1 }, distinct_id: [1] })).toEqual({ token: { a: 1 }, distinct_id: [1] });
    expect(own({ token: 'lnt_a', distinct_id: 'd' })).toEqual({});
    expect(own({ token: null, distinct_id: null })).toEqual({});
  });

  it('are not, as the id was sent: a number, too long, or among the properties only', () => {
    const long = 'x'.repeat(250);
    expect(own({ distinct_id: long }, { distinct_id: long })).toEqual({});
    expect(own({ distinct_id: 42 }, { distinct_id: '42' })).toEqual({});
    expect(own({ distinct_id: { a: 1 }, token: 'lnt_a' }, { distinct_id: null })).toEqual({});
  });
});

describe('splitting', () => {
  it('puts every property into its place, once', () => {
    const event = finished({ ...pageview(), ...sent });
    expect(event).toMatchObject({
      event: '$pageview',
      distinctId: 'anon',
      session,
      marks: eventMarks.personless,
      properties: { $window_id: 'w1', $prev_pageview_duration: 1.5, carrinho: 3 },
      groups: {
        page: { $current_url: 'https://loja.example/cafe', $host: 'loja.example', $pathname: '/cafe', title: 'Cafés' },
        device: {
          $os: 'Linux',
          $browser: 'Chrome',
          $browser_version: 131,
          $device_type: 'Desktop',
          $raw_user_agent: CHROME,
          $timezone: 'America/Sao_Paulo',
          $lib: 'web',
          $lib_version: '1.434.18',
        },
        source: {
          utm_source: 'newsletter',
          $referrer: 'https://www.google.com/',
          $referring_domain: 'www.google.com',
          $session_entry_referring_domain: 'www.google.com',
          $session_entry_utm_source: 'newsletter',
          $channel_type: 'Organic Search',
          $rules_version: 2,
        },
        geo: { $geoip_country_code: 'BR', $ip: '177.32.5.0' },
      },
    });
    expect(Object.keys(event.properties)).toHaveLength(3);
    expect(Object.keys(event.groups)).toHaveLength(4);
    expect(Object.keys(event.groups.source ?? {})).not.toContain('utm_medium');
  });

  it('gives the same object to events with the same properties', () => {
    const context = testContext();
    const one = finished({ ...pageview(), ...sent }, context);
    const two = finished({ ...pageview({ $window_id: 'w2', carrinho: 4 }), ...sent }, context);
    for (const kind of ['page', 'device', 'source', 'geo'] as const) expect(two.groups[kind]).toBe(one.groups[kind]);
  });

  it('finds a page again after another one, and another visitor’s', () => {
    const context = testContext();
    const one = finished({ ...pageview(), ...sent }, context);
    finished({ ...pageview({ $current_url: 'https://loja.example/x', $pathname: '/x' }), ...sent }, context);
    const back = finished({ ...pageview({ $session_id: uuidV7(NOW - 5) }), ...sent }, context);
    expect(back.groups.page).toBe(one.groups.page);
    expect(back.groups.device).toBe(one.groups.device);
  });

  it.each([
    ['page', { title: 'Outra' }],
    ['page', { $pathname: '/outra' }],
    ['device', { $viewport_width: 700 }],
    ['device', { $timezone: null }],
    ['source', { utm_medium: 'email' }],
    ['source', { fbclid: null }],
    ['source', { $host: 'outra.example' }],
  ] as const)('takes another %s group for %p', (kind, change) => {
    const context = testContext();
    const one = finished({ ...pageview(), ...sent }, context);
    const two = finished({ ...pageview(change), ...sent }, context);
    expect(two.groups[kind]).not.toBe(one.groups[kind]);
    const fresh = finished({ ...pageview(change), ...sent });
    expect(two.groups).toEqual(fresh.groups);
  });

  it('tells sites apart by their addresses where no host was sent', () => {
    const context = testContext();
    const sourceOf = (url: string) =>
      finished({ properties: { $current_url: url, $referrer: 'https://loja.example/' } }, context).groups.source;
    expect(sourceOf('https://blog.example/a')).toMatchObject({ $session_entry_referring_domain: 'loja.example' });
    expect(sourceOf('https://loja.example/b')).toMatchObject({ $session_entry_referring_domain: '$direct' });
  });

  it('keeps flags that are on, and forgets empty lists of them', () => {
    expect(finished({ ...pageview(), ...sent }).groups.flags).toBeUndefined();
    const flags = {
      $active_feature_flags: ['a'],
      '$feature/a': 'test',
      $feature_flag_payloads: { a: { x: 1 } },
      $feature_flag_request_id: 'r',
    };
    const event = finished({ ...pageview(flags), ...sent });
    expect(event.groups.flags).toEqual({
      $active_feature_flags: ['a'],
      '$feature/a': 'test',
      $feature_flag_payloads: { a: { x: 1 } },
    });
    expect(event.properties).not.toHaveProperty('$feature_flag_request_id');
    const called = finished({
      event: '$feature_flag_called',
      properties: { $feature_flag: 'a', $feature_flag_request_id: 'r' },
    });
    expect(called.properties).toEqual({ $feature_flag: 'a', $feature_flag_request_id: 'r' });
  });

  it('keeps ids that add something', () => {
    const identified = finished({
      ...pageview({ $device_id: 'dev', $user_id: 'anon', $groups: { company: 'x' } }),
      ...sent,
    });
    expect(identified.properties).toMatchObject({ $device_id: 'dev', $groups: { company: 'x' } });
    expect(identified.properties).not.toHaveProperty('$user_id');
  });

  it('keeps the entry page on events without a visit', () => {
    const event = finished({ ...pageview({ $session_id: 'none' }), ...sent });
    expect(event.properties).toMatchObject({ $session_id: 'none', $session_entry_url: expect.any(String) });
  });

  it('a title is a page’s on views, and the sender’s own elsewhere', () => {
    expect(finished({ event: 'video', properties: { title: 'Torra' } })).toMatchObject({
      properties: { title: 'Torra' },
    });
  });

  it('finds host and path in the address', () => {
    const { groups } = finished({ properties: { $current_url: 'https://a.example:8443/x/y?z=1#f' } });
    expect(groups.page).toEqual({
      $current_url: 'https://a.example:8443/x/y?z=1#f',
      $host: 'a.example:8443',
      $pathname: '/x/y',
    });
    expect(finished({ properties: { $current_url: 'no address' } }).groups.page).toEqual({
      $current_url: 'no address',
    });
  });

  it('cuts names that no index could hold, and stores neither null nor infinite numbers', () => {
    const context = testContext();
    const event = finished(
      {
        properties: {
          ['n'.repeat(500)]: 1,
          big: JSON.parse('1e999') as number,
          none: null,
          $custom: null,
          list: [null],
        },
      },
      context,
    );
    expect(event.properties).toEqual({ ['n'.repeat(400)]: 1, list: [null] });
    expect(context.warnings[0]?.detail).toBe('property name');
  });
});

describe('from any library', () => {
  const names = [
    ...[
      '$current_url',
      '$screen_name',
      '$timezone',
      '$app_version',
      '$referrer',
      '$referring_domain',
      '$search_engine',
    ],
    ...[
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'gclid',
      'fbclid',
      '_kx',
      '$session_entry_utm_source',
      '$session_entry_url',
    ],
    ...['$initial_referrer', '$initial_utm_source', '$geoip_city_name', '$feature/a', '$active_feature_flags', 'title'],
    ...['$elements_chain', '$event_type', '$el_text', '$device_id', '$user_id', '$groups', 'plan'],
  ];
  const libraries = ['web', 'posthog-node', 'posthog-python', 'posthog-ios', undefined];

  it.each(libraries)('each property is stored for itself (%s)', (lib) => {
    const lost = names.filter((name) => {
      const properties: JsonObject = { [name]: ['text'] };
      if (lib !== undefined) properties['$lib'] = lib;
      const { groups, properties: own } = finished({ properties });
      return ![own, ...Object.values(groups)].some((part) => JSON.stringify(part[name]) === '["text"]');
    });
    expect(lost).toEqual([]);
  });

  it('a server’s click id and campaign stay as they were sent, and make no channel', () => {
    const { groups } = finished({
      properties: { $lib: 'posthog-node', gclid: 'x', utm_medium: 'cpc', $initial_utm_source: 'a' },
    });
    expect(groups.source).toEqual({ gclid: 'x', utm_medium: 'cpc', $initial_utm_source: 'a' });
  });
});

describe('device', () => {
  it('comes from the user agent when the client does not send it', () => {
    expect(finished({ properties: {} }).groups.device).toEqual({
      $browser: 'Chrome',
      $browser_version: 131,
      $os: 'Windows',
      $os_version: '10',
      $device_type: 'Desktop',
      $raw_user_agent: CHROME,
    });
  });

  it('does not come from a server’s user agent', () => {
    const context = testContext({ facts: { userAgent: 'posthog-node/5.70.0' } });
    const event = finished({ properties: { $lib: 'posthog-node', $is_server: true } }, context);
    expect(event.groups.device).toEqual({ $lib: 'posthog-node', $is_server: true });
  });

  it('comes from the user agent that a server passes on', () => {
    const event = finished({ properties: { $lib: 'posthog-node', $raw_user_agent: CHROME } });
    expect(event.groups.device).toMatchObject({ $browser: 'Chrome', $lib: 'posthog-node' });
  });

  it('cuts long user agents as posthog-js does', () => {
    const { groups } = finished({ ...pageview({ $raw_user_agent: 'x'.repeat(5_000) }), ...sent });
    expect(groups.device?.['$raw_user_agent']).toBe(`${'x'.repeat(997)}...`);
  });
});

describe('bots', () => {
  const isBot = (properties: JsonObject, userAgent = CHROME) =>
    (finished({ properties }, testContext({ facts: { userAgent } })).marks & eventMarks.bot) !== 0;
  it.each<[string, JsonObject, string, boolean]>([
    ['a person', { $lib: 'web', $raw_user_agent: CHROME }, CHROME, false],
    [
      'a crawler with the script',
      { $lib: 'web', $raw_user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.2)' },
      CHROME,
      true,
    ],
    ['a crawler by its header', { $lib: 'web' }, 'Mozilla/5.0 (compatible; Googlebot/2.1)', true],
    ['a browser without a user agent', { $lib: 'web' }, '', true],
    ['a screen without size', { $lib: 'web', $screen_width: 0, $screen_height: 0 }, CHROME, true],
    ['what posthog-js takes for one', { $lib: 'web', $browser_type: 'bot' }, CHROME, true],
    ['a server library', { $lib: 'posthog-python' }, 'python-requests/2', false],
    ['a server library that names a crawler', { $lib: 'posthog-node', $raw_user_agent: 'GPTBot' }, '', false],
    ['curl by hand', {}, 'curl/8.5', false],
    ['a crawler by hand', {}, 'Mozilla/5.0 (compatible; bingbot/2.0)', true],
    ['the component, headless', { $lib: 'web-analytics' }, 'Mozilla/5.0 HeadlessChrome/131', true],
  ])('%s', (_name, properties, userAgent, wanted) => {
    expect(isBot(properties, userAgent)).toBe(wanted);
  });
});

describe('place', () => {
  const geo = (properties: JsonObject, overrides: Parameters<typeof testContext>[0] = {}) =>
    finished({ properties }, testContext(overrides)).groups.geo;

  it.each([
    ['none', { $geoip_country_code: 'BR' }],
    ['truncated', { $geoip_country_code: 'BR', $ip: '177.32.5.0' }],
    ['full', { $geoip_country_code: 'BR', $ip: '177.32.5.9' }],
  ] as const)('address handling: %s', (ipHandling, wanted) => {
    expect(geo({}, { settings: { ipHandling } })).toEqual(wanted);
  });

  it('follows the address that the event names', () => {
    expect(geo({ $ip: '::ffff:177.1.2.3' })).toEqual({ $geoip_country_code: 'BR', $ip: '177.1.2.0' });
    expect(geo({ $ip: 'rubbish' })).toBeUndefined();
  });

  it('does not mind the port that some proxies write behind an address', () => {
    expect(geo({ $ip: '177.1.2.3:8080' })).toEqual({ $geoip_country_code: 'BR', $ip: '177.1.2.0' });
    expect(geo({ $ip: '[2804:14c::1]:443' })).toEqual({ $geoip_country_code: 'BR', $ip: '2804:14c::' });
    expect(geo({ $ip: '[2804:14c::1]' })).toEqual({ $geoip_country_code: 'BR', $ip: '2804:14c::' });
    expect(geo({ $ip: '177.1.2.3:x' })).toBeUndefined();
  });

  it('has nothing to say about servers', () => {
    expect(geo({ $lib: 'posthog-node', $geoip_disable: true })).toBeUndefined();
    expect(geo({ $lib: 'posthog-python' })).toBeUndefined();
    expect(geo({ $lib: 'posthog-python', $ip: '177.1.2.3' })).toBeDefined();
  });

  it('does not look up where it is asked not to', () => {
    expect(geo({ $geoip_disable: true })).toEqual({ $ip: '177.32.5.0' });
  });

  it('believes what a migration says', () => {
    expect(geo({ $geoip_country_code: 'PT', $geoip_city_name: null, $ip: '177.1.2.3' })).toEqual({
      $geoip_country_code: 'PT',
      $ip: '177.1.2.0',
    });
  });

  it.each([
    ['203.0.113.77', '203.0.113.0'],
    ['2804:14c:65a1:1:2:3:4:5', '2804:14c:65a1::'],
    ['2804:14c::1', '2804:14c::'],
    ['::1', '::'],
    ['a::b:c:d:e:f:1', 'a:0:b::'],
    ['2001:0db8:0001:9::', '2001:db8:1::'],
  ])('%s is cut to %s', (address, cut) => {
    expect(truncatedAddress(address)).toBe(cut);
  });
});

describe('elements', () => {
  it('go into a group', () => {
    const chain = 'button.cta:attr__class="cta"nth-child="2"text="Comprar";body:nth-child="2"';
    const event = finished({
      event: '$autocapture',
      properties: { $event_type: 'click', $el_text: 'Comprar', $elements_chain: chain, sku: 'x' },
    });
    expect(event.groups.elements).toEqual({ $event_type: 'click', $el_text: 'Comprar', $elements_chain: chain });
    expect(event.properties).toEqual({ sku: 'x' });
  });

  it('sent one by one become a chain', () => {
    const elements = [
      {
        tag_name: 'button',
        $el_text: 'Comprar "Serra"',
        classes: ['primary', 'cta'],
        attr__class: 'primary cta',
        attr__id: 'buy',
        nth_child: 2,
        nth_of_type: 1,
      },
      { tag_name: 'body', nth_child: 2, nth_of_type: 1 },
    ];
    const chain =
      'button.cta.primary:attr__class="primary cta"attr__id="buy"attr_id="buy"nth-child="2"nth-of-type="1"text="Comprar \\"Serra\\"";body:nth-child="2"nth-of-type="1"';
    expect(elementsChain(elements)).toBe(chain);
    const event = finished({ event: '$autocapture', properties: { $event_type: 'click', $elements: elements } });
    expect(event.groups.elements).toEqual({ $event_type: 'click', $elements_chain: chain });
    expect(event.properties).toEqual({});
  });

  it.each([[null], [[]], ['x'], [[null, 5]], [{}]])('%p is no list of elements', (elements) => {
    expect(elementsChain(elements as never)).toBeNull();
  });
});

describe('memory of groups', () => {
  const long = fc.constantFrom(0, 10, 5_000, 60_000).map((length) => 'v'.repeat(length));
  const sent = fc.record(
    {
      $window_id: long,
      $current_url: long.map((text) => `https://shop.example/${text}`),
      title: long,
      $raw_user_agent: long,
      $referrer: long,
      $active_feature_flags: fc.array(long, { maxLength: 3 }),
      $elements: fc.array(fc.record({ tag_name: fc.constant('a'), $el_text: long }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );

  it('changes nothing of what is made', () => {
    const context = testContext();
    fc.assert(
      fc.property(sent, (properties) => {
        const raw = { event: '$pageview', distinct_id: 'visitor', properties };
        expect(finished(structuredClone(raw), context).groups).toEqual(finished(structuredClone(raw)).groups);
      }),
      { numRuns: 50 },
    );
  });

  it('is bounded in bytes', () => {
    const usage = { bytes: 0 };
    const context = { ...testContext(), cache: createGroupCache(usage) };
    const samples = fc.sample(sent, { numRuns: 50, seed: 1 });
    let total = 0;
    for (let at = 0; at < 2_000; at++) {
      const properties = { ...samples[at % samples.length], title: `${at} `.padEnd(20_000, 't') };
      total += properties.title.length;
      finished({ event: '$pageview', distinct_id: `visitor ${at}`, properties }, context);
      expect(usage.bytes).toBeLessThanOrEqual(45 * 1024 * 1024);
    }
    expect(2 * total).toBeGreaterThan(45 * 1024 * 1024);
  });
});
