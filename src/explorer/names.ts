/** Names of events and properties for selection, without hidden ones. */
import type { Knex } from 'knex';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, type Sql, sql } from '#src/store/sql.ts';
import type { ExplorerNames } from './contract.ts';

const MAX_NAMES = 1_000;

export async function namesOf(db: Knex, projectId: ProjectId): Promise<ExplorerNames> {
  const [events, properties] = await Promise.all([
    query<{ name: string }>(
      db,
      sql`select name from event_names as known
           where project_id = ${projectId} and not ${isHidden('event')}
           order by last_seen desc, name collate "C"
           limit ${MAX_NAMES}`,
    ),
    query<{ name: string }>(
      db,
      sql`select name from property_names as known
           where project_id = ${projectId} and not ${isHidden('property')}
           order by name collate "C"
           limit ${MAX_NAMES}`,
    ),
  ]);
  return { events: events.map(({ name }) => name), properties: properties.map(({ name }) => name) };
}

function isHidden(kind: 'event' | 'property'): Sql {
  return sql`exists (
    select from definition_notes
     where project_id = known.project_id and kind = ${kind} and name = known.name and hidden)`;
}
