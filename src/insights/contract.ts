// biome-ignore-all lint/performance/noBarrelFile: a door of the room
// biome-ignore-all lint/performance/noReExportAll: a door of the room
/** Queries and results that screens know by this door. */
export * from './kinds/breakdown/contract.ts';
export * from './kinds/goals/contract.ts';
export * from './kinds/overview/contract.ts';
export * from './query/contract.ts';
