/** The query of an insight as cards, and its answer. */
export { InsightAnswer } from '#views/insights/InsightAnswer.tsx';
export { InsightQuery, InsightRange } from '#views/insights/InsightQuery.tsx';
