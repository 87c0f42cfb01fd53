/** How numbers are calculated. */
export { DraftExplained } from '../screens/insights/DraftExplained.tsx';
export { Explain } from '../screens/insights/Explain.tsx';
export { ExplainScreen } from '../screens/insights/ExplainScreen.tsx';
