/** Finds commands by a few typed letters. Pure. */

import { searchable } from '#src/kit/search/values.ts';

/**
 * Those whose text holds every typed word, without regard to accents and case; first the ones in which a word begins so.
 */
export function findCommands<Command extends { text: string; group: string }>(
  commands: readonly Command[],
  typed: string,
): Command[] {
  const wanted = plain(typed).split(' ').filter(Boolean);
  if (wanted.length === 0) return [...commands];
  const rated = commands.flatMap((command) => {
    const text = ` ${plain(`${command.text} ${command.group}`)}`;
    if (!wanted.every((word) => text.includes(word))) return [];
    return [{ command, starts: wanted.filter((word) => text.includes(` ${word}`)).length }];
  });
  return rated.sort((a, b) => b.starts - a.starts).map(({ command }) => command);
}

function plain(text: string): string {
  return searchable(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
