/** Deletes a project's rows of this room: queued and refused requests. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetByKey } from '#src/store/forget.ts';

export const forgetRelayed: Forget = async (on, projectId, signal) => {
  await forgetByKey(on, { table: 'relay_queue', key: ['day', 'id'] }, projectId, signal);
};
