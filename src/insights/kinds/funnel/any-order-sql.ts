/** SQL of the attempts of funnels in any order: a table `attempts`, in which step 2 is the second that was done, whichever it is. */
import type { FunnelQuery, Rules } from '#src/columns/columns.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { lengthSql } from '../../query/events-sql.ts';
import { carriesValues, type FunnelShape, ofStep, prefixed, prefixedKeys } from './funnel-shape.ts';

/** Each set of steps is looked at when the same event can be several of them: more than 63 sets would take too long. */
export const MAX_SHARED_STEPS = 6;

/** True unless no event can be two of the steps. */
export function canBeTheSame(steps: readonly Rules[]): boolean {
  const names = steps.map((rules) => rules.map((rule) => rule.names));
  if (names.some((own) => own.includes(null))) return true;
  const distinct = names.map((own) => new Set(own.flat()));
  return new Set(distinct.flatMap((own) => [...own])).size < distinct.reduce((sum, { size }) => sum + size, 0);
}

/** Tables up to `attempts`. */
export function anyOrderSql(shape: FunnelShape): Sql {
  const { asked } = shape;
  const { steps, windowMs } = asked;
  const all = steps.map((_, at) => at + 1);
  const joins = all.slice(1).map((step) => {
    const own = ofStep('done', step);
    return sql`
          left join numbered as ${own} on ${own}.place = begun.places[${step}] and ${own}.ts <= done_1.ts + ${lengthSql(windowMs)}`;
  });
  const columns = all.flatMap((step) =>
    ['place', 'ts', ...(carriesValues(shape) ? ['value'] : [])].map(
      (name) => sql`${ofStep('done', step)}.${sql.id(name)} as ${ofStep(name, step)}`,
    ),
  );
  const places = all.map((step) => sql`${ofStep('done', step)}.place`);
  return sql`${canBeTheSame(steps) ? sharedSql(shape) : distinctSql(shape)}
        ), attempts as (
        -- Every attempt within the conversion window.
        select ${prefixed(shape, sql`begun`)}, ${sql.join(columns)}, num_nonnulls(${sql.join(places)}) as reached,
          min(${places.at(-1)}) over own as finished, max(done_1.ts) over own as last_began
        from begun
          join numbered as done_1 on done_1.place = begun.places[1]${sql.join(joins, sql.empty)}
        window own as (partition by ${prefixedKeys(shape, sql`begun`)})`;
}

function isStep({ steps }: Pick<FunnelQuery, 'steps'>): Sql {
  return sql.join(
    steps.map((_, at) => ofStep('step', at + 1)),
    sql` or `,
  );
}

/** No event can be two steps: the first of each is as good as any. */
function distinctSql({ asked, keys }: FunnelShape): Sql {
  const all = asked.steps.map((_, at) => at + 1);
  const firsts = all.map(
    (step) => sql`min(place) filter (where ${ofStep('step', step)}) over later as ${ofStep('from', step)}`,
  );
  return sql`ahead as (
        -- For each event, where the first that can be each step lies, from it on.
        select *, ${sql.join(firsts)}
        from numbered
        window later as (partition by ${keys} order by place desc)
        ), begun as (
        -- An attempt begins with each step. The first of each other step is done, in the order in which they lie.
        select *, array(
          select place
          from unnest(array[${sql.join(all.map((step) => ofStep('from', step)))}]) as place
          where place is not null
          order by place) as places
        from ahead
        where ${isStep(asked)}`;
}

/**
 * An event can be several steps, of which it does one. By Hall's theorem, so many different steps can be done by some events when every set
 * of steps that is large enough has enough events.
 */
function sharedSql(shape: FunnelShape): Sql {
  const { asked, keys, isByValue, hasComparison } = shape;
  const count = asked.steps.length;
  const mask = asked.steps.map((_, at) => sql`${ofStep('step', at + 1)}::int * ${2 ** at}`);
  const sameActor = [
    sql`nth.person = begun.person`,
    ...(hasComparison ? [sql`nth.span = begun.span`] : []),
    ...(isByValue ? [sql`nth.said is not distinct from begun.said`] : []),
  ];
  return sql`sets as (
        -- Every set of steps, as bits of a number.
        select number as set, bit_count(number::bit(${count})) as size
        from generate_series(1, ${2 ** count - 1}) as number
        ), tallied as (
        -- How many events up to each are one of the steps of a set.
        select *, steps & set <> 0 as fits, count(*) filter (where steps & set <> 0) over (partition by ${keys}, set order by place) as rank
        from (select *, ${sql.join(mask, sql` + `)} as steps from numbered) as numbered
          cross join sets
        ), reached as (
        -- An attempt has done so many steps when each set that is not left out as a whole has had enough events.
        select begun.place, steps_done, case when count(nth.place) = count(*) then max(nth.place) end as reached_at
        from tallied as begun
          join generate_series(1, ${count}) as steps_done on begun.size > ${count} - steps_done
          left join tallied as nth
            on ${sql.join(sameActor, sql` and `)} and nth.set = begun.set and nth.fits
              and nth.rank = begun.rank - begun.fits::int + begun.size - ${count} + steps_done
        where begun.steps <> 0
        group by begun.place, steps_done
        ), begun as (
        -- An attempt begins with each event that can be a step.
        select numbered.*, own.places
        from numbered
          join (select place, array_agg(reached_at order by steps_done) as places from reached group by place) as own using (place)`;
}
