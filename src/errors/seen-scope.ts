/** Which occurrences a list of issues counts: of a range, with filters. */
import type { Knex } from 'knex';
import type { Columns, PersonNumbers } from '#src/columns/columns.ts';
import { localeOf, placeConditions } from '#src/columns/filters/date-times.ts';
import { filterSql } from '#src/columns/filters/filter-sql.ts';
import { refuseDroppedIn } from '#src/events/dropped.ts';
import type { Insights } from '#src/insights/insights.ts';
import { rulesIn } from '#src/kit/reading/reader.ts';
import { dayMs, formatDate, zoneOf } from '#src/kit/zone.ts';
import type { Project } from '#src/projects/projects.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { IssueScope } from './contract.ts';
import { ISSUE_DAYS, MAX_BARS } from './values.ts';

export interface SeenScope {
  /** `[from, to)` in ms. Hours are counted whole. */
  from: number;
  to: number;
  timeZone: string;
  /** Dates of the range, oldest first. */
  days: string[];
  /** How many of them a bar stands for. */
  daysPerBar: number;
  /** Of rows of `events`; null: all. */
  filters: Sql | null;
  persons: PersonNumbers | null;
  /** False: the usual days, without filters; issues without occurrences in them are listed, too. */
  isChosen: boolean;
}

export interface ScopeParts {
  insights: Pick<Insights, 'range' | 'people'>;
  columns: Pick<Columns, 'persons'>;
}

const HOUR_MS = 3_600_000;

/** The days that issues show unless others are chosen. */
export function usualScope({ timeZone }: Pick<Project, 'timeZone'>, now: number): SeenScope {
  const zone = zoneOf(timeZone);
  const last = zone.dayAt(now);
  const first = last - ISSUE_DAYS + 1;
  const plain = { filters: null, persons: null, isChosen: false };
  return { from: zone.startOfDay(first), to: now + dayMs, timeZone, ...datesOf(first, last), ...plain };
}

/** @throws AppError `invalid` for impossible ranges and filters, `unavailable` for filters of events that were dropped */
export async function scopeOf(
  { db, insights, columns }: ScopeParts & { db: Knex },
  project: Project,
  { range, filters, people }: IssueScope,
  now: number,
): Promise<SeenScope> {
  const usual = usualScope(project, now);
  if (range === undefined && filters === undefined && people === undefined) return usual;
  const { from, to } = range === undefined ? usual : await insights.range(project, range);
  const zone = zoneOf(project.timeZone);
  // Filters are those of events.
  if (filters !== undefined) await refuseDroppedIn(db, project.id, { from, to });
  const persons = await insights.people({ ...project, seesPersons: true }, people);
  const placed = placeConditions(filters, localeOf(project));
  const rows = { projectId: project.id, reading: rulesIn(project.settings), from, until: to };
  return {
    from: Math.floor(from / HOUR_MS) * HOUR_MS,
    to,
    timeZone: project.timeZone,
    ...datesOf(zone.dayAt(from), zone.dayAt(Math.min(to - 1, now))),
    filters: placed && placed.of.length > 0 ? filterSql(rows, placed) : null,
    persons: persons === null ? null : await columns.persons({ projectId: project.id, people: persons }),
    isChosen: true,
  };
}

function datesOf(first: number, last: number): Pick<SeenScope, 'days' | 'daysPerBar'> {
  const count = Math.max(1, last - first + 1);
  return {
    days: Array.from({ length: count }, (_, at) => formatDate(first + at)),
    daysPerBar: Math.ceil(count / MAX_BARS),
  };
}

/** Occurrences by bar. */
export function barsOf({ days, daysPerBar }: SeenScope, eventsOn: (day: string) => number): number[] {
  const bars = Array.from({ length: Math.ceil(days.length / daysPerBar) }, () => 0);
  days.forEach((day, at) => {
    // The newest bar is whole.
    const bar = bars.length - 1 - Math.floor((days.length - 1 - at) / daysPerBar);
    bars[bar] = (bars[bar] ?? 0) + eventsOn(day);
  });
  return bars;
}

/** Rows of occurrences, with the person as known today. Filters are those of the newest event of each person, visit and hour. */
export function occurrencesIn(projectId: number, { from, to, filters, persons }: SeenScope): Sql {
  const person = sql`coalesce(merged.new_person, ids.person)`;
  const events = sql`
      join events on events.project_id = hours.project_id and events.ts = hours.last_ts and events.uuid = hours.last_uuid`;
  return sql`
    select hours.issue, hours.hour, hours.events, hours.session_id, hours.release, hours.last_ts, hours.last_uuid, ${person} as person
      from issue_hours as hours
      join distinct_ids as ids on ids.project_id = hours.project_id and ids.number = hours.distinct_id
      left join person_overrides as merged on merged.project_id = hours.project_id and merged.old_person = ids.person
      ${filters === null ? sql.empty : events}
     where hours.project_id = ${projectId} and hours.hour >= ${sql.time(from)} and hours.hour < ${sql.time(to)}
       ${filters === null ? sql.empty : sql`and ${filters}`}
       ${persons === null ? sql.empty : sql`and ${byPersons(person, persons)}`}`;
}

function byPersons(person: Sql, { numbers, isExcept }: PersonNumbers): Sql {
  return isExcept ? sql`${person} <> all(${numbers}::int[])` : sql`${person} = any(${numbers}::int[])`;
}
