/** What changed on the Overview, when it is opened. */
export { MoversPanel } from '../screens/insights/MoversPanel.tsx';
