/** Operations of dashboards. */
import { dashboardChange, dashboardInput } from '#src/dashboards/contract.ts';
import { DashboardAnswer, DashboardList, DashboardPatch, dashboardPath, NewDashboard } from './dashboard-schemas.ts';
import { aboutProject, noted, type Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import * as schemas from './schemas.ts';

export const dashboardOperations: readonly Operation[] = [
  aboutProject({
    id: 'listDashboards',
    path: '/projects/:project/dashboards',
    summary: 'List dashboards: favorites first, then those viewed last',
    scope: 'query:read',
    minRole: 'viewer',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: DashboardList,
    run: async ({ dashboards }, reached) => ({ dashboards: await dashboards.list(reached) }),
  }),
  aboutProject({
    id: 'createDashboard',
    method: 'post',
    path: '/projects/:project/dashboards',
    summary: 'Create a dashboard for the team',
    scope: 'dashboards:write',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: NewDashboard,
    answer: DashboardAnswer,
    run: (rooms, reached, { body }) =>
      rooms.dashboards.create(reached, readInput(dashboardInput, body), noted(rooms, reached, 'dashboard.created')),
  }),
  aboutProject({
    id: 'getDashboard',
    path: '/projects/:project/dashboards/:dashboard',
    summary: 'Get a dashboard with its tiles and their insights',
    scope: 'query:read',
    minRole: 'viewer',
    params: dashboardPath,
    query: schemas.nothing,
    answer: DashboardAnswer,
    run: ({ dashboards }, reached, { params }) => dashboards.get(reached, params.dashboard),
  }),
  aboutProject({
    id: 'updateDashboard',
    method: 'patch',
    path: '/projects/:project/dashboards/:dashboard',
    summary: 'Change a dashboard',
    scope: 'dashboards:write',
    minRole: 'member',
    params: dashboardPath,
    query: schemas.nothing,
    body: DashboardPatch,
    answer: DashboardAnswer,
    run(rooms, reached, { params, body }) {
      const { dashboard, ...change } = readInput(dashboardChange, { ...body, dashboard: params.dashboard });
      return rooms.dashboards.update(reached, dashboard, change, noted(rooms, reached, 'dashboard.changed'));
    },
  }),
  aboutProject({
    id: 'deleteDashboard',
    method: 'delete',
    path: '/projects/:project/dashboards/:dashboard',
    summary: 'Delete a dashboard and return it. Its insights stay.',
    scope: 'dashboards:write',
    minRole: 'member',
    params: dashboardPath,
    query: schemas.nothing,
    answer: DashboardAnswer,
    async run(rooms, reached, { params }) {
      const dashboard = await rooms.dashboards.get(reached, params.dashboard);
      await rooms.dashboards.remove(reached, params.dashboard, noted(rooms, reached, 'dashboard.deleted'));
      return dashboard;
    },
  }),
];
