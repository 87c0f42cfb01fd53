/** IP addresses as text. Pure. */
import { BlockList, isIP } from 'node:net';

/** IPv4 within IPv6 as IPv4, without zone or port; null for what is no address. */
export function plainAddress(text: string): string | null {
  const trimmed = text.trim();
  const known = addressIn(trimmed);
  if (known !== null) return known;
  const [, version6, version4] = WITH_PORT.exec(trimmed) ?? [];
  return addressIn(version6 ?? version4 ?? '');
}

/** Address with a port, as some proxies send it. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

function addressIn(trimmed: string): string | null {
  const unmapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(trimmed)?.[1] ?? trimmed;
  const address = unmapped.split('%', 1)[0] as string;
  return isIP(address) === 0 ? null : address;
}

/** True for an address of the Internet: neither of this machine nor of a private network. @param address as `plainAddress` gives it */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !notPublic.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** @see IANA IPv4 and IPv6 Special-Purpose Address Registries */
const notPublic = new BlockList();
notPublic.addSubnet('0.0.0.0', 8);
notPublic.addSubnet('10.0.0.0', 8);
notPublic.addSubnet('100.64.0.0', 10);
notPublic.addSubnet('127.0.0.0', 8);
notPublic.addSubnet('169.254.0.0', 16);
notPublic.addSubnet('172.16.0.0', 12);
notPublic.addSubnet('192.168.0.0', 16);
notPublic.addSubnet('::', 127, 'ipv6');
notPublic.addSubnet('fc00::', 7, 'ipv6');
notPublic.addSubnet('fe80::', 10, 'ipv6');
