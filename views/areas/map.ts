/** The maps of the world and of Brazil. */
export { WorldMap } from '../screens/insights/WorldMap.tsx';
