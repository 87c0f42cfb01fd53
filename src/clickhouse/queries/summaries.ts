/** Summaries of a property's numbers, over all and by a value: the same figures as those of the engine (src/columns/queries/value-summaries.ts). */
import type { Question, ValueSummaries, ValueSummary, ValuesQuery } from '#src/columns/columns.ts';
import { besideText } from '#src/columns/filters/visit-fields.ts';
import { readerOf } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { fromEventsAlone, type QueryParts, type Span, Unsupported } from './events.ts';
import { MAX_MEANINGS, type Meaning, readMeaning } from './meanings.ts';
import { namesSql, scopeSql } from './scope.ts';

type Figure = ValuesQuery['figures'][number];

/** Summaries for each figure and span. @throws AppError as the engine */
export async function clickhouseValues(
  parts: QueryParts,
  asked: Question & { asked: ValuesQuery },
): Promise<ValueSummaries[][]> {
  const { names, by, figures } = asked.asked;
  const bySpan = await Promise.all(
    asked.spans.map(async (span) => {
      const [named, scope] = await Promise.all([namesSql(parts, names), scopeSql(parts, asked, span)]);
      return summariesIn(parts, span, { figures, by, kept: sql`${named} and ${scope}` });
    }),
  );
  return figures.map((_, at) => bySpan.map((own) => own[at] as ValueSummaries));
}

/** Count, sum, how many are within each limit, and the quantile. */
type Summarized = [count: number, sum: number, within: number[], quantile: number];
type Figured = Record<`figure_${number}`, Summarized>;

/** All figures of a span together: its events are read once for the totals, and once for the values. */
async function summariesIn(
  parts: QueryParts,
  span: Span,
  { figures, by, kept }: Pick<ValuesQuery, 'figures' | 'by'> & { kept: Sql },
): Promise<ValueSummaries[]> {
  const reading = 'property' in by ? by.beside : by;
  const column = reading === undefined ? sql`toUInt32(0)` : sql.id(`events.${reading.kind}`);
  const property = 'property' in by ? sql`properties[${by.property}]` : sql`''`;
  const numbers = figures.map((figure, at) => sql`${numberSql(figure)} as ${valueName(at)}`);
  // What is no text says nothing.
  const values = sql`(
    select ${column} as said, if(startsWith(${property}, '"'), ${property}, '') as text, ${sql.join(numbers)}
      ${fromEventsAlone(parts, span, kept)}) as numbers`;
  const byValue = figures.flatMap((figure, at) => (figure.rows === false ? [] : at));
  const hasValue = byValue.map((at) => sql`isNotNull(${valueName(at)})`);
  const said =
    reading === undefined || byValue.length === 0
      ? sql`emptyArrayUInt32()`
      : sql`groupUniqArrayIf(${MAX_MEANINGS + 1})(said, ${sql.join(hasValue, sql` or `)})`;
  const [total] = await parts.house.query<Figured & { said: number[] }>(
    sql`select ${sql.join(figures.map(summarySql))}, ${said} as said from ${values}`,
  );
  const totals = figures.map((figure, at) => summaryOf(figure, total?.[`figure_${at}`]));
  const rows: ValueSummary[][] = figures.map(() => []);
  if (byValue.some((at) => (totals[at]?.count ?? 0) > 0)) {
    const meaning = reading === undefined ? null : await readMeaning(parts, reading, total?.said ?? []);
    const key = meaning === null ? sql`toInt64(0)` : meaning.sql(sql`said`);
    const summaries = byValue.map((at) => summarySql(figures[at] as Figure, at));
    const found = await parts.house.query<Figured & { key: number; text: string }>(
      sql`select ${key} as key, text, ${sql.join(summaries)} from ${values}
           where ${sql.join(hasValue, sql` or `)} group by key, text limit ${MAX_MEANINGS + 1}`,
    );
    if (found.length > MAX_MEANINGS) throw new Unsupported('too many values');
    const textOf = valueReader(parts, by, meaning);
    for (const row of found) {
      const value = textOf(row.key, row.text);
      for (const at of byValue) {
        const summary = summaryOf(figures[at] as Figure, row[`figure_${at}`]);
        if (summary.count > 0) rows[at]?.push({ value, ...summary });
      }
    }
  }
  return figures.map((_, at) => ({ total: totals[at] as ValueSummaries['total'], rows: rows[at] as ValueSummary[] }));
}

function valueReader(
  { reading }: QueryParts,
  by: ValuesQuery['by'],
  meaning: Meaning | null,
): (key: number, json: string) => string {
  const beside = (key: number) => meaning?.texts[key] ?? '';
  if (!('property' in by)) return beside;
  const read = (json: string) => readerOf(reading).value(by.property, json === '' ? '' : (JSON.parse(json) as string));
  return meaning === null ? (_, json) => read(json) : (key, json) => besideText(beside(key), read(json));
}

/** The number of a property, which is not below zero; null: it is none. Texts are none, also those that say one. */
function numberSql({ property, most }: Figure): Sql {
  const value = sql`toFloat64OrNull(properties[${property}])`;
  const number = most === undefined ? value : sql`least(${value}, ${most})`;
  return sql`if(${value} >= 0, ${number}, null)`;
}

/** Column with the numbers of a figure. */
function valueName(at: number): Sql {
  return sql.id(`number_${at}`);
}

function summarySql(figure: Figure, at: number): Sql {
  const number = valueName(at);
  const within = figure.limits.map((limit) => sql`countIf(${number} <= ${limit})`);
  // Between two of the numbers in proportion, by the same steps as in the engine.
  const all = sql`arraySort(groupArray(${number}))`;
  const place = sql`(${figure.quantile ?? 0} * (count(${number}) - 1))`;
  const low = sql`${all}[toInt64(floor(${place})) + 1]`;
  const high = sql`${all}[toInt64(ceil(${place})) + 1]`;
  const quantile =
    figure.quantile === null ? sql`toFloat64(0)` : sql`${low} + (${high} - ${low}) * (${place} - floor(${place}))`;
  return sql`tuple(count(${number}), ifNull(sumKahan(${number}), 0), ${within.length === 0 ? sql`emptyArrayUInt64()` : sql`[${sql.join(within)}]`},
    ${quantile}) as ${sql.id(`figure_${at}`)}`;
}

function summaryOf({ quantile: wanted, limits }: Figure, found: Summarized | undefined): ValueSummaries['total'] {
  const [count, sum, within, quantile] = found ?? [0, 0, limits.map(() => 0), 0];
  return { count, sum, within, quantile: wanted === null || count === 0 ? null : quantile };
}
