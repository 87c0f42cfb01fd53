/** The first screen of a project. */
export * as overview from '../screens/insights/Overview.tsx';
