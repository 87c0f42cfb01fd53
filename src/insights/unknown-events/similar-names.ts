/** Suggests names for a misspelt one. Pure. */
import { distance } from 'fastest-levenshtein';

const MAX_SUGGESTIONS = 3;
/** Edits allowed: one for each three characters, so that short names do not suggest unrelated ones. */
const CHARACTERS_PER_EDIT = 3;
const MAX_EDITS = 4;
/** Shorter texts are part of too many names. */
const MIN_PART_LENGTH = 4;

/** Names spelled like `asked`, the most similar first. @param known most important first: decides between equally similar names */
export function similarNames(asked: string, known: readonly string[]): string[] {
  const folded = fold(asked);
  return known
    .flatMap((name) => {
      const rank = differenceOf(folded, fold(name));
      return rank === null ? [] : { name, rank };
    })
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

/** Number of edits; null when the names have too little in common. */
function differenceOf(asked: string, name: string): number | null {
  const longest = Math.max(asked.length, name.length);
  const edits = distance(asked, name);
  if (edits <= Math.min(MAX_EDITS, Math.max(1, Math.floor(longest / CHARACTERS_PER_EDIT)))) return edits;
  const [short, long] = asked.length < name.length ? [asked, name] : [name, asked];
  return short.length >= MIN_PART_LENGTH && long.includes(short) ? edits : null;
}

/** `$Sign-Up` and `sign_up` are one spelling: letters and digits, without case and accents. */
function fold(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, '') || plain;
}
