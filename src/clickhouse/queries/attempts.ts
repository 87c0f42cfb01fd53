/** The best attempt of each person along the steps of a funnel, in ClickHouse's SQL. */
import { type Sql, sql } from '#src/store/sql.ts';
import { fromEvents, person, type QueryParts, type Span } from './events.ts';

export interface AttemptsQuery {
  /** True of the events of each step. */
  steps: readonly Sql[];
  /** From the first step to the last, at most. */
  windowMs: number;
  /** True of the events that count. */
  kept: Sql;
}

/** The order of events: of one moment, what was stored first comes first. */
export const eventOrder = sql`(ts, epoch, received_at, toString(uuid))`;

/**
 * A row for each person who entered (`actor`): the `times` of the furthest attempt's steps, of several the one that began first, and when they began `last`.
 * Each step is done as soon as it can be after the one before.
 */
export function attemptsSql(parts: QueryParts, span: Span, { steps, windowMs, kept }: AttemptsQuery): Sql {
  const bits = steps.map((rule, step) => sql`bitShiftLeft(toUInt32(${rule}), ${step})`);
  const isStep = sql`(${sql.join(steps, sql` or `)})`;
  return sql`
    select actor, arrayFirst(each -> length(each) = arrayMax(one -> length(one), attempts), attempts) as times,
           tupleElement(arrayLast(each -> bitTest(tupleElement(each, 5), 0), done), 1) as last
      from (
        select actor, done, arrayMap(
                 at -> arrayFold(
                   (times, each) -> if(length(times) < ${steps.length} and bitTest(tupleElement(each, 5), length(times))
                                       and tupleElement(each, 1) - times[1] <= ${windowMs},
                                       arrayPushBack(times, tupleElement(each, 1)), times),
                   arraySlice(done, at + 1), [tupleElement(done[at], 1)]),
                 arrayFilter(at -> bitTest(tupleElement(done[at], 5), 0), arrayEnumerate(done))) as attempts
          from (
            select ${person} as actor, arraySort(groupArray((ts, epoch, received_at, toString(uuid), ${sql.join(bits, sql` + `)}))) as done
              ${fromEvents(parts, span, sql`${kept} and ${isStep}`)}
             group by actor))
     where notEmpty(attempts)`;
}
