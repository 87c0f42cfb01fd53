/** What a project that goes leaves here. Files of blocks are deleted before. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetByKey, forgetRows } from '#src/store/forget.ts';

export const forgetReplays: Forget = async (on, projectId, signal) => {
  await forgetByKey(on, { table: 'replay_blocks', key: ['session', 'seq', 'week'] }, projectId, signal);
  await forgetRows(
    on,
    ['replay_views', 'replay_comments', 'replay_sessions', 'replay_uuids', 'replay_usage'],
    projectId,
    signal,
  );
};
