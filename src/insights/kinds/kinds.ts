// biome-ignore-all lint/performance/noBarrelFile: doors loop over this list
/** All kinds of insights, a line each. */
export { breakdown } from './breakdown/kind.ts';
export { funnel } from './funnel/kind.ts';
export { goals } from './goals/kind.ts';
export { heatmap } from './heatmap/kind.ts';
export { lifecycle } from './lifecycle/kind.ts';
export { movers } from './movers/kind.ts';
export { overview } from './overview/kind.ts';
export { paths } from './paths/kind.ts';
export { retention } from './retention/kind.ts';
export { stickiness } from './stickiness/kind.ts';
export { trends } from './trends/kind.ts';
export { vitals } from './vitals/kind.ts';
