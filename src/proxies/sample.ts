/**
 * A sample of visitors by assigned address, over the last half hour to hour, to detect misconfigurations. Bounded: one
 * small record per visitor, for the first ones of each half hour. Repeated requests count once.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';
import { isPublicAddress } from '#src/kit/address.ts';
import { addressOfHeader, forwardedChain, type ProxySettings, standardChain, statedAddress } from './client-address.ts';
import type { ProxyProblem } from './contract.ts';

/** A request with events. */
export interface Sighting {
  headers: IncomingHttpHeaders;
  /** The client's, as `clientAddress` gives it. */
  address: string;
  /** Distinguishes visitors independently of their address. */
  visitor: string;
}

export interface Sample {
  /** Cheap for a visitor who is in the sample already, and when it is full. */
  add(sighting: Sighting): void;
  problem(): ProxyProblem | null;
}

interface Visitor {
  address: string;
  /** That the request passed, by the list of addresses. */
  proxies: number;
  /**
   * A public address before the trusted one: `surely` when the trusted one is private, `maybe` when it is
   * public, since visitors behind a company proxy look the same.
   */
  hidden: 'surely' | 'maybe' | null;
  /** Entries of the list, without those of the visitor's own network; null: the address is not read from the list. */
  listed: number | null;
  /** Name of a header that the settings do not read, and that holds another public address. */
  header: string | null;
}

const HALF_MS = 30 * 60_000;
const MAX_VISITORS = 500;
const MAX_KEY = 200;
/** One private address may be of a visitor in the same network who sends a header by themselves. */
const SURE_SHARE = 0.2;
const MAYBE_SHARE = 0.8;
const MIN_MAYBE = 3;
const SAME_SHARE = 0.95;
const MIN_SAME = 20;
/** The largest TRUST_PROXY. */
const MAX_PROXIES = 10;

/** Headers with a single client address of CDNs and proxies. */
const KNOWN_HEADERS = [
  'CF-Connecting-IP',
  'True-Client-IP',
  'Fastly-Client-IP',
  'Fly-Client-IP',
  'CloudFront-Viewer-Address',
  'X-Azure-ClientIP',
  'X-Real-IP',
  'X-Client-IP',
];

/** @param elapsed ms of a clock that never goes back */
export function createSample(settings: ProxySettings, elapsed: () => number): Sample {
  let current = new Map<string, Visitor>();
  let previous = new Map<string, Visitor>();
  let since = elapsed();

  function turn(): void {
    const now = elapsed();
    if (now - since < HALF_MS) return;
    previous = now - since < 2 * HALF_MS ? current : new Map();
    current = new Map();
    since = now;
  }

  return {
    add({ headers, address, visitor }) {
      turn();
      const agent = headers['user-agent'] ?? '';
      if (current.size >= MAX_VISITORS || !agent.startsWith('Mozilla/')) return;
      const key = `${visitor.slice(0, MAX_KEY)} ${agent.slice(0, MAX_KEY)}`;
      if (current.has(key) || isbot(agent)) return;
      current.set(key, visitorOf(settings, headers, address));
    },
    problem() {
      turn();
      return problemOf(settings.TRUST_PROXY, [...new Map([...previous, ...current]).values()]);
    },
  };
}

function visitorOf(settings: ProxySettings, headers: IncomingHttpHeaders, address: string): Visitor {
  const chain = chainOf(settings, headers);
  const firstPublic = chain.entries.findIndex(isPublicAddress);
  const isStated = statedAddress(settings, headers) !== null;
  const isHidden = !isStated && firstPublic !== -1 && firstPublic < chain.entries.length - chain.read;
  const other = KNOWN_HEADERS.find((name) => {
    const stated = addressOfHeader(headers, name.toLowerCase());
    return stated !== null && stated !== address && isPublicAddress(stated);
  });
  return {
    address,
    // Private addresses before it are of the visitor's own network.
    proxies: firstPublic === -1 ? 0 : chain.entries.length - firstPublic,
    hidden: isHidden ? (isPublicAddress(address) ? 'maybe' : 'surely') : null,
    listed: isStated ? null : chain.entries.length - Math.max(0, firstPublic),
    header: isHidden ? chain.header : (other ?? null),
  };
}

/** The forwarded chain, the number of trusted entries at its end, and the header's name when the settings ignore it. */
function chainOf(settings: ProxySettings, headers: IncomingHttpHeaders) {
  const entries = forwardedChain(settings, headers);
  if (entries.length > 0) return { entries, read: settings.TRUST_PROXY, header: null };
  return { entries: standardChain(headers), read: 0, header: 'Forwarded' };
}

function problemOf(trusted: number, visitors: readonly Visitor[]): ProxyProblem | null {
  const hidden = visitors.filter((visitor) => visitor.hidden !== null);
  const sure = hidden.filter((visitor) => visitor.hidden === 'surely');
  const isSure = sure.length > 0 && sure.length >= SURE_SHARE * visitors.length;
  // By address, too: one client with forged headers must not cause a warning that suggests to trust more.
  const isMost =
    hidden.length >= MAYBE_SHARE * visitors.length && addressesOf(hidden) >= MAYBE_SHARE * addressesOf(visitors);
  if (isSure || (hidden.length >= MIN_MAYBE && isMost)) {
    const { value: proxies } = mostFrequent(hidden.map((visitor) => visitor.proxies));
    const { value: header } = mostFrequent(hidden.map((visitor) => visitor.header));
    return { kind: 'untrusted', trusted, proxies: Math.min(MAX_PROXIES, proxies), header };
  }
  if (visitors.length < MIN_SAME) return null;
  const { value: address, times: same } = mostFrequent(visitors.map((visitor) => visitor.address));
  if (same < SAME_SHARE * visitors.length) return excessOf(trusted, visitors);
  const headers = visitors.flatMap((visitor) => (visitor.address === address ? (visitor.header ?? []) : []));
  const header = headers.length < SAME_SHARE * same ? null : mostFrequent(headers).value;
  return { kind: 'oneAddress', trusted, visitors: visitors.length, same, header };
}

/** Some lists are longer than proxies make them: visitors can write into them. */
function excessOf(trusted: number, visitors: readonly Visitor[]): ProxyProblem | null {
  const lists = visitors.flatMap(({ listed }) => listed ?? []);
  const short = lists.filter((entries) => entries < trusted);
  if (lists.length < MIN_SAME || short.length < SAME_SHARE * lists.length) return null;
  return { kind: 'excess', trusted, proxies: mostFrequent(short).value };
}

function addressesOf(visitors: readonly Visitor[]): number {
  return new Set(visitors.map(({ address }) => address)).size;
}

/** @param values at least one */
function mostFrequent<T>(values: readonly T[]): { value: T; times: number } {
  const counts = new Map<T, number>();
  let best = { value: values[0] as T, times: 0 };
  for (const value of values) {
    const times = (counts.get(value) ?? 0) + 1;
    counts.set(value, times);
    if (times > best.times) best = { value, times };
  }
  return best;
}
