/** For whom it is drawn: language, theme, and what the project calls things. */
import { type GroupSubject, groupTypeOf, isGroupSubject } from '#src/columns/values.ts';
import type { GroupTypeName } from '#src/projects/contract.ts';
import type { GoalName } from '#views/insights/names.ts';
import { countedGroupWords } from '#views/words/counted-groups.ts';
import type { Words } from '#views/words/en.ts';
import type { Format } from '#views/words/format.ts';
import { insightWords } from '#views/words/insights.ts';
import { tableWords } from '#views/words/tables.ts';
import type { Reading } from '#views/words/value-text.ts';
import type { Frame } from './frame.ts';
import { palettes, type Theme } from './palette.ts';
import { drawTable } from './tables.ts';

export interface Reader {
  words: Words;
  format: Format;
  theme: Theme;
  /** The project's date now. */
  today: string;
  weekStart: 0 | 1;
  goals: readonly GoalName[];
  groups: readonly GroupTypeName[];
}

export interface Body extends Pick<Frame, 'drawn'> {
  legend?: Frame['legend'];
  notes?: Frame['notes'];
}

export function readingOf({ words, format, groups }: Reader): Reading {
  return { own: tableWords[words.language], format, locale: words.writing.locale, groups };
}

/** Several groups of a type, as the project calls them. */
export function pluralOf(subject: GroupSubject, { words, groups }: Reader): string {
  const known = groups.find(({ type }) => type === groupTypeOf(subject));
  return known?.plural ?? countedGroupWords[words.language].groups;
}

/** What is counted: people, or the groups of a type. */
export function countedName(per: string | undefined, reader: Reader): string {
  return isGroupSubject(per) ? pluralOf(per, reader) : insightWords[reader.words.language].people;
}

/** What stands for an answer without data. */
export function emptyBody({ words, theme }: Reader): Body {
  return { drawn: drawTable([insightWords[words.language].empty], [], palettes[theme]) };
}
