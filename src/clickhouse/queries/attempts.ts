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

/** The order of events: of one moment, what was stored first comes first. Lists of each are made faster than one of tuples. */
export const orderOfEvents = [sql`ts`, sql`epoch`, sql`received_at`, sql`toUInt128(uuid)`] as const;
const orderWithinMoment = sql`(${sql.join(orderOfEvents.slice(1))})`;

export interface FirstEventsQuery {
  /** SQL: number of the actor of an event; 0: none. */
  actor: Sql;
  /** True of the events that count. */
  kept: Sql;
  /** What is wanted of the first event, by name: values of events. */
  values: Readonly<Record<string, Sql>>;
  /** See `fromEvents`. */
  join: Sql | undefined;
}

/**
 * The first event of each `actor`: when it was (`moment`), and its values. Tuples are compared slowly: only those of events of the first moments are.
 */
export function firstEventsSql(parts: QueryParts, span: Span, { actor, kept, values, join }: FirstEventsQuery): Sql {
  const counted = sql`${kept} and ${actor} <> 0`;
  const moments = sql`select ${actor} as actor, min(ts) as moment ${fromEvents(parts, span, counted)} group by actor`;
  const firsts = Object.entries(values).map(
    ([name, value]) => sql`argMin(${value}, ${orderWithinMoment}) as ${sql.id(name)}`,
  );
  return sql`
    select ${actor} as actor, min(ts) as moment, ${sql.join(firsts)}
      ${fromEvents(parts, span, sql`${counted} and (toUInt64(${actor}), ts) in (select toUInt64(actor), moment from (${moments}))`, join)}
     group by actor`;
}

/**
 * A row for each person who entered (`actor`): the `times` of the furthest attempt's steps, of several the one that began first, and when they began `last`.
 * Each step is done as soon as it can be after the one before.
 */
export function attemptsSql(parts: QueryParts, span: Span, { steps, windowMs, kept }: AttemptsQuery): Sql {
  const bits = steps.map((rule, step) => sql`bitShiftLeft(toUInt32(${rule}), ${step})`);
  const isStep = sql`(${sql.join(steps, sql` or `)})`;
  const values = [...orderOfEvents, sql.join(bits, sql` + `)];
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
                    select ${person} as actor, arraySort(arrayZip(${sql.join(values.map((value) => sql`groupArray(${value})`))})) as done
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
