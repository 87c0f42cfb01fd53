/** Goals: the same figures as those of the engine (src/columns/queries/conversions.ts, visits-without.ts). */
import type { Amount, Question, Selection, SpanConversions } from '#src/columns/columns.ts';
import { edgesOf, placesOf } from '#src/columns/count/edges.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { DecimalSum, decimalOf } from '#src/kit/numbers/decimals.ts';
import { currencyBeside, type DecimalSeparator, numberOf, readCurrency } from '#src/kit/numbers/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import {
  bucketOf,
  fromEvents,
  fromEventsAlone,
  isBot,
  isInternal,
  person,
  type QueryParts,
  trafficSql,
  Unsupported,
} from './events.ts';
import { keptSql, namesSql, selectionSql } from './scope.ts';
import { type Visits, visitsIn, visitsWith } from './visits.ts';

type QuestionSpan = Question['spans'][number];

/** Conversions for each selection and span. @throws AppError as the engine */
export async function clickhouseConversions(
  parts: QueryParts,
  question: Question & { selections: readonly Selection[]; byVisit: boolean },
): Promise<SpanConversions[][]> {
  const { selections, byVisit } = question;
  const bySpan = await Promise.all(
    question.spans.map(async (span) => {
      const visits = byVisit ? await visitsIn(parts, question, span) : null;
      return Promise.all(selections.map((selection) => conversionsIn(parts, question, span, { selection, visits })));
    }),
  );
  return selections.map((_, at) => bySpan.map((own) => own[at] as SpanConversions));
}

const NOTHING = { visitors: 0, count: 0, people: 0, converted: 0 };
/** Number of the bucket that stands for all. */
const TOTAL = 0;

async function conversionsIn(
  parts: QueryParts,
  question: Question,
  span: QuestionSpan,
  { selection, visits }: { selection: Selection; visits: Visits | null },
): Promise<SpanConversions> {
  const { amount } = selection;
  const [named, kept, done] = await Promise.all([
    namesSql(parts, question.views),
    keptSql(parts, question, span),
    selectionSql(parts, selection, span),
  ]);
  const counted = trafficSql(question.include);
  const [rows, worth, shares] = await Promise.all([
    parts.house.query<typeof NOTHING & { bucket: number; bots: number; internal: number }>(
      sql`select bucket, groupBitmapMerge(viewers) as visitors, sum(times) as count, groupBitmapMerge(doers) as people,
                 bitmapAndCardinality(groupBitmapMergeState(viewers), groupBitmapMergeState(doers)) as converted,
                 sum(byBots) as bots, sum(own) as internal
            from (
              select ${bucketOf(edgesOf(span), sql`ts`)} as stretch, countIf(${counted} and ${done}) as times,
                     countIf(${isBot} and ${done}) as byBots, countIf(${isInternal} and ${done}) as own,
                     groupBitmapStateIf(toUInt32(${person}), ${counted} and ${named}) as viewers,
                     groupBitmapStateIf(toUInt32(${person}), ${counted} and ${done}) as doers
                ${fromEvents(parts, span, sql`(${named} or ${done}) and ${kept}`)}
               group by stretch) as stretches
           array join [stretch, ${TOTAL}] as bucket
           group by bucket`,
    ),
    amount && sumsIn(parts, question, span, { amount, kept: sql`${counted} and ${done} and ${kept}` }),
    visits && visitsOf(parts, question, span, { selection, visits }),
  ]);
  const found = new Map(rows.map((row) => [row.bucket, row]));
  const countsAt = (bucket: number) => {
    const { visitors, count, people, converted } = found.get(bucket) ?? NOTHING;
    return { visitors, count, people, converted };
  };
  const all = found.get(TOTAL);
  return {
    total: countsAt(TOTAL),
    botEvents: all?.bots ?? 0,
    internalEvents: all?.internal ?? 0,
    stretches: placesOf(span).map((place) => (place === null ? NOTHING : countsAt(place + 1))),
    sums: worth?.sums ?? [],
    unreadable: worth?.unreadable ?? null,
    visits: shares,
  };
}

/** Visits that count, and those of them in which it was done, by when they began. */
async function visitsOf(
  parts: QueryParts,
  question: Question,
  span: QuestionSpan,
  { selection, visits }: { selection: Selection; visits: Visits },
): Promise<NonNullable<SpanConversions['visits']>> {
  const [done, kept] = await Promise.all([
    selectionSql(parts, selection, visits.whole),
    keptSql(parts, question, visits.whole),
  ]);
  const rows = await parts.house.query<{ bucket: number; visits: number; converted: number }>(
    sql`select ${bucketOf(edgesOf(span), sql`first_ts`)} as bucket, count() as visits,
               countIf(id in (${visitsWith(parts, visits.whole, sql`${done} and ${kept}`)})) as converted
          ${visits.from} group by bucket`,
  );
  const found = new Map(rows.map(({ bucket, ...share }) => [bucket, share]));
  const sum = (of: 'visits' | 'converted') => rows.reduce((all, row) => all + row[of], 0);
  return {
    total: { visits: sum('visits'), converted: sum('converted') },
    stretches: placesOf(span).map((place) => found.get((place ?? -1) + 1) ?? { visits: 0, converted: 0 }),
  };
}

/** For each selection and span: visits without its events. @throws AppError as the engine */
export async function clickhouseVisitsWithout(
  parts: QueryParts,
  question: Question & { selections: readonly Selection[] },
): Promise<number[][]> {
  const { selections, spans } = question;
  const visits = await Promise.all(spans.map((span) => visitsIn(parts, question, span)));
  return Promise.all(
    selections.map((selection) =>
      Promise.all(
        visits.map(async ({ from, whole }) => {
          const done = await selectionSql(parts, selection, whole);
          const [row] = await parts.house.query<{ visits: number }>(
            sql`select count() as visits ${from} and id not in (${visitsWith(parts, whole, done)})`,
          );
          return row?.visits ?? 0;
        }),
      ),
    ),
  );
}

/** More different amounts are left to the engine. */
const MAX_AMOUNTS = 200_000;
/** Characters of texts that are shown. */
const MAX_TEXT = 60;

/** Amounts are read here, each once, and added up as decimals: as exactly as the engine does. */
async function sumsIn(
  parts: QueryParts,
  { decimal = 'point' }: { decimal?: DecimalSeparator },
  span: QuestionSpan,
  { amount: { property, currencyProperty, currency }, kept }: { amount: Amount; kept: Sql },
): Promise<Pick<SpanConversions, 'sums'> & { unreadable: NonNullable<SpanConversions['unreadable']> }> {
  const named = currencyProperty === null ? sql`''` : sql`properties[${currencyProperty}]`;
  const rows = await parts.house.query<{ bucket: number; amount: string; currency: string; times: number }>(
    sql`select ${bucketOf(edgesOf(span), sql`ts`)} as bucket, properties[${property}] as amount, ${named} as currency, count() as times
          ${fromEventsAlone(parts, span, kept)} group by bucket, amount, currency limit ${MAX_AMOUNTS + 1}`,
  );
  if (rows.length > MAX_AMOUNTS) throw new Unsupported('too many amounts');
  const otherwise = currency ?? '';
  const sums = new Map<string, Map<number, { count: number; sum: DecimalSum }>>();
  const texts = new Map<string | null, number>();
  let unreadable = 0;
  for (const { bucket, times, ...row } of rows) {
    const said = valueIn(row.amount);
    const worth = numberOf(said, decimal);
    if (Number.isNaN(worth)) {
      unreadable += times;
      const text = said === null ? null : (typeof said === 'string' ? said : JSON.stringify(said)).slice(0, MAX_TEXT);
      texts.set(text, (texts.get(text) ?? 0) + times);
      continue;
    }
    const own = readCurrency(valueIn(row.currency), otherwise) ?? currencyBeside(said, otherwise) ?? otherwise;
    const { digits, scale } = decimalOf(worth);
    for (const at of [bucket, TOTAL]) {
      const buckets = sums.get(own) ?? new Map<number, { count: number; sum: DecimalSum }>();
      sums.set(own, buckets);
      const adding = buckets.get(at) ?? { count: 0, sum: new DecimalSum() };
      buckets.set(at, adding);
      adding.count += times;
      adding.sum.addDecimal({ digits: digits * BigInt(times), scale });
    }
  }
  const sumAt = (buckets: ReadonlyMap<number, { count: number; sum: DecimalSum }>, bucket: number) => {
    const found = buckets.get(bucket);
    return { count: found?.count ?? 0, value: found?.sum.value ?? 0 };
  };
  return {
    sums: [...sums].map(([name, buckets]) => ({
      currency: name,
      total: sumAt(buckets, TOTAL),
      stretches: placesOf(span).map((place) => sumAt(buckets, place === null ? -1 : place + 1)),
    })),
    unreadable: {
      count: unreadable,
      texts: [...texts]
        .map(([text, count]) => ({ text, count }))
        .sort((one, other) => other.count - one.count || ((one.text ?? '') < (other.text ?? '') ? -1 : 1)),
    },
  };
}

/** The value of a property, as JSON; '' where there is none. */
function valueIn(json: string): JsonValue {
  return json === '' ? null : (JSON.parse(json) as JsonValue);
}
