/** The SQL of paths: a row for each transition. */
import type { PathsQuery } from '#src/columns/columns.ts';
import { stepBefore } from '#src/columns/values.ts';
import { pageSpelling } from '#src/kit/pages/values.ts';
import { likePattern } from '#src/kit/patterns/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { QueryContext } from '../../define.ts';
import { actorSql, allOf, hasActorSql, inOrder, lengthSql, rowsOfScope } from '../../query/events-sql.ts';
import { fromEvents, type Rows } from '../../query/rows.ts';
import { viewNames } from '../../query/scope.ts';
import { eventTextSql } from '../../query/value-sql.ts';
import { attemptsSql, isBeyondSql } from '../funnel/attempts-sql.ts';
import { answersSql } from '../funnel/explain.ts';
import { ofStep, shapeOf } from '../funnel/funnel-shape.ts';
import type { PathsInput } from './contract.ts';
import { preparePaths, stepPatterns } from './run.ts';

/** Null: from a funnel whose statement cannot be written. */
export async function explainPaths(context: QueryContext, input: PathsInput): Promise<Sql | null> {
  const { asked } = await preparePaths(context, input);
  const { after, length, start, end } = asked;
  const shape = after && shapeOf(after.funnel);
  if (shape !== null && isBeyondSql(shape)) return null;
  const rows = rowsOfScope(context, asked, asked.span);
  const funnel =
    shape === null || after === null
      ? sql.empty
      : sql`${attemptsSql(context, shape)}
        ), ${answersSql(shape)}
        ), starts as (${startsSql(after)}
        ), `;
  return sql`
        with ${funnel}named as (${namedSql(rows, asked, input)}
        ), ${dividedSql(asked)}
        ), visited as (
        -- Equal steps that follow each other are one.
        select person, path, place, ts, node
        from (
          select *, lag(node) over (partition by person, path order by place) as before
          from divided
        ) as each
        where node is distinct from before
        ), ${boundedSql(asked)}
        ), listed as (${listedSql({ start, end, length })}
        ), transitions as (
        select person, step, node as "from", ts, lead(step) over own is not null as leads, lead(node) over own as "to", lead(ts) over own as next_ts
        from listed
        window own as (partition by person, path order by step)
        )
        select step, "from", "to", count(*) as count, count(distinct person) as people,
          extract(epoch from sum(next_ts - ts)) / count(*) as "meanSeconds",
          (select count(*) from (select distinct person, path from listed) as own) as paths,
          count(*) over () as edges, sum(count(*)) over () as "edgesCount"
        from transitions
        where leads
        group by step, "from", "to"
        having count(*) >= ${input.minCount}${input.maxCount === undefined ? sql.empty : sql` and count(*) <= ${input.maxCount}`}
        order by count(*) desc, step, coalesce("from", '') collate "C", coalesce("to", '') collate "C"
        limit ${input.limit}`;
}

/** Pages and events by their names; what matches a pattern has the pattern's. */
function namedSql(rows: Rows, { of }: PathsQuery, input: PathsInput): Sql {
  const { stepType } = input;
  const page = eventTextSql(rows, ['$pathname', '$screen_name']);
  const name = sql`(select name from event_names where project_id = ${rows.projectId} and number = events.event)`;
  const isView = sql`called.event = any(${[...viewNames]}::text[])`;
  const own = sql`when called.event not like '$%' then called.event`;
  const view = sql`when ${isView} then ${page}`;
  const cases = { pages: [view], events: [sql`when ${isView} then ''`, own], all: [view, own] }[stepType];
  const joined = sql`
          cross join lateral (
          select ${name} as event
          ) as called
          cross join lateral (
          select coalesce(case ${sql.join(cases, sql` `)} end, '') as name
          ) as said
          cross join lateral (
          select ${nodeSql(input)} as node
          ) as its`;
  const where = allOf(sql`said.name <> '' and its.node is not null`, hasActorSql(of));
  return sql`
        -- Steps of everybody, in the order in which they happened.
        select ${actorSql(of)} as person, events.ts, row_number() over (order by ${inOrder}) as place, its.node
        ${fromEvents(rows, { names: stepType === 'pages' ? viewNames : null, joined, where })}`;
}

function nodeSql(input: PathsInput): Sql {
  const { groups, exclude } = stepPatterns(input);
  const fits = (pattern: string) => {
    const texts = [...new Set([pattern, pageSpelling(pattern)])];
    return sql.join(
      texts.map((text) => (text.includes('*') ? sql`said.name like ${likePattern(text)}` : sql`said.name = ${text}`)),
      sql` or `,
    );
  };
  const cases = [
    ...exclude.map((pattern) => sql`when ${fits(pattern)} then null`),
    ...groups.map((pattern) => sql`when ${fits(pattern)} then ${pattern}`),
  ];
  return cases.length === 0 ? sql`said.name` : sql`case ${sql.join(cases, sql` `)} else said.name end`;
}

/** Tables up to `divided`: the steps of each path. */
function dividedSql({ pauseMs, after }: PathsQuery): Sql {
  const pause = lengthSql(pauseMs);
  if (after === null) {
    return sql`paused as (
        -- A pause begins another path.
        select *, coalesce(ts - lag(ts) over own >= ${pause}, true) as begins
        from named
        window own as (partition by person order by place)
        ), divided as (
        select *, count(*) filter (where begins) over (partition by person order by place) as path
        from paused`;
  }
  return sql`paused as (
        -- What they did from their last step of the funnel on.
        select starts.person, starts.path, named.ts, named.place, named.node,
          named.ts - coalesce(lag(named.ts) over own, starts.since) >= ${pause} as ends
        from starts
          join named on named.person = starts.person and named.ts >= starts.since
        window own as (partition by starts.path order by named.place)
        ), divided as (
        -- Up to a pause.
        select *
        from (
          select *, bool_or(ends) over (partition by path order by place) as is_over
          from paused
        ) as each
        where not is_over`;
}

/** Tables up to `ended`: from the first start point on, and up to the first end point after it, with numbers of the steps. */
function boundedSql({ start, end }: Pick<PathsQuery, 'start' | 'end'>): Sql {
  const within = (from: Sql, name: Sql, node: string, isKept: Sql) => sql`${name} as (
        select *
        from (
          select *, min(place) filter (where node = ${node}) over (partition by person, path) as point
          from ${from}
        ) as each
        where ${isKept}
        ), `;
  const begun = start === null ? sql.empty : within(sql`visited`, sql`begun`, start, sql`place >= point`);
  const from = start === null ? sql`visited` : sql`begun`;
  const bounded = end === null ? sql.empty : within(withoutPoint(from), sql`bounded`, end, sql`place <= point`);
  return sql`${begun}${bounded}ended as (
        -- ${start === null ? sql`From the first step of a path` : sql`From the first start point`}${end === null ? sql` on.` : sql` up to the first end point after it.`}
        select person, path, ts, node, row_number() over own as step, count(*) over (partition by person, path) as steps
        from ${end === null ? from : sql`bounded`}
        window own as (partition by person, path order by place)
        `;
}

function withoutPoint(table: Sql): Sql {
  return sql`(select person, path, place, ts, node from ${table}) as steps`;
}

/** The people of the number of a funnel, each with the time of their last step of it. */
function startsSql({ funnel, point }: NonNullable<PathsQuery['after']>): Sql {
  const { step, dropped, value } = point;
  const own = ofStep('ts', step);
  const times = funnel.steps.map((_, at) => ofStep('ts', at + 1));
  const row =
    value === undefined
      ? sql`"row" = 'total'`
      : value === null
        ? sql`"row" = 'other'`
        : sql`"row" = 'value' and value = ${value}`;
  const reached = dropped
    ? sql`${own} is null and ${ofStep('ts', stepBefore(step, funnel.optional))} is not null`
    : sql`${own} is not null`;
  return sql`
        -- ${dropped ? sql`Who dropped off before the step.` : sql`Who did the step of the funnel.`}
        select ${funnel.of === 'visits' ? sql`visitor` : sql`person`} as person, ${dropped ? sql`greatest(${sql.join(times)})` : own} as since,
          row_number() over () as path
        from answers
        where ${row} and ${reached}`;
}

/** So many steps of each path: the first ones, or with an end the last ones; with both the first and the last. */
function listedSql({ start, end, length }: Pick<PathsQuery, 'start' | 'end' | 'length'>): Sql {
  if (end === null) {
    return sql`
        -- The first steps.
        select *
        from ended
        where step <= ${length}`;
  }
  if (start === null) {
    return sql`
        -- The last steps.
        select person, path, ts, node, step - greatest(steps - ${length}, 0) as step
        from ended
        where step > steps - ${length}`;
  }
  const after = Math.floor((length - 1) / 2);
  const before = length - 1 - after;
  return sql`
        -- The first and the last steps of long paths, and one without a name for those between.
        select person, path, ts,
          case when steps <= ${length} or step <= ${before} or step > steps - ${after} then node end as node,
          case when steps > ${length} and step > steps - ${after} then step - steps + ${length} else step end as step
        from ended
        where steps <= ${length} or step <= ${before + 1} or step > steps - ${after}`;
}
