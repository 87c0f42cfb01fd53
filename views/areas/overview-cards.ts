/** Tables of the Overview: below the chart, and in full. */
export { ChartTable } from '../charts/ChartTable.tsx';
export { BreakdownDetails } from '../screens/insights/BreakdownDetails.tsx';
export { Cards } from '../screens/insights/Cards.tsx';
export { GoalMetrics } from '../screens/insights/GoalMetrics.tsx';
