/** Alerts. */

export * as alerts from '#views/screens/alerts/Alerts.tsx';
export * as alert from '#views/screens/alerts/OpenAlert.tsx';
