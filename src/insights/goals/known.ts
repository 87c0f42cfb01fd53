/** What a goal can be about, offered to whoever writes one: events, and what was clicked. */
import { groupKinds } from '#src/events/contract.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import type { KnownForGoals } from './contract.ts';

const MOST_EVENTS = 500;
/** Kinds of clicks that are looked through, those that came up last. */
const MOST_CLICKS = 500;
const MOST_OFFERED = 100;

/** Names that are hidden are not offered. */
export async function knownForGoals(on: Queryable, projectId: ProjectId): Promise<KnownForGoals> {
  const events = await query<{ name: string }>(
    on,
    sql`select name from event_names as known
         where project_id = ${projectId}
           and not exists (
             select from definition_notes
              where project_id = known.project_id and kind = 'event' and name = known.name and hidden)
         order by last_seen desc, name collate "C"
         limit ${MOST_EVENTS}`,
  );
  const clicked = await query<{ chain: string }>(
    on,
    sql`select properties ->> '$elements_chain' as chain
          from property_groups
         where project_id = ${projectId} and kind = ${groupKinds.elements} and properties ->> '$elements_chain' is not null
         order by number desc
         limit ${MOST_CLICKS}`,
  );
  const offered = (name: 'text' | 'href') =>
    [...new Set(clicked.flatMap(({ chain }) => nearestValue(chain, name) ?? []))].slice(0, MOST_OFFERED);
  return { events: events.map(({ name }) => name), texts: offered('text'), hrefs: offered('href') };
}

/** What the nearest of the elements has under this name; null: none has it. */
function nearestValue(chain: string, name: 'text' | 'href'): string | null {
  const found = new RegExp(`[:"]${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(chain)?.[1];
  return found?.replaceAll('\\"', '"').trim() || null;
}
