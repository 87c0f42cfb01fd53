/** What a project that goes leaves here, and what someone who leaves its team does. */
import type { Farewell } from '#src/accounts/accounts.ts';
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';
import { removeMember } from './queries.ts';

export const forgetReports: Forget = async (on, projectId, signal) => {
  await forgetRows(on, ['report_sends', 'report_recipients', 'reports'], projectId, signal);
};

/** Reports stay with the team; they are no longer sent to who left. */
export const leaveReports: Farewell = async (on, projects, user) => {
  await removeMember(on, projects, user);
  return {};
};
