/** SQL of goals. */
import { groupKinds } from '#src/events/contract.ts';
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { insightsWithGoal } from '../saved/queries.ts';

export interface GoalRow {
  id: number;
  name: string;
  definition: unknown;
  created_at: number;
  changed_at: number;
}

const columns = sql`id, name, definition, created_at, changed_at`;

/** In the order of their names. */
export function goalsOf(on: Queryable, projectId: number): Promise<GoalRow[]> {
  return query(on, sql`select ${columns} from goals where project_id = ${projectId} order by lower(name), id`);
}

export async function goalOf(on: Queryable, projectId: number, id: number): Promise<GoalRow | null> {
  const rows = await query<GoalRow>(
    on,
    sql`select ${columns} from goals where project_id = ${projectId} and id = ${id}`,
  );
  return rows[0] ?? null;
}

export interface NewGoal {
  name: string;
  definition: object;
  now: number;
}

/** Null when there are too many. @throws a violation of `goals_name` when the name is taken */
export async function insertGoal(
  on: Queryable,
  projectId: number,
  goal: NewGoal,
  most: number,
): Promise<GoalRow | null> {
  const rows = await query<GoalRow>(
    on,
    sql`insert into goals (project_id, name, definition, created_at, changed_at)
        select ${projectId}::int, ${goal.name}::text, ${JSON.stringify(goal.definition)}::jsonb, ${time(goal.now)}, ${time(goal.now)}
         where (select count(*) from goals where project_id = ${projectId}) < ${most}
        returning ${columns}`,
  );
  return rows[0] ?? null;
}

/** Null when there is none. @throws a violation of `goals_name` when the name is taken */
export async function updateGoal(on: Queryable, projectId: number, id: number, goal: NewGoal): Promise<GoalRow | null> {
  const rows = await query<GoalRow>(
    on,
    sql`update goals
           set name = ${goal.name}, definition = ${JSON.stringify(goal.definition)}::jsonb, changed_at = ${time(goal.now)}
         where project_id = ${projectId} and id = ${id}
        returning ${columns}`,
  );
  return rows[0] ?? null;
}

/** Locks a goal against changes and new references until the transaction ends. False when it does not exist. */
export async function lockGoal(on: Queryable, projectId: number, id: number): Promise<boolean> {
  const rows = await query(on, sql`select id from goals where project_id = ${projectId} and id = ${id} for update`);
  return rows.length > 0;
}

/** Locks goals against deletion until the transaction ends. @returns the existing ids */
export async function keepGoals(on: Queryable, projectId: number, ids: readonly number[]): Promise<Set<number>> {
  const rows = await query<{ id: number }>(
    on,
    sql`select id from goals where project_id = ${projectId} and id = any(${[...ids]}::int[]) order by id for key share`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Null when there is none, or when a segment or an insight uses it: lock it first. @returns its name */
export async function deleteGoal(on: Queryable, projectId: number, id: number): Promise<string | null> {
  const rows = await query<{ name: string }>(
    on,
    sql`delete from goals
         where project_id = ${projectId} and id = ${id}
           and not exists (${segmentsWith(projectId, id)}) and not exists (${insightsWithGoal(projectId, id)})
        returning name`,
  );
  return rows[0]?.name ?? null;
}

/** Segments that ask for a goal. A name only for those who may see it. */
export function usingSegments(
  on: Queryable,
  projectId: number,
  id: number,
  user: number,
): Promise<{ id: number; name: string | null }[]> {
  return query(
    on,
    sql`select id, case when shared or owner = ${user} then name end as name from (${segmentsWith(projectId, id)}) as own
         order by lower(name), id`,
  );
}

/** Insights in use that name a goal. */
export function usingInsights(on: Queryable, projectId: number, id: number): Promise<{ id: number; name: string }[]> {
  return query(on, sql`select id, name from (${insightsWithGoal(projectId, id)}) as insights order by lower(name), id`);
}

/** Segments with a set of people that refers to the goal. */
function segmentsWith(projectId: number, id: number): Sql {
  return sql`
    select * from segments
     where project_id = ${projectId} and jsonb_path_exists(definition, '$.people.**.goal ? (@ == $id)', ${sql.json({ id })}::jsonb)`;
}

/** @throws PostgreSQL's error of an invalid pattern */
export async function tryPatterns(on: Queryable, patterns: readonly string[]): Promise<void> {
  await query(on, sql`select 1 from unnest(${[...patterns]}::text[]) as pattern where '' ~ pattern`);
}

function time(ms: number): Sql {
  return sql`${new Date(ms)}::timestamptz`;
}

const MAX_EVENTS = 500;

/** Names of events that are not hidden, those seen last first. */
export function eventNames(on: Queryable, projectId: number): Promise<{ name: string }[]> {
  return query(
    on,
    sql`select name from event_names as known
         where project_id = ${projectId}
           and not exists (
             select from definition_notes
              where project_id = known.project_id and kind = 'event' and name = known.name and hidden)
         order by last_seen desc, name collate "C"
         limit ${MAX_EVENTS}`,
  );
}

const MAX_CLICKS = 500;

/** Element chains of the latest kinds of clicks, as sent. */
export function clickedChains(on: Queryable, projectId: number): Promise<{ chain: string }[]> {
  return query(
    on,
    sql`select properties ->> '$elements_chain' as chain
          from property_groups
         where project_id = ${projectId} and kind = ${groupKinds.elements} and properties ->> '$elements_chain' is not null
         order by number desc
         limit ${MAX_CLICKS}`,
  );
}
