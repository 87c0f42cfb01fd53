/** The tiles of a dashboard. */
export { Tiles } from '#views/dashboards/Tiles.tsx';
