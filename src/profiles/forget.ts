/** Deletes a project's rows of this room. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';

export const forgetProfiles: Forget = async (on, projectId, signal) => {
  await forgetRows(on, ['person_splits'], projectId, signal);
};
