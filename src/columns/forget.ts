/** Deletes a project's rows of this room. Runs after its events: deleting those leaves marks. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';

export const forgetColumns: Forget = async (on, projectId, signal) => {
  await forgetRows(on, ['chunk_columns', 'chunks', 'stale_units'], projectId, signal);
};
