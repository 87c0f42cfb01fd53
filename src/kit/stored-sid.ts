import { createHash } from 'node:crypto';

/** What a sign-in session is stored under: a hash of the id in its cookie, so that a copy of the table signs nobody in. */
export function storedSid(sid: string): string {
  return createHash('sha256').update(sid).digest('hex');
}
