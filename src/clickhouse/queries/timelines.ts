/**
 * What each actor did, in order, for the engine's own algorithms (src/columns/kernels): ClickHouse chooses events, unites persons and puts in order; funnels and paths
 * are found in this process, for some of the actors after the others.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import type { StepsPart } from '#src/columns/kernels/list-steps.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { orderOfEvents } from './attempts.ts';
import { fromEvents, fromEventsAlone, person, type QueryParts, type Span, Unsupported } from './events.ts';
import type { Keys } from './keys.ts';

export interface TimelinesQuery {
  /** SQL: number of the actor of an event; 0: none. */
  actor: Sql;
  /** True of the events of each kind: the bit of each is its place. */
  kinds: readonly Sql[];
  /** True of the events that count. */
  kept: Sql;
  /** Also events of no kind, once for all that is on end. */
  others: boolean;
  /** Values of events; null: none. */
  keys: Keys | null;
  /** Also whose each event is. */
  withPersons?: boolean;
}

/** Events of a part, about, and of all at most: more are left to the engine. */
const EVENTS_AT_ONCE = 200_000;
const MAX_EVENTS = 5_000_000;

/** The steps of some of the actors at a time, each of whom is in one part. Keys are texts; 0: ''. */
export async function* timelinesOf(parts: QueryParts, span: Span, query: TimelinesQuery): AsyncGenerator<StepsPart> {
  const { actor, kinds, others, keys } = query;
  const isStep = sql`(${sql.join(kinds, sql` or `)})`;
  const kept = sql`${query.kept} and ${others ? sql`1` : isStep} and ${actor} <> 0`;
  const from = fromEvents(parts, span, kept, keys?.join);
  // Without conditions they are counted at once.
  for (const some of [fromEventsAlone(parts, span, sql`1`), from]) {
    const [all] = await parts.house.query<{ total: number }>(sql`select count() as total ${some}`);
    if ((all?.total ?? 0) <= MAX_EVENTS) break;
    if (some === from) throw new Unsupported('too many events');
  }
  let [some, events]: [Timeline[], number] = [[], 0];
  for await (const rows of parts.house.stream<Timeline>(timelinesSql(from, query))) {
    for (const row of rows) {
      some.push(row);
      events += row.times.length;
      if (events < EVENTS_AT_ONCE) continue;
      yield partOf(some, span.from, query);
      [some, events] = [[], 0];
      await breathe();
    }
  }
  if (some.length > 0) yield partOf(some, span.from, query);
}

interface Timeline {
  actor: number;
  times: number[];
  bits: number[];
  keys: number[];
  persons: number[];
}

/** The order of storage decides between events of one moment. */
function timelinesSql(from: Sql, { actor, kinds, keys, others, withPersons }: TimelinesQuery): Sql {
  const bits = sql.join(
    kinds.map((kind, at) => sql`bitShiftLeft(toUInt32(${kind}), ${at})`),
    sql` + `,
  );
  const values = [...orderOfEvents, bits, keys?.number ?? sql`toInt8(0)`, withPersons ? person : sql`toInt8(0)`];
  const columns = values.map((_, at) => sql.id(`value_${at}`));
  const [bitsAt, keyAt, personAt] = [orderOfEvents.length, orderOfEvents.length + 1, orderOfEvents.length + 2];
  // What a lambda names besides its arguments is copied for each element: it is an argument, too.
  const bitsOf = sql`arrayMap(each -> tupleElement(each, ${bitsAt + 1}), every)`;
  const done = others
    ? sql`arrayFilter((each, before) -> tupleElement(each, ${bitsAt + 1}) <> 0 or before <> 0, every, arrayPushFront(arrayPopBack(${bitsOf}), 1))`
    : sql`every`;
  const element = (at: number) => sql`arrayMap(each -> tupleElement(each, ${at + 1}), done)`;
  return sql`
    select actor, ${element(0)} as times, ${element(bitsAt)} as bits, ${keys === null ? sql`[]` : element(keyAt)} as keys,
           ${withPersons ? element(personAt) : sql`[]`} as persons
      from (
        select actor, ${done} as done
          from (
            select actor, arraySort(arrayZip(${sql.join(columns)})) as every
              from (
                select ${actor} as actor, ${sql.join(values.map((value, at) => sql`groupArray(${value}) as ${columns[at]}`))} ${from}
                 group by actor)
             where arrayExists(each -> each <> 0, ${columns[bitsAt]})))`;
}

function partOf(
  rows: readonly Timeline[],
  base: number,
  { keys: named, withPersons = false }: Pick<TimelinesQuery, 'keys' | 'withPersons'>,
): StepsPart {
  const length = rows.reduce((sum, { times }) => sum + times.length, 0);
  const keyed = new Int32Array(length);
  const people = new Int32Array(length);
  const part: StepsPart = {
    keys: [0],
    keyed,
    actors: new Float64Array(length),
    times: new Float64Array(length),
    base,
    bits: new Int32Array(length),
    ...(withPersons && { persons: people }),
  };
  const known = new Map<number, number>([[0, 0]]);
  const placeOf = (number: number): number => {
    const found = known.get(number) ?? part.keys.push(named?.textOf(number) || 0) - 1;
    known.set(number, found);
    return found;
  };
  let to = 0;
  for (const { actor, times, bits, keys: own, persons } of rows) {
    for (let at = 0; at < times.length; at++) {
      part.actors[to] = actor;
      part.times[to] = (times[at] as number) - base;
      part.bits[to] = bits[at] as number;
      keyed[to] = placeOf(own[at] ?? 0);
      people[to++] = persons[at] ?? 0;
    }
  }
  return part;
}
