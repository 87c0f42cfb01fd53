/**
 * Tokens of links, and the ticket of a reader who knew the password. A token is made of a random seed that is stored, and of a key of this
 * server that is not: members see it again, and a dump of the database opens nothing.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** 192 bits. */
const TOKEN_BYTES = 24;

/** What looks like a token: others are not looked up. */
export const TOKEN = /^[\w-]{32}$/;

export function tokenOf(key: Buffer, seed: string): string {
  return createHmac('sha256', key).update(`token ${seed}`).digest().subarray(0, TOKEN_BYTES).toString('base64url');
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** How long a password is not asked for again. */
export const TICKET_MS = 4 * 3_600_000;

interface TicketOf {
  /** Of the link's token: a rotated link has other tickets. */
  hash: string;
  /** Stored hash of the password: another password has other tickets. */
  password: string;
}

export function ticketOf(key: Buffer, of: TicketOf, now: number): string {
  const until = now + TICKET_MS;
  return `${until}.${signatureOf(key, of, until)}`;
}

export function isTicket(keys: readonly Buffer[], of: TicketOf, ticket: string, now: number): boolean {
  const [until = '', signature = ''] = ticket.split('.');
  if (!/^\d{1,16}$/.test(until) || Number(until) < now) return false;
  const given = Buffer.from(signature);
  return keys.some((key) => {
    const right = Buffer.from(signatureOf(key, of, Number(until)));
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

function signatureOf(key: Buffer, { hash, password }: TicketOf, until: number): string {
  return createHmac('sha256', key).update(`ticket ${hash} ${password} ${until}`).digest('base64url');
}
