/** Language and words to format values with. */
import { useGroupTypes } from '#views/frame/group-types.ts';
import { tableWords } from '#views/words/tables.ts';
import type { Reading } from '#views/words/value-text.ts';
import { usePart, useWords } from '#views/words/words.tsx';

export function useReading(): Reading {
  const { words, format } = useWords();
  return { own: usePart(tableWords), format, locale: words.writing.locale, groups: useGroupTypes() };
}
