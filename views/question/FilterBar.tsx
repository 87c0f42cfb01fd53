/** Above the figures: which events, which period, and what it is compared with. */

import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { useWords } from '#views/words/words.tsx';
import type { CompareChoiceProps } from './CompareChoice.tsx';
import type { DateRangeProps } from './DateRange.tsx';
import css from './FilterBar.module.css';
import type { FilterChipsProps } from './filters/FilterChips.tsx';

const DateRange = lazyPart<DateRangeProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).DateRange,
);

const CompareChoice = lazyPart<CompareChoiceProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).CompareChoice,
);

const FilterChips = lazyPart<FilterChipsProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).FilterChips,
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
