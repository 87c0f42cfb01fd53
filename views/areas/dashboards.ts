/** One dashboard. */
export * as dashboard from '#views/screens/dashboards/OpenDashboard.tsx';
