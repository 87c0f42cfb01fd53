/** Installation: the screen, and the card on the Overview. */

export { InstallCard } from '#views/install/InstallCard.tsx';
export * as install from '#views/screens/install/Install.tsx';
