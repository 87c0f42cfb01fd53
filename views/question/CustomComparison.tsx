/** Any other dates to compare with. */
import { useWords } from '#views/words/words.tsx';
import css from './CustomRange.module.css';
import type { Today } from './dates.ts';
import { addressOf, type Question } from './question.ts';
import { TwoDates } from './TwoDates.tsx';

export interface CustomComparisonProps {
  path: string;
  question: Question;
  now: Today;
}

export function CustomComparison({ path, question, now }: CustomComparisonProps) {
  const { words } = useWords();
  const { compare } = question;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-label={words.compare.label} className={css['below']}>
      <TwoDates
        path={path}
        names={['compareFrom', 'compareTo']}
        dates={typeof compare === 'string' ? null : compare}
        latest={now.today}
        kept={addressOf(path, { ...question, compare: 'previous' })}
        addressFor={(dates) => addressOf(path, { ...question, compare: dates })}
      />
    </div>
  );
}
