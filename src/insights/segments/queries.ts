/** SQL of segments. What a person may see: shared ones, and their own. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';
import { insightsWithSegment } from '../saved/queries.ts';

export interface SegmentRow {
  id: number;
  owner: number;
  shared: boolean;
  name: string;
  definition: unknown;
}

/** The project and the reader. */
export interface SegmentOwner {
  project: number;
  user: number;
}

const columns = sql`id, owner, shared, name, definition`;

function seen({ project, user }: SegmentOwner): Sql {
  return sql`project_id = ${project} and (shared or owner = ${user})`;
}

export function segmentsOf(on: Queryable, asking: SegmentOwner): Promise<SegmentRow[]> {
  return query(on, sql`select ${columns} from segments where ${seen(asking)} order by lower(name), id`);
}

export async function segmentOf(on: Queryable, asking: SegmentOwner, id: number): Promise<SegmentRow | null> {
  const rows = await query<SegmentRow>(on, sql`select ${columns} from segments where ${seen(asking)} and id = ${id}`);
  return rows[0] ?? null;
}

/** Null when there are too many. @throws a violation of a unique index when the name is taken */
export async function insertSegment(
  on: Queryable,
  { project, user }: SegmentOwner,
  segment: { name: string; shared: boolean; definition: object; now: number },
  most: number,
): Promise<SegmentRow | null> {
  const { name, shared, definition, now } = segment;
  const rows = await query<SegmentRow>(
    on,
    sql`insert into segments (project_id, owner, shared, name, definition, created_at, changed_at)
        select ${project}::int, ${user}::int, ${shared}::boolean, ${name}::text, ${JSON.stringify(definition)}::jsonb,
               ${time(now)}, ${time(now)}
         where (select count(*) from segments where project_id = ${project}) < ${most}
        returning ${columns}`,
  );
  return rows[0] ?? null;
}

/** @throws a violation of a unique index when the name is taken */
export async function renameSegment(
  on: Queryable,
  { project }: SegmentOwner,
  id: number,
  { name, now }: { name: string; now: number },
): Promise<void> {
  await query(
    on,
    sql`update segments set name = ${name}, changed_at = ${time(now)} where project_id = ${project} and id = ${id}`,
  );
}

/** @returns whether it is there */
export async function redefineSegment(
  on: Queryable,
  { project }: SegmentOwner,
  id: number,
  { definition, now }: { definition: object; now: number },
): Promise<boolean> {
  const rows = await query(
    on,
    sql`update segments set definition = ${JSON.stringify(definition)}::jsonb, changed_at = ${time(now)}
         where project_id = ${project} and id = ${id} returning id`,
  );
  return rows.length > 0;
}

/** Locks a segment against changes and new references until the transaction ends. */
export async function lockSegment(on: Queryable, { project }: SegmentOwner, id: number): Promise<void> {
  await query(on, sql`select id from segments where project_id = ${project} and id = ${id} for update`);
}

/** Locks a segment against deletion until the transaction ends. False when it does not exist. */
export async function keepSegment(on: Queryable, project: number, id: number): Promise<boolean> {
  const rows = await query(on, sql`select id from segments where project_id = ${project} and id = ${id} for key share`);
  return rows.length > 0;
}

/** Lock it first. @returns false when an insight is within it */
export async function deleteSegment(on: Queryable, { project }: SegmentOwner, id: number): Promise<boolean> {
  const rows = await query(
    on,
    sql`delete from segments
         where project_id = ${project} and id = ${id} and not exists (${insightsWithSegment(project, id)})
        returning id`,
  );
  return rows.length > 0;
}

/** Deletes a person's private segments. @returns their number */
export async function deleteOwnOf(on: Queryable, projects: readonly number[], user: number): Promise<number> {
  const rows = await query(
    on,
    sql`delete from segments
         where project_id = any(${[...projects]}::int[]) and owner = ${user} and not shared
        returning id`,
  );
  return rows.length;
}

function time(ms: number): Sql {
  return sql`${new Date(ms)}::timestamptz`;
}
