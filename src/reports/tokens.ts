/** Tokens of links in mails to readers. Only their hashes are stored. */
import { createHash, randomBytes } from 'node:crypto';

/** 192 bits. */
const TOKEN_BYTES = 24;

/** What looks like a token: others are not looked up. */
export const TOKEN = /^[\w-]{32}$/;

export function newToken(): { token: string; hash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashOf(token) };
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
