/** What a project that goes leaves here. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';

export const forgetShareLinks: Forget = async (on, projectId, signal) => {
  await forgetRows(on, ['share_views', 'share_links'], projectId, signal);
};
