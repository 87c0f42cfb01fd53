/** The tiles of a dashboard. */
export { Unlinked } from '#views/dashboards/TileFrame.tsx';
export { TileBox, Tiles } from '#views/dashboards/Tiles.tsx';
