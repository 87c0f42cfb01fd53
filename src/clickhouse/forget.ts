/** Deletes a project's rows of this room, and has them deleted in ClickHouse. After those of events, which leave changes. */
import type { Forget } from '#src/projects/forget.ts';
import { forgetRows } from '#src/store/forget.ts';
import { query, sql } from '#src/store/sql.ts';

export const forgetClickhouse: Forget = async (on, projectId, signal) => {
  await forgetRows(on, ['clickhouse_projects', 'clickhouse_changes'], projectId, signal);
  await query(
    on,
    sql`insert into clickhouse_changes (kind, project_id, numbers)
        select 'project', 0, array[${projectId}::bigint] from clickhouse_state where target is not null`,
  );
};
