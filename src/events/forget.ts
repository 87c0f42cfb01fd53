/** Deletes a project's rows of this room. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetByKey, forgetRows } from '#src/store/forget.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { forgetEmptyMonths } from './dropped.ts';

/** Rows per statement. */
const BATCH = 5_000;

export const forgetEvents: Forget = async (on, projectId, signal) => {
  await forgetRowsOfEvents(on, projectId, signal);
  await forgetByKey(on, { table: 'event_uuids', key: ['project_id', 'uuid', 'week'] }, projectId, signal);
  const tables = [
    'heatmap_points',
    'new_exceptions',
    'sessions',
    'event_counts',
    'property_groups',
    'group_looks',
    'group_names',
  ];
  await forgetRows(on, [...tables, 'property_names', 'event_names'], projectId, signal);
  await forgetRows(on, ['dropped_days', 'dropped_persons', 'dropped_erasures'], projectId, signal);
  await forgetEmptyMonths(on);
};

/** From the oldest on: each step reads one end of the index by project and time. */
async function forgetRowsOfEvents(on: Queryable, projectId: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const [bound] = await query<{ ts: number }>(
      on,
      sql`select ts from events where project_id = ${projectId} order by ts offset ${BATCH - 1} limit 1`,
    );
    // Times are kept to the microsecond, and come back to the millisecond: the next one is beyond all of them.
    const until = bound === undefined ? sql.empty : sql`and ts < ${new Date(bound.ts + 1)}`;
    await query(on, sql`delete from events where project_id = ${projectId} ${until}`);
    if (bound === undefined) return;
  }
}
