/** How a project begins to receive: the screen, and the card on the Overview. */
export * as install from '../screens/insights/Install.tsx';
export { InstallCard } from '../screens/insights/InstallCard.tsx';
