/** SQL of notes on charts. */
import { type Queryable, query, type Sql, sql } from '#src/store/sql.ts';

export interface AnnotationRow {
  id: number;
  day: string | null;
  at: number | null;
  text: string;
  url: string | null;
}

const columns = sql`id, day::text as day, at, text, url`;

/** Dates `[fromDay, toDay]` and moments `[from, until)`. */
export interface Within {
  fromDay: string;
  toDay: string;
  from: number;
  until: number;
}

/** The newest first. @param within null: all */
export function annotationsOf(
  on: Queryable,
  projectId: number,
  within: Within | null,
  most: number,
): Promise<AnnotationRow[]> {
  const isWithin =
    within === null
      ? sql.empty
      : sql`and ((at >= ${time(within.from)} and at < ${time(within.until)})
               or (day >= ${within.fromDay}::date and day <= ${within.toDay}::date))`;
  return query(
    on,
    sql`select ${columns} from annotations
         where project_id = ${projectId} ${isWithin}
         order by coalesce(at, day::timestamp at time zone 'UTC') desc, id desc
         limit ${most}`,
  );
}

export async function annotationOf(on: Queryable, projectId: number, id: number): Promise<AnnotationRow | null> {
  const [row] = await query<AnnotationRow>(
    on,
    sql`select ${columns} from annotations where project_id = ${projectId} and id = ${id}`,
  );
  return row ?? null;
}

export interface NewAnnotation {
  day: string | null;
  at: number | null;
  text: string;
  url: string | null;
}

/** Null when there are too many. */
export async function insertAnnotation(
  on: Queryable,
  projectId: number,
  { day, at, text, url }: NewAnnotation,
  now: number,
  most: number,
): Promise<AnnotationRow | null> {
  const rows = await query<AnnotationRow>(
    on,
    sql`insert into annotations (project_id, day, at, text, url, created_at)
        select ${projectId}::int, ${day}::date, ${at === null ? null : new Date(at)}::timestamptz, ${text}::text, ${url}::text,
               ${time(now)}
         where (select count(*) from annotations where project_id = ${projectId}) < ${most}
        returning ${columns}`,
  );
  return rows[0] ?? null;
}

export async function updateAnnotation(
  on: Queryable,
  projectId: number,
  id: number,
  { day, at, text, url }: NewAnnotation,
): Promise<AnnotationRow | null> {
  const rows = await query<AnnotationRow>(
    on,
    sql`update annotations
           set day = ${day}::date, at = ${at === null ? null : new Date(at)}::timestamptz, text = ${text}, url = ${url}
         where project_id = ${projectId} and id = ${id}
        returning ${columns}`,
  );
  return rows[0] ?? null;
}

export async function deleteAnnotation(on: Queryable, projectId: number, id: number): Promise<AnnotationRow | null> {
  const rows = await query<AnnotationRow>(
    on,
    sql`delete from annotations where project_id = ${projectId} and id = ${id} returning ${columns}`,
  );
  return rows[0] ?? null;
}

function time(ms: number): Sql {
  return sql`${new Date(ms)}::timestamptz`;
}
