/** How numbers are calculated. */
export { DraftExplained } from '#views/explain/DraftExplained.tsx';
export { ExplainPanel } from '#views/explain/ExplainPanel.tsx';
export { ExplainScreenPanel } from '#views/explain/ExplainScreenPanel.tsx';
