/** Funnels of persons in the order of their steps: the same figures as those of the engine (src/columns/queries/funnels.ts). */
import { type Funnel, type FunnelPart, type FunnelQuery, funnelTimes } from '#src/columns/columns.ts';
import { withoutNoise } from '#src/kit/numbers/decimals.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { fromEvents, person, type QueryParts, rulesSql, type Span, scopeSql, Unsupported } from './scope.ts';

/** @throws Unsupported for visits, groups, breakdowns, other orders, optional steps and exclusions */
export async function clickhouseFunnel(parts: QueryParts, asked: FunnelQuery): Promise<Funnel> {
  const { of, by, order, optional, exclusions, span, starts, earlier } = asked;
  if (of !== 'persons' || by !== null || order !== 'ordered' || optional.length > 0 || exclusions.length > 0)
    throw new Unsupported('funnel');
  const [now, before] = await Promise.all([
    funnelIn(parts, asked, span, starts),
    earlier && funnelIn(parts, asked, earlier.span, earlier.starts),
  ]);
  return { ...now, earlier: before && { total: before.total, rows: [] } };
}

interface FunnelRow {
  /** Interval of entry, steps that were done, and how many people. */
  reached: [number, number, number][];
  /** By step after the first: time from the step before, ms. */
  sums: number[];
  medians: number[];
  /** From the first step to the last, ms. */
  totals: number[];
  open: number;
}

async function funnelIn(
  parts: QueryParts,
  asked: FunnelQuery,
  span: Span,
  starts: readonly number[],
): Promise<Omit<Funnel, 'earlier'>> {
  const { steps, windowMs } = asked;
  const attempts = await attemptsSql(parts, asked, span);
  const [row] = await parts.house.query<FunnelRow>(
    sql`select arrayMap(each -> tuple(tupleElement(each, 1), tupleElement(each, 2), arrayCount(other -> other = each, all)), arrayDistinct(all)) as reached,
               sums, medians, totals, open
          from (
            select groupArray((toUInt32(indexOf(${[...starts]}, roundDown(times[1], ${[...starts]}))), toUInt32(length(times)))) as all,
                   sumForEach(took) as sums, quantileExactInclusiveForEach(0.5)(took) as medians,
                   groupArrayIf(times[-1] - times[1], length(times) = ${steps.length}) as totals,
                   countIf(length(times) < ${steps.length} and last + ${windowMs} > ${span.until}) as open
              from (select times, arrayPopFront(arrayDifference(times)) as took, last from (${attempts})))`,
  );
  const { reached = [], sums = [], medians = [], totals = [], open = 0 } = row ?? {};
  const courses = steps.map(() => new Array<number>(starts.length).fill(0));
  for (const [interval, done, people] of reached) {
    for (const course of courses.slice(0, done)) {
      const at = Math.max(interval - 1, 0);
      course[at] = (course[at] as number) + people;
    }
  }
  const counts = courses.map((course) => course.reduce((sum, count) => sum + count, 0));
  const total: FunnelPart = {
    value: '',
    ...middleOf(
      totals.reduce((sum, ms) => sum + ms, 0),
      totals.length,
      medianOf(totals),
    ),
    steps: courses.map((course, step) => ({
      count: counts[step] as number,
      course,
      ...middleOf(sums[step - 1] ?? 0, step === 0 ? 0 : (counts[step] as number), medians[step - 1] ?? 0),
    })),
  };
  return { total, times: funnelTimes([Float64Array.from(totals)]), rows: [], values: 1, excluded: 0, open };
}

function middleOf(sum: number, count: number, median: number) {
  if (count === 0) return { meanMs: null, medianMs: null };
  return { meanMs: withoutNoise(sum / count), medianMs: withoutNoise(median) };
}

function medianOf(list: readonly number[]): number {
  const sorted = Float64Array.from(list).sort();
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/**
 * A row for each person who entered: the times of the furthest attempt's steps, of several the one that began first, and when they began last. Each step is done as
 * soon as it can be after the one before; of one moment, what was stored first comes first.
 */
async function attemptsSql(parts: QueryParts, asked: FunnelQuery, span: Span): Promise<Sql> {
  const { steps, windowMs } = asked;
  const [scope, ...rules] = await Promise.all([
    scopeSql(parts, asked, span),
    ...steps.map((each) => rulesSql(parts, each, span)),
  ]);
  const bits = rules.map((rule, step) => sql`bitShiftLeft(toUInt32(${rule}), ${step})`);
  const isStep = sql`(${sql.join(rules, sql` or `)})`;
  return sql`
    select arrayFirst(each -> length(each) = arrayMax(one -> length(one), attempts), attempts) as times,
           tupleElement(arrayLast(each -> bitTest(tupleElement(each, 5), 0), done), 1) as last
      from (
        select done, arrayMap(
                 at -> arrayFold(
                   (times, each) -> if(length(times) < ${steps.length} and bitTest(tupleElement(each, 5), length(times))
                                       and tupleElement(each, 1) - times[1] <= ${windowMs},
                                       arrayPushBack(times, tupleElement(each, 1)), times),
                   arraySlice(done, at + 1), [tupleElement(done[at], 1)]),
                 arrayFilter(at -> bitTest(tupleElement(done[at], 5), 0), arrayEnumerate(done))) as attempts
          from (
            select ${person} as actor, arraySort(groupArray((ts, epoch, received_at, toString(uuid), ${sql.join(bits, sql` + `)}))) as done
              ${fromEvents(parts, span, sql`${scope} and ${isStep}`)}
             group by actor))
     where notEmpty(attempts)`;
}
