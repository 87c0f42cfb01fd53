/** What a project that goes leaves here, and what someone who leaves its team does. */
import type { Farewell } from '#src/accounts/accounts.ts';
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';
import { deleteMarksOf } from './queries.ts';

export const forgetDashboards: Forget = async (on, projectId, signal) => {
  await forgetRows(on, ['dashboard_marks', 'dashboards'], projectId, signal);
};

/** Dashboards stay with the team. */
export const leaveDashboards: Farewell = async (on, projects, user) => {
  await deleteMarksOf(on, projects, user);
  return {};
};
