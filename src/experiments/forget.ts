/** Deletes a project's rows of this room. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';

export const forgetExperiments: Forget = async (on, projectId, signal) => {
  await forgetRows(on, ['experiments'], projectId, signal);
};
