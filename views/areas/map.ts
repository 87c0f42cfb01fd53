/** The maps of the world and of Brazil. */
export { PlaceMap } from '#views/charts/PlaceMap.tsx';
