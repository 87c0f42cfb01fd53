/** Above the figures: which events, which period, and what it is compared with. */

import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { useWords } from '#views/words/words.tsx';
import type { CompareChoiceProps } from './CompareChoice.tsx';
import type { DateRangeProps } from './DateRange.tsx';
import css from './FilterBar.module.css';
import type { FilterChipsProps } from './filters/FilterChips.tsx';

const DateRange = lazyPart<DateRangeProps>('DateRange', async () => (await import('./DateRange.tsx')).DateRange);

const CompareChoice = lazyPart<CompareChoiceProps>(
  'CompareChoice',
  async () => (await import('./CompareChoice.tsx')).CompareChoice,
);

const FilterChips = lazyPart<FilterChipsProps>(
  'FilterChips',
  async () => (await import('./filters/FilterChips.tsx')).FilterChips,
);

export function FilterBar(props: DateRangeProps) {
  const { path, question } = props;
  const { words } = useWords();
  return (
    <search className={css['bar']} aria-label={words.regions.filters}>
      <Late>
        <FilterChips withSegments path={path} question={question} />
        <DateRange {...props} />
        <CompareChoice {...props} />
      </Late>
    </search>
  );
}
