/** How numbers are calculated. */
export { DraftExplained } from '../screens/insights/DraftExplained.tsx';
export { ExplainPanel } from '../screens/insights/ExplainPanel.tsx';
export { ExplainScreenPanel } from '../screens/insights/ExplainScreenPanel.tsx';
