/** Shared state of the Overview's regions: query, key, and reset. */
import { useNavigate } from '#views/navigation.tsx';
import { useWords } from '#views/words/words.tsx';
import type { Today } from './dates.ts';
import { addressOf, type Question, questionKey } from './question.ts';
import { datesText } from './range-text.ts';

export interface RegionOf {
  question: Question;
  of: string;
  counting: string;
  onCancel(shown: Question): void;
}

export function useRegionOf(question: Question, path: string, now: Today): RegionOf {
  const { words, format } = useWords();
  const { navigate } = useNavigate();
  const { range } = question;
  const counting = typeof range === 'string' ? words.range.presets[range] : datesText(range, now, format);
  return {
    question,
    of: questionKey(question),
    counting,
    onCancel: (shown) => navigate(addressOf(path, shown), { replace: true }),
  };
}
