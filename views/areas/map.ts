/** The map of the world. */
export { WorldMap } from '../screens/insights/WorldMap.tsx';
