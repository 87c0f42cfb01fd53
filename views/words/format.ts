/**
 * Numbers, times and dates as people read them, in both languages. Locale and time zone are always given, so server and
 * browser write the same text. Minus is U+2212; units hang on their number by a no-break space. Pure.
 */
import type { Words } from './en.ts';
import { createChangeFormat } from './format-change.ts';
import { createDateFormat } from './format-date.ts';
import { createDurationFormat } from './format-duration.ts';
import { createNumberFormat } from './format-number.ts';
import { EN_DASH } from './signs.ts';

/** Placeholder of a missing number. */
export const missing = EN_DASH;

export type Format = ReturnType<typeof create>;

const formats = new WeakMap<Words, Format>();

/** The formatters of a catalogue; made once per catalogue. */
export function formatOf(words: Words): Format {
  const known = formats.get(words);
  if (known) return known;
  const made = create(words);
  formats.set(words, made);
  return made;
}

function create(words: Words) {
  const numbers = createNumberFormat(words.writing);
  return {
    ...numbers,
    ...createChangeFormat(words, numbers),
    ...createDurationFormat(numbers),
    ...createDateFormat(words.writing),
    country: createCountryNames(words.writing.locale),
  };
}

function createCountryNames(locale: string): (code: string) => string {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  /** "BR" → "Brazil"; a code that is none stays as it is. */
  return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code);
}
