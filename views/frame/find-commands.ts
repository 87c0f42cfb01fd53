/** Finds commands by a few typed letters. Pure. */

import { searchable } from '#src/kit/search/values.ts';

export interface Findable {
  text: string;
  group: string;
  /** Further words that find it. */
  keywords?: string;
}

/** Words between those that are looked for, in all languages. */
const fillers = new Set(
  'a an the my our of for in on to how do i o os as um uma meu minha de da do dos das para no na em como e and'.split(
    ' ',
  ),
);

/**
 * Commands that contain every typed word, ignoring accents and case; matches in their own text first, then matches at
 * the start of a word.
 */
export function findCommands<Command extends Findable>(commands: readonly Command[], typed: string): Command[] {
  const wanted = wordsOf(typed);
  if (wanted.length === 0) return [...commands];
  const rated = commands.flatMap((command) => {
    const own = ` ${plain(`${command.text} ${command.group}`)}`;
    const all = command.keywords === undefined ? own : `${own} ${plain(command.keywords)}`;
    // Within a keyword few letters mean nothing.
    if (!wanted.every((word) => own.includes(word) || all.includes(` ${word}`))) return [];
    const starts = wanted.filter((word) => own.includes(` ${word}`)).length;
    return [{ command, isNamed: wanted.every((word) => own.includes(word)), starts }];
  });
  return rated
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.starts - a.starts)
    .map(({ command }) => command);
}

/** Typed words without stop words, unless there are only those. */
function wordsOf(typed: string): string[] {
  const words = plain(typed).split(' ').filter(Boolean);
  const telling = words.filter((word) => !fillers.has(word));
  return telling.length > 0 ? telling : words;
}

/** "A/B" is one word, though its letters alone are fillers. */
function plain(text: string): string {
  return searchable(text)
    .replaceAll(/\ba\/b\b/g, 'ab')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
