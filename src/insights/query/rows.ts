/** Shared SQL of explanations: counted events and visits, and their persons. */
import type { People } from '#src/columns/columns.ts';
import type { Filters, Traffic } from '#src/columns/contract.ts';
import { filterSql, namesSql } from '#src/columns/filters/filter-sql.ts';
import { peopleSql } from '#src/columns/filters/people-sql.ts';
import { eventMarks } from '#src/events/contract.ts';
import type { ReadingRules } from '#src/kit/reading/reader.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { viewNames } from './scope.ts';

export interface Rows {
  projectId: ProjectId;
  /** `[from, until)` in ms. */
  from: number;
  until: number;
  filters: Filters | null;
  people?: People | null | undefined;
  /** Included traffic. */
  include: readonly Traffic[];
  bounceSeconds: number;
  /** The project's rules for reading values. */
  reading?: ReadingRules | undefined;
}

/** Person of an event, after merges. */
export const eventPerson = sql`coalesce(merged.new_person, events.person)`;

export function bounced({ bounceSeconds }: Rows): Sql {
  return sql`visit.views + visit.screens + visit.autocaptures = 1
            and visit.last_ts - visit.first_ts < make_interval(secs => ${bounceSeconds})`;
}

interface EventSelection {
  /** Names of the events; null: any. */
  names: readonly string[] | null;
  joined?: Sql;
  where?: Sql;
  /** However late: in visits that began in the range. */
  isOpen?: boolean;
}

/** Matching events of the range, without bots and internal traffic unless they are included. */
export function fromEvents(rows: Rows, { names, joined = sql.empty, where, isOpen = false }: EventSelection): Sql {
  const { projectId, from, until } = rows;
  return sql`from events
          left join person_overrides as merged
            on merged.project_id = events.project_id and merged.old_person = events.person${joined}
        where events.project_id = ${projectId}
          and events.ts >= ${sql.time(from)}
          ${isOpen ? sql.empty : sql`and events.ts < ${sql.time(until)}`}
          ${names === null ? sql.empty : sql`and ${namesSql(rows, names)}`}
          ${marksKept(rows)}
          ${filtered(rows)}
          ${where === undefined ? sql.empty : sql`and ${where}`}`;
}

/** Visits that started in the range and have a (matching) view, without bots and internal traffic unless they are included. */
export function fromVisits(rows: Rows, joined: Sql = sql.empty): Sql {
  const { projectId, from, until, filters, people } = rows;
  return sql`from sessions as visit
          left join person_overrides as merged
            on merged.project_id = visit.project_id and merged.old_person = visit.person${joined}
        where visit.project_id = ${projectId}
          and visit.first_ts >= ${sql.time(from)}
          and visit.first_ts < ${sql.time(until)}
          and visit.views + visit.screens > 0
          ${visitsKept(rows)}
          ${
            filters === null && !people
              ? sql.empty
              : sql`and visit.id in (
            select events.session_id from events
            where events.project_id = ${projectId} and events.ts >= ${sql.time(from)}
              and ${namesSql(rows, viewNames)}
              ${filtered(rows)})`
          }`;
}

const both = eventMarks.bot | eventMarks.internal;

/** Marks of the excluded kind when only the other is included. */
function markLeft({ include }: Rows): number | null {
  if (include.includes('bots') === include.includes('internal')) return null;
  return include.includes('bots') ? both : eventMarks.bot;
}

function marksKept(rows: Rows): Sql {
  if (rows.include.length === 0) return sql`and events.marks & ${eventMarks.bot} = 0`;
  const left = markLeft(rows);
  return left === null ? sql.empty : sql`and events.marks & ${both} <> ${left}`;
}

/** Added to the conditions on `visit`: visits with excluded events are not counted. */
export function visitsKept(rows: Rows): Sql {
  if (rows.include.length === 0) return sql`and not visit.bot`;
  const left = markLeft(rows);
  if (left === null) return sql.empty;
  return sql`and not exists (
            select from events
            where events.project_id = ${rows.projectId} and events.ts >= ${sql.time(rows.from)}
              and events.session_id = visit.id and events.marks & ${both} = ${left})`;
}

function filtered({ filters, people, include: _, ...rows }: Rows): Sql {
  const asked = { ...rows, asEngine: true };
  const conditions = [
    ...(filters === null ? [] : [filterSql(asked, filters)]),
    ...(people ? [peopleSql(asked, people)] : []),
  ];
  return conditions.length === 0 ? sql.empty : sql`and ${sql.join(conditions, sql` and `)}`;
}
