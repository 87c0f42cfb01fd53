/** Goals. */
export * as goals from '../screens/insights/Goals.tsx';
