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
  const begun = sql`arrayFilter(each -> notEmpty(each), ${coursesSql(steps.length)})`;
  // What a lambda names besides its arguments is copied for each element: nothing that is as long as a person's history.
  return sql`
    select actor, arrayFirst(each -> length(each) = furthest, attempts) as times, last
      from (
        select actor, last, attempts, arrayMax(each -> length(each), attempts) as furthest
          from (
            select actor, arrayMap(each -> arrayFilter(moment -> moment - each[1] <= ${windowMs}, each), ${begun}) as attempts,
                   arrayLast((moment, does) -> bitTest(does, 0), moments, bits) as last
              from (
                select actor, arrayMap(each -> tupleElement(each, 1), done) as moments, arrayMap(each -> tupleElement(each, 5), done) as bits
                  from (
                    select ${person} as actor,
                           arraySort(groupArray((ts, epoch, received_at, toString(uuid), ${sql.join(bits, sql` + `)}))) as done
                      ${fromEvents(parts, span, sql`${kept} and ${isStep}`)}
                     group by actor))))
     where notEmpty(attempts)`;
}

/**
 * For each event (`moments`, `bits`): when the steps from it on are done, as far as they are; none where it is not the first step. From the last step to
 * the first: an event that is a step is followed by what follows the event after it, and any other by what follows the next one that is.
 */
function coursesSql(steps: number): Sql {
  const none = sql`emptyArrayInt64()`;
  const lastOnes = sql`arrayMap((does, moment) -> if(bitTest(does, ${steps - 1}), [moment], ${none}), bits, moments)`;
  return Array.from({ length: steps - 1 }, (_, at) => steps - 2 - at).reduce((later, step) => {
    const next = sql`arrayPushBack(arrayPopFront(arrayReverseFill(each -> notEmpty(each), ${later})), ${none})`;
    return sql`arrayMap((does, moment, rest) -> if(bitTest(does, ${step}), arrayPushFront(rest, moment), ${none}), bits, moments, ${next})`;
  }, lastOnes);
}
