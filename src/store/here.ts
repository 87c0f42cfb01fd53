/** Whether the database runs on this machine. */
import type { Config } from '#src/config.ts';
import { isLoopback } from '#src/kit/loopback.ts';

/** By socket or loopback: its disk is one of this machine's. */
export function isDatabaseHere({ DATABASE_URL }: Pick<Config, 'DATABASE_URL'>): boolean {
  const { hostname, searchParams } = new URL(DATABASE_URL);
  const host = decodeURIComponent(searchParams.get('host') ?? hostname);
  return host === '' || host.startsWith('/') || isLoopback(host);
}
