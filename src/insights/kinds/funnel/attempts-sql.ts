/**
 * SQL of the attempts of a funnel: a table `entered` with a row for each person (or visit, or group) who began: when they did each step
 * (`ts_1` and so on; null: they did not), by the rules of src/columns/queries/funnels.ts.
 */
import type { FunnelQuery } from '#src/columns/columns.ts';
import { stepBefore } from '#src/columns/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { QueryContext } from '../../define.ts';
import { actorSql, allOf, hasActorSql, lengthSql, rowsOfScope, rulesSql } from '../../query/events-sql.ts';
import { eventPerson, fromEvents } from '../../query/rows.ts';
import { valueSql } from '../../query/value-sql.ts';
import { anyOrderSql, canBeTheSame, MAX_SHARED_STEPS } from './any-order-sql.ts';
import { carriesValues, type FunnelShape, ofStep, prefixed, prefixedKeys } from './funnel-shape.ts';

/** True when the statement cannot be written: in any order, with many steps that the same event can be. */
export function isBeyondSql({ asked: { order, steps } }: Pick<FunnelShape, 'asked'>): boolean {
  return order === 'any' && steps.length > MAX_SHARED_STEPS && canBeTheSame(steps);
}

/** Tables up to `entered`, without the first `with` and the last bracket. */
export function attemptsSql(context: QueryContext, shape: FunnelShape): Sql {
  const { asked, keys, isByValue } = shape;
  const { exclusions, by, order } = asked;
  const between = order === 'any' ? anyOrderSql(shape) : inTurnSql(shape);
  const isKept = sql`(${excludedKeys(shape)}) not in (select ${excludedKeys(shape)} from excluded)`;
  return sql`done as (${doneSql(context, shape)}
        ), ${isByValue ? byValueSql(shape) : sql.empty}numbered as (
        -- In the order in which they happened.
        select *, row_number() over (order by ts, epoch, received_at, uuid) as place
        from ${isByValue ? sql`valued` : sql`done`}
        ), ${between}${
          exclusions.length === 0
            ? sql.empty
            : sql`
        ), excluded as (${excludedSql(shape)}`
        }
        ), best as (
        -- The attempt that comes furthest. Of several, the one that began first.
        select distinct on (${keys}) *
        from attempts
        ${exclusions.length === 0 ? sql.empty : sql`where ${isKept}`}
        order by ${keys}, reached desc, place_1
        ), entered as (${enteredSql(shape, by !== null && !isByValue)}`;
}

/** Flags of steps and exclusions. */
function flagsOf({ asked: { steps, exclusions } }: FunnelShape): Sql[] {
  return [...steps.map((_, at) => ofStep('step', at + 1)), ...exclusions.map((_, at) => ofStep('exclusion', at + 1))];
}

function doneSql(context: QueryContext, shape: FunnelShape): Sql {
  const { span, earlier } = shape.asked;
  const now = eventsOf(context, shape, span, 'range');
  if (earlier === null) return now;
  return sql`${now}
        union all${eventsOf(context, shape, earlier.span, 'comparison')}`;
}

function eventsOf(
  context: QueryContext,
  shape: FunnelShape,
  span: FunnelQuery['span'],
  name: 'range' | 'comparison',
): Sql {
  const { asked, hasComparison } = shape;
  const { steps, exclusions, by, of, order } = asked;
  const rows = rowsOfScope(context, asked, span);
  const decimal = context.scope.settings.decimalSeparator ?? 'point';
  const flags = flagsOf(shape);
  const rules = [...steps, ...exclusions.map((each) => each.rules)].map((each) => rulesSql(rows, each));
  const columns = rules.map((rule, at) => sql`${rule} as ${flags[at]}`);
  const joined = sql`
          cross join lateral (
          select ${sql.join(columns)}
          ) as does`;
  const isOne = order === 'strict' ? null : sql`(${sql.join(flags, sql` or `)})`;
  return sql`
        -- ${order === 'strict' ? sql`All events of the range: others between the steps end an attempt.` : sql`Events of the range that are a step or exclude.`}
        select ${hasComparison ? sql`${name}::text as span, ` : sql.empty}${actorSql(of)} as person${
          of === 'visits' ? sql`, ${eventPerson} as visitor` : sql.empty
        }, events.ts, events.epoch, events.received_at, events.uuid${
          by === null ? sql.empty : sql`, ${valueSql(rows, by, decimal)} as value`
        }, does.*
        ${fromEvents(rows, { names: null, joined, where: allOf(hasActorSql(of), isOne) })}`;
}

/** For each value once more: steps count if they have it. */
function byValueSql(shape: FunnelShape): Sql {
  const { asked, hasComparison } = shape;
  const { attribution, steps, exclusions } = asked;
  const chosen = typeof attribution === 'object' ? attribution.step : null;
  const flags = steps.map((_, at) => {
    const flag = ofStep('step', at + 1);
    return chosen === null || chosen === at + 1 ? sql`${flag} and done.value = own.value` : flag;
  });
  const others = exclusions.map((_, at) => ofStep('exclusion', at + 1));
  const keys = hasComparison ? sql`span, person` : sql`person`;
  const carried = sql.join([
    ...(asked.of === 'visits' ? [sql`visitor`] : []),
    sql`ts, epoch, received_at, uuid, done.value`,
  ]);
  return sql`valued as (
        -- For the total, and once more for each value${chosen === null ? sql`, which all steps must have` : sql` that the chosen step must have`}.
        select null::text as said, ${keys}, ${carried}, ${sql.join(flagsOf(shape))}
        from done
        union all
        select own.value, ${keys}, ${carried}, ${sql.join([...flags, ...others])}
        from done
          join (select distinct ${keys}, value from done) as own using (${keys})
        ), `;
}

/** Tables `followed` and `attempts`: each step is done at the first event after the one before that can be it. */
function inTurnSql(shape: FunnelShape): Sql {
  const { asked, keys, needed } = shape;
  const { order, steps, windowMs } = asked;
  const isStrict = order === 'strict';
  const later = steps.map((_, at) => at + 1).slice(1);
  const next = later.map((step) =>
    isStrict
      ? sql`case when lead(${ofStep('step', step)}) over later then lead(place) over later end as ${ofStep('next', step)}`
      : sql`min(place) filter (where ${ofStep('step', step)}) over later as ${ofStep('next', step)}`,
  );
  const joins = needed.slice(1).map((step, at) => {
    const [own, before] = [ofStep('done', step), ofStep('done', needed[at] as number)];
    return sql`
          left join followed as ${own}
            on ${own}.place = ${before}.${ofStep('next', step)} and ${own}.ts <= done_1.ts + ${lengthSql(windowMs)}`;
  });
  const columns = needed.flatMap((step) =>
    ['place', 'ts', ...(carriesValues(shape) ? ['value'] : [])].map(
      (name) => sql`${ofStep('done', step)}.${sql.id(name)} as ${ofStep(name, step)}`,
    ),
  );
  const places = needed.map((step) => sql`${ofStep('done', step)}.place`);
  return sql`followed as (
        -- For each event, where the next one that can be each later step lies.
        select *${isStrict ? sql`, row_number() over later as number` : sql.empty}, ${sql.join(next)}
        from numbered
        window later as (partition by ${keys} order by place ${
          isStrict ? sql.empty : sql`desc rows between unbounded preceding and 1 preceding`
        })
        ), attempts as (
        -- Every attempt: from each first step on, within the conversion window.
        select ${prefixed(shape, sql`done_1`)}${isStrict ? sql`, done_1.number` : sql.empty}, ${sql.join(columns)}, num_nonnulls(${sql.join(places)}) as reached,
          min(${places.at(-1)}) over own as finished, max(done_1.ts) over own as last_began
        from followed as done_1${sql.join(joins, sql.empty)}
        where done_1.step_1
        window own as (partition by ${prefixedKeys(shape, sql`done_1`)})`;
}

function excludedKeys({ hasComparison }: FunnelShape): Sql {
  return hasComparison ? sql`span, person` : sql`person`;
}

/** Who did an exclusion while an attempt had done the one step and not yet the other, unless they came to the end before. */
function excludedSql(shape: FunnelShape): Sql {
  const { asked, isByValue, hasComparison } = shape;
  const { exclusions, windowMs, order } = asked;
  const conditions = exclusions.map(({ after, before }, at) => {
    const own = allOf(
      sql`wrong.${ofStep('exclusion', at + 1)}`,
      sql`wrong.place > attempts.${ofStep('place', after)}`,
      sql`wrong.place <= coalesce(attempts.${ofStep('place', before)}, wrong.place)`,
    );
    return sql`(${own})`;
  });
  const isNext = order === 'strict' ? sql`wrong.number <= attempts.number + attempts.reached` : null;
  const keys = prefixedKeys({ ...shape, isByValue: false }, sql`attempts`);
  const where = allOf(
    isByValue ? sql`attempts.said is null and wrong.said is null` : null,
    sql`wrong.ts <= attempts.ts_1 + ${lengthSql(windowMs)}`,
    sql`wrong.place <= coalesce(attempts.finished, wrong.place)`,
    isNext,
    sql`(${sql.join(conditions, sql` or `)})`,
  );
  return sql`
        -- Who did what excludes between two steps of an attempt.
        select distinct ${keys}
        from attempts
          join ${order === 'any' ? sql`numbered` : sql`followed`} as wrong on wrong.person = attempts.person${
            hasComparison ? sql` and wrong.span = attempts.span` : sql.empty
          }
        where ${where}`;
}

/** With the optional steps, and the value of each row. */
function enteredSql(shape: FunnelShape, hasValue: boolean): Sql {
  const { asked, needed } = shape;
  const { steps, optional, windowMs, attribution } = asked;
  const inOrderOfSteps = steps.map((_, at) => at + 1);
  const tableOf = (step: number) => (optional.includes(step) ? ofStep('done', step) : sql`best`);
  const columnOf = (name: string, step: number) =>
    optional.includes(step) ? sql`${tableOf(step)}.${sql.id(name)}` : sql`best.${ofStep(name, step)}`;
  const joins = inOrderOfSteps
    .filter((step) => optional.includes(step))
    .map((step) => {
      const previous = stepBefore(step, optional);
      const since = inOrderOfSteps.slice(previous - 1, step - 1).reverse();
      const places = since.map((each) => columnOf('place', each));
      const next = needed.find((each) => each > step) as number;
      const [own, before] = [ofStep('done', step), ofStep('before', step)];
      return sql`
          left join followed as ${before}
            on ${before}.place = coalesce(${sql.join(places)})
          left join followed as ${own}
            on ${own}.place = ${before}.${ofStep('next', step)} and ${own}.ts <= best.ts_1 + ${lengthSql(windowMs)}
              and ${own}.place < coalesce(best.${ofStep('place', next)}, ${own}.place + 1)`;
    });
  const times = inOrderOfSteps
    .filter((step) => optional.includes(step))
    .map((step) => sql`, ${columnOf('ts', step)} as ${ofStep('ts', step)}`);
  const values =
    attribution === 'last' ? inOrderOfSteps.toReversed().map((step) => columnOf('value', step)) : [sql`best.value_1`];
  const value = hasValue ? sql`, coalesce(${sql.join(values)}) as value` : sql.empty;
  return sql`
        ${optional.length > 0 ? sql`-- Optional steps lie after the step before and before the next required one.` : sql`-- Who began, and when they did each step.`}
        select best.*${times.length === 0 ? sql.empty : sql.join(times, sql.empty)}${value}
        from best${joins.length === 0 ? sql.empty : sql.join(joins, sql.empty)}`;
}
