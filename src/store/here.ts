/** Detects a database on this machine. */
import type { Config } from '#src/config.ts';
import { isLoopback } from '#src/kit/loopback.ts';

/** True for a socket or loopback address: the database shares this machine's disks. */
export function isDatabaseHere({ DATABASE_URL }: Pick<Config, 'DATABASE_URL'>): boolean {
  const { hostname, searchParams } = new URL(DATABASE_URL);
  const host = decodeURIComponent(searchParams.get('host') ?? hostname);
  return host === '' || host.startsWith('/') || isLoopback(host);
}
