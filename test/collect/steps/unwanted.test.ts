/** What a project does not want stored, and what it wants left out of its numbers. */
import { withInternalMark } from '#src/collect/steps/internal.ts';
import { eventMarks } from '#src/events/contract.ts';
import fc from '#test/kit/fast-check.ts';
import { CHROME, dropOf, finished, testContext } from '../context.ts';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const web = (properties: object = {}) => ({ properties: { $lib: 'web', $raw_user_agent: CHROME, ...properties } });

describe('browsers that ask not to be tracked', () => {
  const context = (asksNotToTrack: boolean, respectDnt: boolean) =>
    testContext({ facts: { asksNotToTrack }, settings: { respectDnt } });
  it('are respected where the project says so', () => {
    const event = { event: 'a', distinct_id: 'd' };
    expect(dropOf(event, context(true, true))).toBe('do_not_track');
    expect(dropOf(event, context(false, true))).toBeNull();
    expect(dropOf(event, context(true, false))).toBeNull();
  });
});

describe('views of what is no page', () => {
  const scheme = fc.constantFrom('file', 'about', 'data', 'blob', 'chrome-extension', 'moz-extension', 'view-source');
  const sent = (event: string, $current_url: string) => ({ event, distinct_id: 'd', ...web({ $current_url }) });

  it('are dropped, in any spelling; other events of them are kept', () => {
    fc.assert(
      fc.property(scheme, fc.boolean(), fc.string({ maxLength: 20 }), (name, isUpper, rest) => {
        const url = `${isUpper ? name.toUpperCase() : name}:${rest}`;
        expect(dropOf(sent('$pageview', url))).toBe('not_a_page');
        expect(dropOf(sent('$pageleave', url))).toBe('not_a_page');
        expect(dropOf(sent('purchase', url))).toBeNull();
      }),
    );
  });

  it.each([
    'https://shop.example/file:/a',
    'http://localhost:5173/about:blank',
    'capacitor://localhost/',
    'tauri://localhost/data',
    '/about',
    'filex:a',
  ])('are not confused with %s', (url) => {
    expect(dropOf(sent('$pageview', url))).toBeNull();
  });
});

describe('programs', () => {
  it('are flagged, or not stored', () => {
    expect(finished(web({ $raw_user_agent: BOT })).marks).toBe(eventMarks.bot);
    const context = testContext({ settings: { bots: 'dropped' } });
    expect(dropOf({ event: 'a', distinct_id: 'd', ...web({ $raw_user_agent: BOT }) }, context)).toBe('bot');
    expect(dropOf({ event: 'a', distinct_id: 'd', ...web() }, context)).toBeNull();
  });
});

describe('the team’s own traffic', () => {
  const INTERNAL = eventMarks.bot | eventMarks.internal;
  const marks = (settings: object, sent: object = {}, facts: object = {}, distinctId = 'd') =>
    finished({ distinct_id: distinctId, ...web(sent) }, testContext({ settings, facts })).marks;

  it.each([
    [['localhost'], 'localhost:5173', INTERNAL],
    [['localhost'], 'localhost', INTERNAL],
    [['localhost:3000'], 'localhost:5173', 0],
    [['*.preview.example'], 'branch-7.Preview.example', INTERNAL],
    [['*.preview.example'], 'preview.example', 0],
    [['shop.example'], 'notshop.example', 0],
  ])('is known by hosts %j: %s', (internalHosts, $host, expected) => {
    expect(marks({ internalHosts }, { $host })).toBe(expected);
    expect(marks({ internalHosts }, { $current_url: `https://${$host}/a` })).toBe(expected);
  });

  it.each([
    [['203.0.113.7'], '203.0.113.7', INTERNAL],
    [['203.0.113.0/24'], '203.0.113.255', INTERNAL],
    [['203.0.113.0/24'], '203.0.114.1', 0],
    [['2001:db8::/32'], '2001:db8:1::9', INTERNAL],
    [['2001:db8::/32'], '203.0.113.7', 0],
    [['no address'], '203.0.113.7', 0],
  ])('is known by addresses %j: %s', (internalAddresses, address, expected) => {
    expect(marks({ internalAddresses }, {}, { address })).toBe(expected);
  });

  it('is not detected by the address of a server that sends for others', () => {
    const facts = { address: '203.0.113.7' };
    expect(marks({ internalAddresses: ['203.0.113.7'] }, { $lib: 'posthog-node' }, facts)).toBe(0);
    expect(marks({ internalAddresses: ['203.0.113.7'] }, { $lib: 'posthog-node', $ip: '203.0.113.7' }, facts)).toBe(
      INTERNAL,
    );
  });

  it.each([
    [['@serrana.example'], 'Marina@Serrana.example', INTERNAL],
    [['@serrana.example'], 'marina@loja.serrana.example', 0],
    [['user-1'], 'user-1', INTERNAL],
    [['user-1'], 'user-11', 0],
  ])('is known by ids %j: %s', (internalIds, id, expected) => {
    expect(marks({ internalIds }, {}, {}, id)).toBe(expected);
  });

  it('is known of an event whose project was found later, by host and id', () => {
    const { settings } = testContext({ settings: { internalHosts: ['localhost'], internalIds: ['me'] } }).project;
    const event = finished(web({ $host: 'localhost:80' }));
    expect(withInternalMark(event, settings).marks).toBe(INTERNAL);
    expect(withInternalMark(finished({ distinct_id: 'me' }), settings).marks).toBe(INTERNAL);
    const other = finished(web({ $host: 'shop.example' }));
    expect(withInternalMark(other, settings)).toBe(other);
  });
});
