/** Parts below the chart of the Overview, and its tables in full. */
export { ChartTable } from '../charts/ChartTable.tsx';
export { BreakdownDetails } from '../screens/insights/BreakdownDetails.tsx';
export { Cards } from '../screens/insights/Cards.tsx';
export { Footnotes } from '../screens/insights/Footnotes.tsx';
export { GoalMetrics } from '../screens/insights/GoalMetrics.tsx';
export { MoversPlace } from '../screens/insights/MoversPlace.tsx';
