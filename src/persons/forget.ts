/** Deletes a project's rows of this room. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';

export const forgetPersons: Forget = async (on, projectId, signal) => {
  const tables = ['distinct_ids', 'person_overrides', 'persons', 'person_changes', 'groups', 'group_types'];
  await forgetRows(on, tables, projectId, signal);
};
