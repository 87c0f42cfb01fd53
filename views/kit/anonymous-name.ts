/** Display name of an anonymous person. Pure. */
import type { Words } from '#views/words/en.ts';

/** "Anonymous 7f3a": enough to see that two rows are the same person. */
export function anonymousName(person: { uuid: string; distinctId?: string }, words: Words): string {
  return words.people.anonymous((person.uuid || person.distinctId || '').slice(-4));
}
