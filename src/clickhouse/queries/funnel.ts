/**
 * Funnels: the same figures as those of the engine (src/columns/queries/funnels.ts). Plain ones of persons are counted by ClickHouse alone; of others it gives
 * what each did, and the engine's algorithm finds the attempts.
 */
import { type Funnel, type FunnelPart, type FunnelQuery, funnelTimes } from '#src/columns/columns.ts';
import { type FunnelFound, type FunnelPerson, findFunnel } from '#src/columns/kernels/funnel.ts';
import { joinFunnels } from '#src/columns/kernels/funnel-found.ts';
import { type FunnelFigures, type FunnelPick, figuresOf, peopleIn, planOf } from '#src/columns/queries/funnels.ts';
import { withoutNoise } from '#src/kit/numbers/decimals.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { actorSql } from './actors.ts';
import { attemptsSql } from './attempts.ts';
import type { QueryParts, Span } from './events.ts';
import { keysOf } from './keys.ts';
import { rulesSql, scopeSql } from './scope.ts';
import { timelinesOf } from './timelines.ts';

/** @throws Unsupported for too many events of others than plain funnels of persons */
export async function clickhouseFunnel(parts: QueryParts, asked: FunnelQuery): Promise<Funnel> {
  if (!isPlain(asked)) return funnelByTimelines(parts, asked);
  const { span, starts, earlier } = asked;
  const [now, before] = await Promise.all([
    funnelIn(parts, asked, span, starts),
    earlier && funnelIn(parts, asked, earlier.span, earlier.starts),
  ]);
  return { ...now, earlier: before && { total: before.total, rows: [] } };
}

function isPlain({ of, by, order, optional, exclusions }: FunnelQuery): boolean {
  return of === 'persons' && by === null && order === 'ordered' && optional.length === 0 && exclusions.length === 0;
}

async function funnelByTimelines(parts: QueryParts, asked: FunnelQuery): Promise<Funnel> {
  const { funnel } = await figuresIn(parts, asked);
  if (asked.earlier === null) return { ...funnel, earlier: null };
  const texts = funnel.rows.map(({ value }) => value);
  const earlier = await figuresIn(parts, { ...asked, ...asked.earlier }, { texts });
  return { ...funnel, earlier: { total: earlier.funnel.total, rows: earlier.funnel.rows } };
}

/** The people behind a number of a funnel; null: its value has no row. @param actor SQL: their number; null: its own */
export async function funnelPeople(
  parts: QueryParts,
  asked: FunnelQuery,
  point: FunnelPick,
  actor: Sql | null,
): Promise<FunnelPerson[] | null> {
  return peopleIn(asked, point, await figuresIn(parts, asked, { listsPeople: true, actor }));
}

interface FigureOptions {
  listsPeople?: boolean;
  /** Values that have rows; absent: those of most who began. */
  texts?: readonly (string | null)[];
  actor?: Sql | null;
}

async function figuresIn(
  parts: QueryParts,
  asked: FunnelQuery,
  { listsPeople = false, texts, actor: given = null }: FigureOptions = {},
): Promise<FunnelFigures> {
  const { span, steps, exclusions, of, by, order } = asked;
  const [kept, actor, keys, ...kinds] = await Promise.all([
    scopeSql(parts, asked, span),
    given ?? actorSql(parts, of, span),
    by && keysOf(parts, by, span),
    ...[...steps, ...exclusions.map(({ rules }) => rules)].map((rules) => rulesSql(parts, rules, span)),
  ]);
  const plan = planOf(asked, { isDivided: by !== null, listsPeople });
  const query = { actor, kinds, kept, keys, others: order === 'strict', withPersons: of === 'visits' && listsPeople };
  const found: FunnelFound[] = [];
  for await (const part of timelinesOf(parts, span, query)) found.push(findFunnel(plan, [part]));
  if (found.length === 0) found.push(findFunnel(plan, []));
  return figuresOf(joinFunnels(found), by && { texts: [''] }, asked, texts);
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
  const [kept, ...rules] = await Promise.all([
    scopeSql(parts, asked, span),
    ...steps.map((each) => rulesSql(parts, each, span)),
  ]);
  const attempts = attemptsSql(parts, span, { steps: rules, windowMs, kept });
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
