/** What a project that goes leaves here. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';

export const forgetInsights: Forget = async (on, projectId, signal) => {
  await forgetRows(on, ['annotations', 'goals', 'segments'], projectId, signal);
};
