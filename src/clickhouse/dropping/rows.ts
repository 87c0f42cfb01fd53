/** Rows of dropped days for columns that are made again, as after an erasure. */
import type { Knex } from 'knex';
import type { DroppedRows } from '#src/events/dropped.ts';
import { AppError } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import { query, sql } from '#src/store/sql.ts';
import type { ClickhouseConnection } from '../connection.ts';
import { asRows, findPage } from '../queries/single-events.ts';
import { isChanging, readState } from '../state.ts';

/** Rows at a time. */
const PAGE = 10_000;

export function createDroppedRows(parts: { db: Knex; connection(): Promise<ClickhouseConnection> }): DroppedRows {
  return {
    async bring(client, projectId, day) {
      // By the transaction's snapshot: what it sees as changed is applied in ClickHouse.
      const { caughtUpAt } = await readState(client);
      const [lost] = await query(client, sql`select 1 as one from dropped_months where lost_at is not null limit 1`);
      if (caughtUpAt === null || lost !== undefined || (await isChanging(client, projectId))) return false;
      const [known] = await query<{ rows: number }>(
        client,
        sql`select rows from dropped_days where project_id = ${projectId} and day = ${day}`,
      );
      await query(client, sql`create temporary table copied_events (like events) on commit drop`);
      const house = await parts.connection();
      const span = { from: day * dayMs, until: (day + 1) * dayMs };
      let after: { ts: number; uuid: string } | undefined;
      let brought = 0;
      for (;;) {
        const asked = { ...span, chosen: undefined, after, limit: PAGE };
        const page = await findPage(parts.db, house, projectId, asked).catch(noneIfAway);
        if (page === null) return false;
        if (page.length > 0) await query(client, insertRows(page));
        brought += page.length;
        const last = page.at(-1);
        if (page.length < PAGE || last === undefined) break;
        after = { ts: last.ts, uuid: last.uuid };
      }
      // Columns of a part of them would pass for those of all.
      if (brought !== (known?.rows ?? 0)) return false;
      await query(client, sql`alter table copied_events rename to events`);
      return true;
    },
  };
}

/** Sealing goes on without it, and comes again in a minute. */
function noneIfAway(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

const columns = sql.join(
  [
    ...['ts', 'received_at', 'session_id', 'uuid', 'window_id', 'device_id', 'project_id', 'person', 'distinct_id'],
    ...['event', 'page', 'device', 'source', 'geo', 'flags', 'elements', 'epoch', 'marks', 'properties'],
  ].map((name) => sql.id(name)),
);

function insertRows(page: Parameters<typeof asRows>[0]) {
  return sql`insert into copied_events (${columns}) select ${columns} from (${asRows(page)}) as copied`;
}
