/** Generated ways through proxies: which address a request gets, and what is said when the settings do not fit. */
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { isPublicAddress, plainAddress } from '#src/kit/address.ts';
import { createProcesses } from '#src/processes/processes.ts';
import { clientAddress, type ProxySettings } from '#src/proxies/client-address.ts';
import { createProxies } from '#src/proxies/proxies.ts';
import { createSample } from '#src/proxies/sample.ts';
import { testDeps } from '#test/kit/deps.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
const runs = { numRuns: 300 };

const publicV4 = fc
  .tuple(fc.integer({ min: 11, max: 99 }), fc.nat(255), fc.nat(255), fc.nat(255))
  .map((parts) => parts.join('.'));
const publicV6 = fc
  .tuple(fc.nat(0xffff), fc.nat(0xffff))
  .map(([a, b]) => `2001:db8::${a.toString(16)}:${b.toString(16)}`);
const privateAddress = fc.oneof(
  fc.tuple(fc.nat(255), fc.nat(255)).map(([a, b]) => `10.${a}.${b}.7`),
  fc.nat(255).map((a) => `192.168.${a}.7`),
  fc.constant('::1'),
);
const anyAddress = fc.oneof(publicV4, publicV6, privateAddress);
const forged = fc.array(fc.oneof(anyAddress, fc.constantFrom('unknown', 'nonsense', '_hidden')), { maxLength: 4 });

/** How a proxy may write an address into X-Forwarded-For. */
const written = (address: string, withPort: boolean) => {
  if (!withPort) return address;
  return address.includes(':') ? `[${address}]:4711` : `${address}:4711`;
};
/** And into Forwarded. */
const quoted = (address: string, withPort: boolean) =>
  address.includes(':') || withPort ? `for="${written(address, withPort || address.includes(':'))}"` : `for=${address}`;

const addressOf = (settings: ProxySettings, headers: IncomingMessage['headers'], peer = '10.9.9.9') =>
  clientAddress(settings)({ headers, socket: { remoteAddress: peer } as IncomingMessage['socket'] });

describe('the address of a client', () => {
  it('is what the outermost trusted proxy saw, regardless of the client’s headers', () => {
    fc.assert(
      fc.property(
        forged,
        anyAddress,
        fc.array(anyAddress, { maxLength: 3 }),
        fc.boolean(),
        fc.constantFrom('x-forwarded-for', 'forwarded'),
        (invented, client, between, withPort, name) => {
          const write = name === 'forwarded' ? quoted : written;
          const list = [
            ...invented.map((text) => write(text, false)),
            ...[client, ...between].map((each) => write(each, withPort)),
          ];
          const settings = { TRUST_PROXY: between.length + 1, CLIENT_IP_HEADER: name };
          expect(addressOf(settings, { [name]: list.join(', ') })).toBe(plainAddress(client));
          expect(addressOf({ TRUST_PROXY: 0 }, { [name]: list.join(', ') })).toBe('10.9.9.9');
        },
      ),
      runs,
    );
  });

  it('is that of CLIENT_IP_HEADER behind a trusted proxy, and without it that of the chain', () => {
    fc.assert(
      fc.property(anyAddress, publicV4, forged, (client, edge, invented) => {
        const settings = { TRUST_PROXY: 1, CLIENT_IP_HEADER: 'cf-connecting-ip' };
        const chain = { 'x-forwarded-for': [...invented, edge].join(', ') };
        expect(addressOf(settings, { ...chain, 'cf-connecting-ip': client })).toBe(plainAddress(client));
        // Sent by the client as well: the proxy's own stands last.
        expect(addressOf(settings, { ...chain, 'cf-connecting-ip': `${edge}, ${client}` })).toBe(plainAddress(client));
        expect(addressOf(settings, { ...chain, 'cf-connecting-ip': 'nonsense' })).toBe(edge);
        expect(addressOf(settings, chain)).toBe(edge);
        expect(addressOf({ ...settings, TRUST_PROXY: 0 }, { 'cf-connecting-ip': client })).toBe('10.9.9.9');
      }),
      runs,
    );
  });

  it('is read from Forwarded only where that is set, and never from what a client has broken', () => {
    const chains = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=198.51.100.4;proto=https' };
    const standard = { TRUST_PROXY: 1, CLIENT_IP_HEADER: 'forwarded' };
    expect(addressOf({ TRUST_PROXY: 1 }, chains)).toBe('203.0.113.9');
    expect(addressOf({ TRUST_PROXY: 1 }, { forwarded: chains.forwarded })).toBe('10.9.9.9');
    expect(addressOf(standard, chains)).toBe('198.51.100.4');
    for (const text of ['for="203.0.113.9, for=198.51.100.4', 'for=;, for=198.51.100.4', '=', ';'])
      expect(addressOf(standard, { forwarded: text })).toBe('10.9.9.9');
    expect(addressOf(standard, { forwarded: 'proto=https, by=10.0.0.1' })).toBe('unknown');
  });

  it.each(['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.1.1', '172.16.0.1', '192.168.0.1', '::', '::1'])(
    '%s is not public',
    (address) => expect(isPublicAddress(address)).toBe(false),
  );
});

/** Visitors from the Internet, or out of a company whose own proxy names their private address. */
const visitorOf = fc.record({ address: fc.oneof(publicV4, publicV6), inside: fc.option(privateAddress, { freq: 3 }) });
const crowd = fc.uniqueArray(visitorOf, { minLength: 25, maxLength: 60, selector: ({ address }) => address });

/** What arrives at Luneta behind proxies: the last of them on a private network, or all on the Internet. */
function arriveBy(edges: readonly string[], visitors: readonly { address: string; inside: string | null }[]) {
  return visitors.map(({ address, inside }) => {
    const [peer, ...others] = edges.toReversed();
    const passed = peer === undefined ? [] : [address, ...others.toReversed()];
    const chain = [...(inside === null ? [] : [inside]), ...passed];
    const headers = chain.length === 0 ? {} : { 'x-forwarded-for': chain.join(', ') };
    return { headers: { 'user-agent': BROWSER, ...headers }, peer: peer ?? address };
  });
}

type Arrival = ReturnType<typeof arriveBy>[number];

function problemAfter(settings: ProxySettings, arrivals: readonly Arrival[], times = 1) {
  const sample = createSample(settings, () => 0);
  for (let round = 0; round < times; round++) {
    arrivals.forEach(({ headers, peer }, number) => {
      const address = addressOf(settings, headers, peer) ?? '';
      sample.add({ headers, address, visitor: `visitor ${number}` });
    });
  }
  return sample.problem();
}

describe('a problem', () => {
  it('is named with the number of proxies when fewer or more are trusted, and not when all are', () => {
    fc.assert(
      fc.property(
        fc.array(publicV4, { maxLength: 2 }),
        fc.oneof(publicV4, privateAddress),
        crowd,
        fc.nat(4),
        (edges, last, visitors, trusted) => {
          const proxies = [...edges, last];
          const problem = problemAfter({ TRUST_PROXY: trusted }, arriveBy(proxies, visitors));
          if (trusted === proxies.length) expect(problem).toBeNull();
          else if (trusted > proxies.length)
            expect(problem).toEqual({ kind: 'excess', trusted, proxies: proxies.length });
          else expect(problem).toEqual({ kind: 'untrusted', trusted, proxies: proxies.length, header: null });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is none without proxies', () => {
    fc.assert(
      fc.property(crowd, (visitors) => expect(problemAfter({ TRUST_PROXY: 0 }, arriveBy([], visitors))).toBeNull()),
      { numRuns: 50 },
    );
  });

  const many = Array.from({ length: 40 }, (_, number) => ({ address: `81.2.69.${number}`, inside: null }));

  it('is seen with the first visitor, where the address believed is private', () => {
    const first = arriveBy(['10.0.0.1'], many.slice(0, 1));
    expect(problemAfter({ TRUST_PROXY: 0 }, first)).toEqual({
      kind: 'untrusted',
      trusted: 0,
      proxies: 1,
      header: null,
    });
    // Of a public one it takes more than one: a visitor may be behind a proxy of their own.
    const edge = arriveBy(['203.0.113.1', '10.0.0.1'], many);
    expect(problemAfter({ TRUST_PROXY: 1 }, edge.slice(0, 2))).toBeNull();
    expect(problemAfter({ TRUST_PROXY: 1 }, edge.slice(0, 3))).toEqual({
      kind: 'untrusted',
      trusted: 1,
      proxies: 2,
      header: null,
    });
  });

  it('is one address for nearly all, where no header counts proxies; a known header is named', () => {
    const silent = many.map(() => ({ headers: { 'user-agent': BROWSER }, peer: '10.0.0.1' }));
    const problem = { kind: 'oneAddress', trusted: 1, visitors: 40, same: 40, header: null };
    expect(problemAfter({ TRUST_PROXY: 1 }, silent)).toEqual(problem);
    expect(problemAfter({ TRUST_PROXY: 1 }, silent.slice(0, 19))).toBeNull();
    const stated = many.map(({ address }) => ({
      headers: { 'user-agent': BROWSER, 'cf-connecting-ip': address },
      peer: '10.0.0.1',
    }));
    expect(problemAfter({ TRUST_PROXY: 1 }, stated)).toEqual({ ...problem, header: 'CF-Connecting-IP' });
    expect(problemAfter({ TRUST_PROXY: 1, CLIENT_IP_HEADER: 'cf-connecting-ip' }, stated)).toBeNull();
  });

  it('is Forwarded that no setting names', () => {
    const standard = many.map(({ address }) => ({
      headers: { 'user-agent': BROWSER, forwarded: `for=${address}` },
      peer: '10.0.0.1',
    }));
    const problem = { kind: 'untrusted', proxies: 1, header: 'Forwarded' };
    for (const trusted of [0, 1])
      expect(problemAfter({ TRUST_PROXY: trusted }, standard)).toEqual({ ...problem, trusted });
    expect(problemAfter({ TRUST_PROXY: 1, CLIENT_IP_HEADER: 'forwarded' }, standard)).toBeNull();
  });

  it('is not made by one sender with forged headers, bots, or repetitions', () => {
    const real = arriveBy(['10.0.0.1'], many.slice(0, 5));
    const forger = Array.from({ length: 200 }, (_, number) => ({
      headers: { 'user-agent': BROWSER, 'x-forwarded-for': `1.2.3.${number}, 203.0.113.66` },
      peer: '10.0.0.1',
    }));
    expect(problemAfter({ TRUST_PROXY: 1 }, [...real, ...forger.slice(0, 60)])).toBeNull();
    const bot = { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }, peer: '66.249.66.1' };
    expect(problemAfter({ TRUST_PROXY: 0 }, new Array(100).fill(bot))).toBeNull();
    expect(
      problemAfter({ TRUST_PROXY: 0 }, [{ headers: { 'user-agent': BROWSER }, peer: '10.0.0.1' }], 100),
    ).toBeNull();
  });

  it('is forgotten after an hour, and found among a bounded number of visitors', () => {
    let now = 0;
    const sample = createSample({ TRUST_PROXY: 0 }, () => now);
    const headers = { 'user-agent': BROWSER };
    for (let visitor = 0; visitor < 5_000; visitor++)
      sample.add({ headers, address: '10.0.0.1', visitor: `${visitor}` });
    expect(sample.problem()).toMatchObject({ kind: 'oneAddress', visitors: 500 });
    now = 31 * 60_000;
    expect(sample.problem()).not.toBeNull();
    now = 70 * 60_000;
    expect(sample.problem()).toBeNull();
  });

  it('is logged once', async () => {
    const lines: string[] = [];
    const deps = testDeps(undefined, { config: { TRUST_PROXY: 0 } });
    const log = { ...deps.log, warn: (facts: object) => void lines.push(JSON.stringify(facts)) } as typeof deps.log;
    const processes = createProcesses(deps);
    const proxies = createProxies({ ...deps, log }, processes);
    const headers = { 'user-agent': BROWSER, 'x-forwarded-for': '81.2.69.1' };
    proxies.note({ headers, address: '10.0.0.1', visitor: 'a' });
    const said = [1, 2, 3].map(() => processes.reportNow('proxies').says);
    expect(said).toEqual(new Array(3).fill({ kind: 'untrusted', trusted: 0, proxies: 1, header: null }));
    expect(lines).toEqual(['{"kind":"untrusted","trusted":0,"proxies":1,"header":null}']);
    await deps.close();
  });
});
