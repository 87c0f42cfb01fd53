/** Summaries of a property's numbers, over all and by a value: the same figures as those of the engine (src/columns/queries/value-summaries.ts). */
import type { Question, ValueSummaries, ValueSummary, ValuesQuery } from '#src/columns/columns.ts';
import { besideText } from '#src/columns/filters/visit-fields.ts';
import { readerOf } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { fromEvents, type QueryParts, type Span, Unsupported } from './events.ts';
import { MAX_MEANINGS, type Meaning, readMeaning } from './meanings.ts';
import { namesSql, scopeSql } from './scope.ts';

type Figure = ValuesQuery['figures'][number];

/** Summaries for each figure and span. @throws AppError as the engine */
export function clickhouseValues(
  parts: QueryParts,
  asked: Question & { asked: ValuesQuery },
): Promise<ValueSummaries[][]> {
  const { names, by, figures } = asked.asked;
  return Promise.all(
    figures.map((figure) =>
      Promise.all(
        asked.spans.map(async (span) => {
          const [named, scope] = await Promise.all([namesSql(parts, names), scopeSql(parts, asked, span)]);
          return summariesIn(parts, span, {
            figure,
            by,
            kept: sql`${named} and ${scope} and isNotNull(${numberSql(figure)})`,
          });
        }),
      ),
    ),
  );
}

interface Summarized {
  count: number;
  sum: number;
  within: number[];
  quantile: number | null;
}

async function summariesIn(
  parts: QueryParts,
  span: Span,
  { figure, by, kept }: { figure: Figure; by: ValuesQuery['by']; kept: Sql },
): Promise<ValueSummaries> {
  const from = fromEvents(parts, span, kept);
  const summary = summarySql(figure);
  const [total] = await parts.house.query<Summarized>(sql`select ${summary} ${from}`);
  const none = { count: 0, sum: 0, within: figure.limits.map(() => 0), quantile: null };
  if (total === undefined || total.count === 0 || figure.rows === false) {
    return { total: summaryOf(figure, total ?? none), rows: [] };
  }
  const reading = 'property' in by ? by.beside : by;
  const column = reading === undefined ? null : sql.id(reading.kind);
  const groups =
    column === null
      ? []
      : await parts.house.query<{ number: number }>(
          sql`select distinct ${column} as number ${from} limit ${MAX_MEANINGS + 1}`,
        );
  const meaning =
    reading === undefined
      ? null
      : await readMeaning(
          parts,
          reading,
          groups.map(({ number }) => number),
        );
  const own = column === null || meaning === null ? sql`toInt64(0)` : meaning.sql(column);
  const property = 'property' in by ? sql`properties[${by.property}]` : sql`''`;
  const rows = await parts.house.query<Summarized & { key: number; text: string }>(
    // What is no text says nothing.
    sql`select ${own} as key, if(startsWith(${property}, '"'), ${property}, '') as text, ${summary} ${from} group by key, text limit ${MAX_MEANINGS + 1}`,
  );
  if (rows.length > MAX_MEANINGS) throw new Unsupported('too many values');
  const textOf = valueReader(parts, by, meaning);
  return {
    total: summaryOf(figure, total),
    rows: rows.map(({ key, text, ...row }): ValueSummary => ({ value: textOf(key, text), ...summaryOf(figure, row) })),
  };
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

function summarySql(figure: Figure): Sql {
  const number = sql`assumeNotNull(${numberSql(figure)})`;
  const within = figure.limits.map((limit) => sql`countIf(${number} <= ${limit})`);
  // Between two of the numbers in proportion, by the same steps as in the engine.
  const all = sql`arraySort(groupArray(${number}))`;
  const place = sql`(${figure.quantile ?? 0} * (count() - 1))`;
  const low = sql`${all}[toInt64(floor(${place})) + 1]`;
  const high = sql`${all}[toInt64(ceil(${place})) + 1]`;
  return sql`count() as count, sumKahan(${number}) as sum, ${within.length === 0 ? sql`emptyArrayUInt64()` : sql`[${sql.join(within)}]`} as within,
    ${figure.quantile === null ? sql`null` : sql`${low} + (${high} - ${low}) * (${place} - floor(${place}))`} as quantile`;
}

function summaryOf({ quantile: wanted }: Figure, { count, sum, within, quantile }: Summarized) {
  return { count, sum, within, quantile: wanted === null || count === 0 ? null : quantile };
}
