/** People behind a number of an insight. */
export { PeoplePanel } from '#views/insights/PeoplePanel.tsx';
