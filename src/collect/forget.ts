/** Deletes a project's rows of this room. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';

export const forgetCollected: Forget = async (on, projectId, signal) => {
  const tables = ['cookieless_salts', 'cookieless_sessions', 'ingestion_warnings', 'ingestion_minutes'];
  await forgetRows(on, tables, projectId, signal);
};
