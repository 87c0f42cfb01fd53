/** Which headers cross the relay. */
import { headersForClient, headersForUpstream } from '#src/relay/headers.ts';

const client = { address: '203.0.113.7', host: 'shop.example', protocol: 'https' };

const path = '/batch/';

describe('headersForUpstream', () => {
  it('keeps what describes the message and states the client once', () => {
    const headers = {
      host: 'shop.example',
      'content-type': 'text/plain',
      'content-encoding': 'gzip',
      'content-length': '12',
      'user-agent': 'UA',
      origin: 'https://shop.example',
      referer: 'https://shop.example/a',
    };
    expect(headersForUpstream(headers, client, path)).toEqual({
      'content-type': 'text/plain',
      'content-encoding': 'gzip',
      'content-length': '12',
      'user-agent': 'UA',
      origin: 'https://shop.example',
      referer: 'https://shop.example/a',
      'x-forwarded-for': '203.0.113.7',
      'x-real-ip': '203.0.113.7',
      'x-forwarded-host': 'shop.example',
      'x-forwarded-proto': 'https',
    });
  });

  it.each([
    'cookie',
    'authorization',
    'proxy-authorization',
    'connection',
    'keep-alive',
    'transfer-encoding',
    'te',
    'upgrade',
    'forwarded',
    'x-forwarded-port',
    'true-client-ip',
    'cf-connecting-ip',
    'cf-connecting-ipv6',
    'cf-pseudo-ipv4',
    'x-real-ip',
    'x-client-ip',
    'x-cluster-client-ip',
    'fastly-client-ip',
    'fly-client-ip',
    'do-connecting-ip',
    'x-azure-clientip',
    'x-azure-socketip',
    'x-appengine-user-ip',
    'x-nf-client-connection-ip',
    'x-envoy-external-address',
    'x-original-forwarded-for',
    'x-vercel-forwarded-for',
  ])('drops %s', (name) => {
    expect(headersForUpstream({ [name]: 'x' }, { ...client, address: '' }, path)).not.toHaveProperty(name);
  });

  it.each([
    ['/i/v1/analytics/events', 'Bearer phc_0aZ', true],
    ['/i/v1/analytics/events/?compression=gzip', 'Bearer lnt_0aZ-_', true],
    ['/i/v1/analytics/events', 'Bearer phx_secret', false],
    ['/i/v1/analytics/events', 'Bearer phc_0aZ, Basic eDp5', false],
    ['/i/v1/analytics/events', 'Basic eDp5', false],
    ['/i/v1/analytics/events-of-others', 'Bearer phc_0aZ', false],
    ['/flags/definitions', 'Bearer phc_0aZ', false],
    ['/batch/', 'Bearer phc_0aZ', false],
  ])(
    'lets the public token of the newer server capture through, and no secret: %s %s',
    (path, authorization, passes) => {
      const { authorization: kept } = headersForUpstream({ authorization }, client, path);
      expect(kept).toBe(passes ? authorization : undefined);
    },
  );

  it('replaces a forged address and unmaps IPv4 in IPv6', () => {
    const kept = headersForUpstream(
      { 'x-forwarded-for': '6.6.6.6', 'x-real-ip': '6.6.6.6' },
      { ...client, address: '::ffff:192.0.2.1' },
      path,
    );
    expect(kept).toMatchObject({ 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1' });
  });

  it('drops what Connection names', () => {
    expect(
      headersForUpstream({ connection: 'close, X-Secret', 'x-secret': '1', 'x-other': '2' }, client, path),
    ).toMatchObject({ 'x-other': '2' });
    expect(headersForUpstream({ connection: 'X-Secret', 'x-secret': '1' }, client, path)).not.toHaveProperty(
      'x-secret',
    );
  });
});

describe('headersForClient', () => {
  it('passes the answer on without cookies and without rules for our origin', () => {
    const answer = {
      'content-type': 'application/json',
      'content-encoding': 'br',
      'access-control-allow-origin': 'https://shop.example',
      'set-cookie': ['a=1', 'b=2'],
      'strict-transport-security': 'max-age=1',
      'clear-site-data': '*',
      'service-worker-allowed': '/',
      'content-security-policy': "default-src * 'unsafe-inline'",
      connection: 'keep-alive',
      'transfer-encoding': 'chunked',
    };
    expect(headersForClient(answer)).toEqual({
      'content-type': 'application/json',
      'content-encoding': 'br',
      'access-control-allow-origin': 'https://shop.example',
      // Nothing of the upstream runs as a page of ours.
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });
});
