/** What a project that goes leaves here, and what someone who leaves its team does. */
import type { Farewell } from '#src/accounts/accounts.ts';
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';
import { removeMember } from './target-queries.ts';

export const forgetAlerts: Forget = async (on, projectId, signal) => {
  const tables = ['alert_deliveries', 'alert_evaluations', 'alert_issues', 'alert_targets', 'alerts'];
  await forgetRows(on, tables, projectId, signal);
};

/** Alerts stay with the team; they no longer notify who left. */
export const leaveAlerts: Farewell = async (on, projects, user) => {
  await removeMember(on, projects, user);
  return {};
};
