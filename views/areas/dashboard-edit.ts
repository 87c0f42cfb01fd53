/** Making and arranging dashboards. */
export { FirstDashboard } from '#views/dashboards/FirstDashboard.tsx';
export { ArrangeTiles } from '#views/screens/dashboards/ArrangeTiles.tsx';
export { NewDashboard } from '#views/screens/dashboards/NewDashboard.tsx';
