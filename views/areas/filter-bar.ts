/** Above the figures: what is asked. */
export { CompareChoice } from '#views/question/CompareChoice.tsx';
export { DateRange } from '#views/question/DateRange.tsx';
export { FilterChips } from '#views/question/filters/FilterChips.tsx';
export { NothingFound } from '#views/question/filters/NothingFound.tsx';
