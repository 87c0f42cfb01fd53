/** Settings of session replay, which one tab of a project's settings shows. */
export { ReplayTab } from '../screens/projects/ReplayTab.tsx';
