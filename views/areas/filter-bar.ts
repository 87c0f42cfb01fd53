/** Above the figures: what is asked. */
export { CompareChoice } from '../screens/insights/CompareChoice.tsx';
export { DateRange } from '../screens/insights/DateRange.tsx';
export { FilterChips } from '../screens/insights/filters/FilterChips.tsx';
export { NothingFound } from '../screens/insights/filters/NothingFound.tsx';
