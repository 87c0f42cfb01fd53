/** Dashboards: their list, and one. */
export * as dashboardList from '#views/screens/dashboards/DashboardList.tsx';
export * as dashboard from '#views/screens/dashboards/OpenDashboard.tsx';
