/** A dashboard on a wall. */
export * as wall from '#views/screens/dashboards/Wall.tsx';
