/** Text on dashboards. */
export { TextTile } from '#views/dashboards/TextTile.tsx';
