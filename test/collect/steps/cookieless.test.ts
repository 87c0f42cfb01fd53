import { dayIn, rootDomain } from '#src/collect/steps/cookieless.ts';
import { eventMarks } from '#src/events/contract.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { CHROME, dropOf, finished, NOW, testContext } from '../context.ts';

const salts = new Map([
  ['2026-11-18', Buffer.alloc(32, 1)],
  ['2026-11-19', Buffer.alloc(32, 2)],
]);
const raw = (properties: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  event: '$pageview',
  distinct_id: '$posthog_cookieless',
  properties: {
    $lib: 'web',
    $cookieless_mode: true,
    $device_id: null,
    $host: 'www.loja.example',
    $raw_user_agent: CHROME,
    ...properties,
  },
  ...more,
});
const context = (overrides: Parameters<typeof testContext>[0] = {}) => testContext({ salts, ...overrides });

describe('visitors without storage', () => {
  it('are a hash of the day, and nothing else is kept of them', () => {
    const event = finished(raw(), context());
    expect(event.distinctId).toMatch(/^cookieless_[\w-]{22}$/);
    expect(event.marks).toBe(eventMarks.cookieless | eventMarks.personless);
    expect(event.person.process).toBe(false);
    expect(event.groups.geo).toEqual({ $geoip_country_code: 'BR' });
    expect(JSON.stringify(event)).not.toMatch(/177\.32|Mozilla|posthog_cookieless|cookieless_mode|device_id/);
    expect(event.groups.device).toMatchObject({ $browser: 'Chrome' });
  });

  it('stay nobody once they have signed in', () => {
    const signedIn = {
      ...{
        distinct_id: 'ana@loja.example',
        token: 'lnt_a',
        $user_id: 'ana@loja.example',
        $anon_distinct_id: 'ana@loja.example',
      },
      ...{ alias: 'ana@loja.example', $set: { email: 'ana@loja.example' }, $set_once: { first: 'ana@loja.example' } },
    };
    for (const event of ['$pageview', '$set', 'order']) {
      const beside = { event, $set: { email: 'ana@loja.example' }, distinct_id: 'ana@loja.example' };
      for (const at of [beside, { ...beside, distinct_id: '$posthog_cookieless' }]) {
        const signed = finished(raw(signedIn, at), context());
        expect(JSON.stringify(signed)).not.toContain('ana@');
        expect(signed.person).toEqual({
          process: false,
          set: {},
          setOnce: {},
          unset: [],
          identify: false,
          merge: null,
        });
      }
    }
    const known = finished({ properties: { $user_id: 'u', $anon_distinct_id: 'x', alias: 'y' } }).properties;
    expect(known).toEqual({ $user_id: 'u', $anon_distinct_id: 'x', alias: 'y' });
  });

  it('are the same on the same day, on all hosts of a site', () => {
    const one = finished(raw(), context()).distinctId;
    expect(finished(raw({ $host: 'blog.loja.example:8080', x: 1 }), context()).distinctId).toBe(one);
    expect(finished(raw({}, { distinct_id: 'whatever' }), context()).distinctId).toBe(one);
  });

  it.each([
    ['another address', context({ facts: { address: '177.32.5.10' } }), raw()],
    ['another browser', context(), raw({ $raw_user_agent: 'Mozilla/5.0 Firefox/140' })],
    ['another site', context(), raw({ $host: 'outra.example' })],
    ['another project', { ...context(), project: { ...context().project, id: 8 } }, raw()],
    ['another day', context(), raw({}, { timestamp: new Date(NOW - 86_400_000).toISOString() })],
  ])('are others for %s', (_name, other, event) => {
    expect(finished(event, other).distinctId).not.toBe(finished(raw(), context()).distinctId);
  });

  it('are distinguished by the address in the event, which overrides the connection’s', () => {
    const at = (address: string | null, properties: JsonObject = {}) =>
      finished(raw(properties), context({ facts: { address } })).distinctId;
    expect(at('10.0.0.1', { $ip: '177.32.5.9' })).toBe(at('177.32.5.9'));
    expect(at('10.0.0.1', { $ip: '177.32.5.10' })).not.toBe(at('177.32.5.9'));
    expect(at('10.0.0.1', { $ip: '::ffff:177.32.5.9', $lib: 'posthog-node' })).toBe(at('177.32.5.9'));
    expect(at('10.0.0.1', { $ip: 'nowhere' })).toBe(at('10.0.0.1'));
    expect(at('10.0.0.1', { $lib: 'web-analytics-server' })).not.toBe(at('10.0.0.2', { $lib: 'web-analytics-server' }));
  });

  it('belong to the day of the project’s zone', () => {
    const night = { receivedAt: Date.UTC(2026, 10, 20, 1), sentAt: null }; // 22:00 of the 19th in São Paulo
    expect(dropOf(raw(), context({ facts: night }))).toBeNull();
    expect(dropOf(raw(), context({ facts: night, timeZone: 'UTC' }))).toBe('cookieless_late');
  });

  it('of a day whose secret is gone are dropped', () => {
    expect(dropOf(raw({}, { timestamp: new Date(NOW - 2 * 86_400_000).toISOString() }), context())).toBe(
      'cookieless_late',
    );
  });

  it('a few hours ahead belong to today', () => {
    const ahead = raw({}, { timestamp: new Date(NOW + 20 * 3_600_000).toISOString() });
    expect(dropOf(ahead, context({ facts: { sentAt: null } }))).toBeNull();
  });

  it('are dropped where the project does not want them', () => {
    expect(dropOf(raw(), context({ settings: { cookieless: false } }))).toBe('cookieless_off');
  });

  it.each(['$identify', '$create_alias', '$merge_dangerously'])('cannot be tied to a person by %s', (event) => {
    expect(dropOf({ ...raw(), event }, context())).toBe('cookieless_identity');
  });

  it('get different uuids for the same moment and content', () => {
    const at = { timestamp: new Date(NOW).toISOString() };
    const one = finished(raw({}, at), context()).uuid;
    expect(finished(raw({}, at), context({ facts: { address: '10.0.0.1' } })).uuid).not.toBe(one);
    expect(finished(raw({}, at), context()).uuid).toBe(one);
  });
});

it.each([
  ['www.loja.example', 'loja.example'],
  ['a.b.exemplo.com.br:3000', 'exemplo.com.br'],
  ['exemplo.com.br', 'exemplo.com.br'],
  ['shop.example.co.uk', 'example.co.uk'],
  ['localhost:3000', 'localhost'],
  ['192.168.0.1:80', '192.168.0.1'],
  ['[::1]:80', '[::1]'],
  ['', ''],
])('the site of %s is %s', (host, site) => {
  expect(rootDomain(host)).toBe(site);
});

it('days are those of the zone', () => {
  expect(dayIn('America/Sao_Paulo', Date.UTC(2026, 10, 20, 2, 30))).toBe('2026-11-19');
  expect(dayIn('Asia/Kathmandu', Date.UTC(2026, 10, 19, 18, 20))).toBe('2026-11-20');
});
