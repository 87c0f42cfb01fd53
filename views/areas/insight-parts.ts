/** The query of an insight as cards, and its answer. */
export { EventFilters } from '#views/insights/EventFilters.tsx';
export { InsightAnswer } from '#views/insights/InsightAnswer.tsx';
export { InsightQuery, InsightRange } from '#views/insights/InsightQuery.tsx';
