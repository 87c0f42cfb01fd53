/** Heatmaps of pages. */
export * as heatmaps from '#views/screens/replays/Heatmaps.tsx';
