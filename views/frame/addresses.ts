/** Addresses of the screens of a project, from the list of screens. English in every language. */
import { type ScreenName, screens } from '#views/screen-list.ts';

function inProject(name: ScreenName): (project: string | number) => string {
  const path = screens.find((screen) => screen.name === name)?.path ?? '/';
  return (project) => path.replace(':project', () => String(project));
}

export const overviewOf = inProject('overview');
export const ingestionOf = inProject('ingestion');
export const eventsOf = inProject('events');
export const definitionsOf = inProject('definitions');
export const exportsOf = inProject('event-exports');
export const peopleOf = inProject('people');
export const personOf = (project: string | number, person: string): string => `${peopleOf(project)}/${person}`;
export const privacyOf = inProject('privacy');
export const liveOf = inProject('live');
export const cohortsOf = inProject('cohorts');
export const groupsOf = inProject('groups');
export const groupOf = (project: string | number, type: number, key: string): string =>
  `${groupsOf(project)}/${type}/${encodeURIComponent(key)}`;
export const flagsOf = inProject('flags');
export const earlyAccessOf = inProject('early-access');
export const experimentsOf = inProject('experiments');
export const errorsOf = inProject('errors');
export const issueOf = (project: string | number, issue: number): string => `${errorsOf(project)}/${issue}`;
export const replaysOf = inProject('replays');
export const goalsOf = inProject('goals');
export const dashboardsOf = inProject('dashboards');
export const dashboardOf = (project: string | number, dashboard: number): string =>
  `${dashboardsOf(project)}/${dashboard}`;
export const dashboardWallOf = (project: string | number, dashboard: number): string =>
  `${dashboardOf(project, dashboard)}/wall`;
export const alertsOf = inProject('alerts');
export const alertOf = (project: string | number, alert: number): string => `${alertsOf(project)}/${alert}`;
export const reportsOf = inProject('reports');
export const insightsOf = inProject('insights');
export const newInsightOf = inProject('insight-editor');
export const savedInsightOf = (project: string | number, insight: number): string =>
  `${insightsOf(project)}/${insight}`;
export const settingsOf = inProject('settings');
export const installOf = inProject('install');
