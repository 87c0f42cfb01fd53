/** Deletes rows of a project, and the private rows of a member who leaves its team. */
import type { Farewell } from '#src/accounts/accounts.ts';
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';
import { deleteMarksOf } from './saved/mark-queries.ts';
import { deleteOwnOf } from './segments/queries.ts';

export const forgetInsights: Forget = async (on, projectId, signal) => {
  await forgetRows(
    on,
    ['annotations', 'goals', 'segments', 'cohort_sizes', 'cohorts', 'insight_changes', 'insight_marks', 'insights'],
    projectId,
    signal,
  );
};

/** Segments that only they could see, and what they marked of insights; shared segments and insights stay with the team. */
export const leaveInsights: Farewell = async (on, projects, user) => {
  await deleteMarksOf(on, projects, user);
  const segments = await deleteOwnOf(on, projects, user);
  return segments === 0 ? {} : { segments };
};
