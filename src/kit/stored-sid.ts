import { createHash } from 'node:crypto';

/** Key of a stored session: a hash of the id in its cookie, so that a leaked table grants no access. */
export function storedSid(sid: string): string {
  return createHash('sha256').update(sid).digest('hex');
}
