/** Language and words to format values with. */
import { tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { Reading } from '../value-text.ts';

export function useReading(): Reading {
  const { words, format } = useWords();
  return { own: usePart(tableWords), format, locale: words.writing.locale };
}
