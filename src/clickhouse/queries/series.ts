/** Views, visitors and visits: the same figures as those of the engine (src/columns/queries/answer.ts). */
import type { Counts, Presence, Question, SpanCounts } from '#src/columns/columns.ts';
import { edgesOf, placesOf } from '#src/columns/count/edges.ts';
import { eventMarks } from '#src/events/contract.ts';
import { sql } from '#src/store/sql.ts';
import {
  bucketOf,
  fromEvents,
  inDays,
  isBot,
  isInternal,
  person,
  type QueryParts,
  type Span,
  tableSql,
  trafficSql,
} from './events.ts';
import { keptSql, namesOf, namesSql } from './scope.ts';
import { isBounce, visitsIn } from './visits.ts';

type QuestionSpan = Question['spans'][number];

/** @throws AppError as the engine */
export function clickhouseSeries(parts: QueryParts, question: Question): Promise<SpanCounts[]> {
  return Promise.all(
    question.spans.map(async (span, at) => {
      const [viewed, visited, presence] = await Promise.all([
        viewsIn(parts, question, span),
        visitsOf(parts, question, span, question.withMedian === true && at === 0),
        question.presence ? presenceIn(parts, span, question.presence) : null,
      ]);
      const countsAt = (bucket: number): Counts => ({
        ...(viewed.get(bucket) ?? NO_VIEWS),
        ...(visited.counts.get(bucket) ?? NO_VISITS),
      });
      return {
        total: countsAt(TOTAL),
        stretches: placesOf(span).map((place) =>
          place === null ? { ...NO_VIEWS, ...NO_VISITS } : countsAt(place + 1),
        ),
        medianMs: visited.medianMs,
        presence,
      };
    }),
  );
}

/** Number of the bucket that stands for all. */
const TOTAL = 0;
const NO_VIEWS = { visitors: 0, views: 0, botViews: 0, internalViews: 0 };
const NO_VISITS = { visits: 0, bounced: 0, ms: 0, visitViews: 0 };

async function viewsIn(
  parts: QueryParts,
  question: Question,
  span: QuestionSpan,
): Promise<Map<number, typeof NO_VIEWS>> {
  const [named, kept] = await Promise.all([namesSql(parts, question.views), keptSql(parts, question, span)]);
  const counted = trafficSql(question.include);
  const rows = await parts.house.query<typeof NO_VIEWS & { bucket: number }>(
    sql`select bucket, groupBitmapMerge(people) as visitors, sum(counted) as views, sum(bots) as botViews, sum(own) as internalViews
          from (
            select ${bucketOf(edgesOf(span), sql`ts`)} as stretch, countIf(${counted}) as counted, countIf(${isBot}) as bots,
                   countIf(${isInternal}) as own, groupBitmapStateIf(toUInt32(${person}), ${counted}) as people
              ${fromEvents(parts, span, sql`${named} and ${kept}`)}
             group by stretch) as stretches
         array join [stretch, ${TOTAL}] as bucket
         group by bucket`,
  );
  return new Map(rows.map(({ bucket, ...counts }) => [bucket, counts]));
}

interface VisitCounts {
  counts: Map<number, typeof NO_VISITS>;
  medianMs: number | null;
}

async function visitsOf(
  parts: QueryParts,
  question: Question,
  span: QuestionSpan,
  withMedian: boolean,
): Promise<VisitCounts> {
  const { from } = await visitsIn(parts, question, span);
  const median = withMedian ? sql`quantileExactInclusive(0.5)(length)` : sql`0`;
  const rows = await parts.house.query<typeof NO_VISITS & { bucket: number; medianMs: number }>(
    sql`select bucket, count() as visits, countIf(${isBounce(question.bounceMs)}) as bounced, sum(length) as ms,
               sum(views + screens) as visitViews, if(bucket = ${TOTAL}, ${median}, 0) as medianMs
          from (select length, views, screens, autocaptures, ${bucketOf(edgesOf(span), sql`first_ts`)} as stretch ${from}) as begun
         array join [stretch, ${TOTAL}] as bucket
         group by bucket`,
  );
  const all = rows.find(({ bucket }) => bucket === TOTAL);
  return {
    counts: new Map(rows.map(({ bucket, medianMs: _, ...counts }) => [bucket, counts])),
    medianMs: withMedian && all ? all.medianMs : null,
  };
}

/** What there is in the days of a span, by anybody. */
async function presenceIn(parts: QueryParts, span: Span, names: readonly string[]): Promise<Presence> {
  const numbers = await namesOf(parts, names);
  const [found] = await parts.house.query<{ names: number[]; cookieless: number }>(
    sql`select groupUniqArray(event) as names, max(bitAnd(marks, ${eventMarks.cookieless})) as cookieless
          from ${tableSql(parts, 'events')} where project_id = ${parts.projectId} and ${inDays(span)}`,
  );
  const there = new Set(found?.names);
  return {
    names: [...numbers].flatMap(([name, number]) => (there.has(number) ? name : [])),
    isCookieless: (found?.cookieless ?? 0) !== 0,
  };
}
