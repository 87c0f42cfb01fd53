/**
 * The client's address by trusted proxies: the only code that trusts headers. Each proxy appends the address of its
 * peer, so the last entries are those of our own proxies, and earlier ones may be forged.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import forwardedParse from 'forwarded-parse';
import type { Config } from '#src/config.ts';
import { plainAddress } from '#src/kit/address.ts';

export type ProxySettings = Pick<Config, 'TRUST_PROXY' | 'CLIENT_IP_HEADER'>;

/** Returns a request's client address; undefined after a disconnect. */
export type ClientAddress = (req: Pick<IncomingMessage, 'socket' | 'headers'>) => string | undefined;

export function clientAddress(settings: ProxySettings): ClientAddress {
  const { TRUST_PROXY: trusted } = settings;
  if (trusted === 0) return ({ socket }) => socket.remoteAddress;
  return ({ socket, headers }) => {
    const stated = statedAddress(settings, headers);
    if (stated !== null) return stated;
    const chain = forwardedChain(settings, headers);
    return chain.length === 0 ? socket.remoteAddress : chain[Math.max(0, chain.length - trusted)];
  };
}

/** From CLIENT_IP_HEADER; null without it, without a trusted proxy, or when it holds no address. */
export function statedAddress(
  { TRUST_PROXY, CLIENT_IP_HEADER: name }: ProxySettings,
  headers: IncomingHttpHeaders,
): string | null {
  if (name === undefined || TRUST_PROXY === 0 || name === 'forwarded' || name === 'x-forwarded-for') return null;
  return addressOfHeader(headers, name);
}

/** Parses a header with one address. When it was sent twice, the last is the proxy's. */
export function addressOfHeader(headers: IncomingHttpHeaders, name: string): string | null {
  const last = textOf(headers, name).split(',').at(-1) as string;
  return plainAddress(last);
}

/**
 * Peers of the proxies, the client first. Entries without an address are kept. From `X-Forwarded-For`, unless CLIENT_IP_HEADER is
 * `Forwarded`: the other header may be forged by the client.
 */
export function forwardedChain({ CLIENT_IP_HEADER: name }: ProxySettings, headers: IncomingHttpHeaders): string[] {
  return name === 'forwarded' ? standardChain(headers) : plain(listed(textOf(headers, 'x-forwarded-for')));
}

/** Parses `Forwarded`; empty when malformed. @see RFC 7239 */
export function standardChain(headers: IncomingHttpHeaders): string[] {
  const text = textOf(headers, 'forwarded');
  if (text === '') return [];
  try {
    return plain(forwardedParse(text).map((entry) => entry['for'] ?? 'unknown'));
  } catch {
    // A client may have opened a quote that swallows what our proxies appended.
    return [];
  }
}

function plain(entries: readonly string[]): string[] {
  return entries.map((entry) => plainAddress(entry) ?? entry);
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function textOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}
