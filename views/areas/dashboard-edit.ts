/** Making and arranging dashboards. */
export { ArrangeTiles } from '#views/screens/dashboards/ArrangeTiles.tsx';
export { NewDashboard } from '#views/screens/dashboards/NewDashboard.tsx';
