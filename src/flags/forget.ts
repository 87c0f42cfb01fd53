/** Deletes a project's rows of this room. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';

export const forgetFlags: Forget = async (on, projectId, signal) => {
  await forgetRows(
    on,
    ['flag_first_ids', 'flag_changes', 'flag_schedules', 'early_access_features', 'flags'],
    projectId,
    signal,
  );
};
