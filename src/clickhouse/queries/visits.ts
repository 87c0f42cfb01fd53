/** The visits of a query: those that hold a view, are no bot's, and hold an event that the filters keep. */
import type { Question } from '#src/columns/columns.ts';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { BOUNCE_MS } from '#src/columns/queries/answer.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { visitSql } from './conditions.ts';
import { fromEventsAlone, isBot, isInternal, type QueryParts, type Span, tableSql } from './events.ts';
import { keptSql, namesSql } from './scope.ts';

type VisitScope = Pick<Question, 'views' | 'filters' | 'people' | 'include'>;

export interface Visits {
  /** Visits of the span that count, as `visits`, with what follows `from`. */
  from: Sql;
  /** From its beginning to the end of its visits. */
  whole: Span;
}

/** The visits that began in a span. */
export async function visitsIn(parts: QueryParts, scope: VisitScope, span: Span): Promise<Visits> {
  const { filters, people, include = [] } = scope;
  const whole = { from: span.from, until: await endOfVisits(parts, span) };
  const conditions = [sql`views + screens > 0`, ...(include.length === 0 ? [sql`bot = 0`] : [])];
  if (filters !== null || people) {
    const [visited, others] = conditionsOnVisits(filters);
    const [named, kept, ...fits] = await Promise.all([
      namesSql(parts, scope.views),
      keptSql(parts, { people, filters: others }, whole),
      ...visited.map((condition) => visitSql(parts, condition, whole)),
    ]);
    conditions.push(...fits, sql`id in (${visitsWith(parts, whole, sql`${named} and ${kept}`)})`);
  }
  // Visits do not say why they are left out: their events do.
  if (include.length === 1) {
    const left = include.includes('bots') ? isInternal : isBot;
    conditions.push(sql`id not in (${visitsWith(parts, whole, left)})`);
  }
  return { whole, from: sql`from ${begunIn(parts, span)} as visits where ${sql.join(conditions, sql` and `)}` };
}

/** Conditions that all events of a visit fulfil, or none, and the others; all of them hold. */
function conditionsOnVisits(filters: Filters | null): [FilterCondition[], Filters | null] {
  if (filters === null || filters.match !== 'all') return [[], filters];
  const isOnVisit = (item: Filters['of'][number]): item is FilterCondition =>
    'about' in item && item.about === 'session';
  return [filters.of.filter(isOnVisit), { ...filters, of: filters.of.filter((item) => !isOnVisit(item)) }];
}

/** Numbers of the visits that hold an event, of any traffic. */
export function visitsWith(parts: QueryParts, span: Span, kept: Sql): Sql {
  return sql`select events.session_id ${fromEventsAlone(parts, span, sql`events.session_id <> 0 and ${kept}`)}`;
}

function begunIn(parts: QueryParts, { from, until }: Span): Sql {
  return sql`(
    select id, first_ts, last_ts, last_ts - first_ts as length, views, screens, autocaptures, bot, device, geo, source, entry_page, exit_page
      from ${tableSql(parts, 'sessions')} final
     where project_id = ${parts.projectId} and first_ts >= ${from} and first_ts < ${until})`;
}

/** Up to when the visits that began in a span last, also by an earlier version of one: nothing of theirs is later. */
async function endOfVisits(parts: QueryParts, { from, until }: Span): Promise<number> {
  const [row] = await parts.house.query<{ last: number }>(
    sql`select max(last_ts) as last from ${tableSql(parts, 'sessions')}
         where project_id = ${parts.projectId} and first_ts >= ${from} and first_ts < ${until} and deleted = 0`,
  );
  return Math.max(until, (row?.last ?? 0) + 1);
}

/** True of visits with one thing done that were over at once. */
export function isBounce(bounceMs: number = BOUNCE_MS): Sql {
  return sql`(views + screens + autocaptures = 1 and length < ${bounceMs})`;
}
