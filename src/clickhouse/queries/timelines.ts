/**
 * What each actor did, in order, for the engine's own algorithms (src/columns/kernels): ClickHouse chooses events, unites persons and puts in order; funnels and paths
 * are found in this process, for some of the actors after the others.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import type { StepsPart } from '#src/columns/kernels/list-steps.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { fromEvents, person, type QueryParts, type Span, Unsupported } from './events.ts';
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
  const [all] = await parts.house.query<{ total: number }>(sql`select count() as total ${from}`);
  if ((all?.total ?? 0) > MAX_EVENTS) throw new Unsupported('too many events');
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
  const bits = kinds.map((kind, at) => sql`bitShiftLeft(toUInt32(${kind}), ${at})`);
  const event = sql`(ts, epoch, received_at, toString(uuid), ${sql.join(bits, sql` + `)}, ${keys?.number ?? sql`toInt64(0)`},
    ${withPersons ? person : sql`0`})`;
  // What a lambda names besides its arguments is copied for each element: it is an argument, too.
  const before = sql`arrayPushFront(arrayPopBack(arrayMap(each -> tupleElement(each, 5), every)), 1)`;
  const done = others
    ? sql`arrayFilter((each, before) -> tupleElement(each, 5) <> 0 or before <> 0, every, ${before})`
    : sql`every`;
  const element = (place: number) => sql`arrayMap(each -> tupleElement(each, ${place}), done)`;
  return sql`
    select actor, ${element(1)} as times, ${element(5)} as bits, ${keys === null ? sql`[]` : element(6)} as keys,
           ${withPersons ? element(7) : sql`[]`} as persons
      from (
        select actor, ${done} as done
          from (
            select ${actor} as actor, arraySort(groupArray(${event})) as every ${from}
             group by actor having arrayExists(each -> tupleElement(each, 5) <> 0, every)))`;
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
