/** The list of dashboards. */
export * as dashboardList from '#views/screens/dashboards/DashboardList.tsx';
