/** The list of screens with the code of each. */
import type { Route } from './routing.ts';
import { type ScreenName, screens } from './screen-list.ts';

const code: Record<ScreenName, Pick<Route, 'file' | 'part' | 'load'>> = {
  overview: {
    file: 'views/areas/overview.ts',
    load: async () => (await import('./areas/overview.ts')).overview,
  },
  live: {
    file: 'views/areas/explorer.ts',
    load: async () => (await import('./areas/explorer.ts')).live,
  },
  dashboards: {
    file: 'views/areas/dashboard-list.ts',
    load: async () => (await import('./areas/dashboard-list.ts')).dashboardList,
  },
  dashboard: {
    file: 'views/areas/dashboards.ts',
    load: async () => (await import('./areas/dashboards.ts')).dashboard,
  },
  'dashboard-wall': {
    file: 'views/areas/dashboard-wall.ts',
    load: async () => (await import('./areas/dashboard-wall.ts')).wall,
  },
  alerts: {
    file: 'views/areas/alerts.ts',
    load: async () => (await import('./areas/alerts.ts')).alerts,
  },
  alert: {
    file: 'views/areas/alerts.ts',
    load: async () => (await import('./areas/alerts.ts')).alert,
  },
  reports: {
    file: 'views/areas/reports.ts',
    load: async () => (await import('./areas/reports.ts')).reports,
  },
  insights: {
    file: 'views/areas/insight-list.ts',
    load: async () => (await import('./areas/insight-list.ts')).insightList,
  },
  insight: {
    file: 'views/areas/insights.ts',
    load: async () => (await import('./areas/insights.ts')).openInsight,
  },
  'insight-editor': {
    file: 'views/areas/insights.ts',
    load: async () => (await import('./areas/insights.ts')).insightEditor,
  },
  people: {
    file: 'views/areas/people.ts',
    load: async () => (await import('./areas/people.ts')).people,
  },
  cohorts: {
    file: 'views/areas/cohorts.ts',
    load: async () => (await import('./areas/cohorts.ts')).cohorts,
  },
  groups: {
    file: 'views/areas/groups.ts',
    load: async () => (await import('./areas/groups.ts')).groups,
  },
  group: {
    file: 'views/areas/groups.ts',
    load: async () => (await import('./areas/groups.ts')).group,
  },
  goals: {
    file: 'views/areas/goals.ts',
    load: async () => (await import('./areas/goals.ts')).goals,
  },
  errors: {
    file: 'views/areas/errors.ts',
    load: async () => (await import('./areas/errors.ts')).issues,
  },
  issue: {
    file: 'views/areas/errors.ts',
    load: async () => (await import('./areas/errors.ts')).issue,
  },
  replays: {
    file: 'views/areas/replays.ts',
    load: async () => (await import('./areas/replays.ts')).replays,
  },
  replay: {
    file: 'views/areas/replays.ts',
    part: 'views/areas/replayer.ts',
    load: async () => (await import('./areas/replays.ts')).replay,
  },
  heatmaps: {
    file: 'views/areas/heatmaps.ts',
    load: async () => (await import('./areas/heatmaps.ts')).heatmaps,
  },
  flags: {
    file: 'views/areas/flags.ts',
    load: async () => (await import('./areas/flags.ts')).flags,
  },
  'early-access': {
    file: 'views/areas/early-access.ts',
    load: async () => (await import('./areas/early-access.ts')).earlyAccess,
  },
  experiments: {
    file: 'views/areas/experiments.ts',
    load: async () => (await import('./areas/experiments.ts')).experiments,
  },
  events: {
    file: 'views/areas/explorer.ts',
    load: async () => (await import('./areas/explorer.ts')).events,
  },
  definitions: {
    file: 'views/areas/definitions.ts',
    load: async () => (await import('./areas/definitions.ts')).definitions,
  },
  'event-exports': {
    file: 'views/areas/definitions.ts',
    load: async () => (await import('./areas/definitions.ts')).exports,
  },
  ingestion: {
    file: 'views/areas/operation.ts',
    load: async () => (await import('./areas/operation.ts')).ingestion,
  },
  settings: {
    file: 'views/areas/project.ts',
    load: async () => (await import('./areas/project.ts')).settings,
  },
  privacy: {
    file: 'views/areas/project.ts',
    load: async () => (await import('./areas/project.ts')).privacy,
  },
  install: {
    file: 'views/areas/install.ts',
    load: async () => (await import('./areas/install.ts')).install,
  },
  members: {
    file: 'views/areas/account.ts',
    load: async () => (await import('./areas/account.ts')).members,
  },
  home: {
    file: 'views/areas/project.ts',
    load: async () => (await import('./areas/project.ts')).home,
  },
  account: {
    file: 'views/areas/account.ts',
    load: async () => (await import('./areas/account.ts')).account,
  },
  status: {
    file: 'views/areas/operation.ts',
    load: async () => (await import('./areas/operation.ts')).status,
  },
  'set-up': {
    file: 'views/areas/entrance.ts',
    load: async () => (await import('./areas/entrance.ts')).setUp,
  },
  'sign-in': {
    file: 'views/areas/entrance.ts',
    load: async () => (await import('./areas/entrance.ts')).signIn,
  },
  'sign-in-link': {
    file: 'views/areas/entrance.ts',
    load: async () => (await import('./areas/entrance.ts')).signInLink,
  },
  'forgot-password': {
    file: 'views/areas/entrance.ts',
    load: async () => (await import('./areas/entrance.ts')).forgot,
  },
  'new-password': {
    file: 'views/areas/entrance.ts',
    load: async () => (await import('./areas/entrance.ts')).newPassword,
  },
  'confirm-address': {
    file: 'views/areas/entrance.ts',
    load: async () => (await import('./areas/entrance.ts')).confirm,
  },
  'hosted-sign-in': {
    file: 'views/areas/entrance.ts',
    load: async () => (await import('./areas/entrance.ts')).hosted,
  },
  person: {
    file: 'views/areas/people.ts',
    load: async () => (await import('./areas/people.ts')).person,
  },
  mail: {
    file: 'views/areas/operation.ts',
    load: async () => (await import('./areas/operation.ts')).mail,
  },
  'new-project': {
    file: 'views/areas/project.ts',
    load: async () => (await import('./areas/project.ts')).newProject,
  },
  keys: {
    file: 'views/areas/account.ts',
    load: async () => (await import('./areas/account.ts')).keys,
  },
  'new-email': {
    file: 'views/areas/entrance.ts',
    load: async () => (await import('./areas/entrance.ts')).newEmail,
  },
  'second-step': {
    file: 'views/areas/entrance.ts',
    load: async () => (await import('./areas/entrance.ts')).secondStep,
  },
  'new-team': {
    file: 'views/areas/account.ts',
    load: async () => (await import('./areas/account.ts')).newTeam,
  },
  'team-settings': {
    file: 'views/areas/account.ts',
    load: async () => (await import('./areas/account.ts')).teamSettings,
  },
  activity: {
    file: 'views/areas/account.ts',
    load: async () => (await import('./areas/account.ts')).activity,
  },
  'public-links': {
    file: 'views/areas/account.ts',
    load: async () => (await import('./areas/account.ts')).publicLinks,
  },
  invitation: {
    file: 'views/areas/entrance.ts',
    load: async () => (await import('./areas/entrance.ts')).invite,
  },
};

export const routes: readonly Route[] = screens.map((screen) => ({ ...screen, ...code[screen.name] }));
