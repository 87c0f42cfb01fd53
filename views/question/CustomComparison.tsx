/** Any other dates to compare with. */
import { useNavigate } from '#views/navigation.tsx';
import { useWords } from '#views/words/words.tsx';
import { CalendarDates } from './CalendarDates.tsx';
import css from './CustomRange.module.css';
import type { Today } from './dates.ts';
import { addressOf, type Question } from './question.ts';

export interface CustomComparisonProps {
  path: string;
  question: Question;
  now: Today;
}

export function CustomComparison({ path, question, now }: CustomComparisonProps) {
  const { words } = useWords();
  const { navigate } = useNavigate();
  const { compare } = question;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-label={words.compare.label} className={css['below']}>
      <CalendarDates
        key={JSON.stringify(compare)}
        dates={typeof compare === 'string' ? null : compare}
        latest={now.today}
        now={now}
        onApply={(dates) => navigate(addressOf(path, { ...question, compare: dates }))}
      />
    </div>
  );
}
