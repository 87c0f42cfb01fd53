/** Questions about a property of many values and about a rare one: what used to take long or was refused. */
import type { Filters } from '#src/columns/contract.ts';
import { breakdown, overview, trends } from '#src/insights/kinds/kinds.ts';
import { askerOf } from './follow-asked.ts';
import { type BenchQuery, spansOf } from './questions-asked.ts';
import type { Data } from './questions-data.ts';
import type * as plain from './questions-sql.ts';

const views = { event: '$pageview' };
const ROWS = 25;

/** @param days the longest range */
export function valuesQuestionsOf(data: Data, days: number): BenchQuery[] {
  const ask = askerOf(data);
  const only = (name: string, value: string): Filters => ({
    match: 'all',
    of: [{ about: 'event', name, operator: 'equals', values: [value] }],
  });
  const one = (
    title: string,
    kind: Parameters<typeof ask>[0],
    { within = days, ...more }: { within?: number; filters?: Filters } & Record<string, unknown>,
    duckdb: (span: plain.Span) => string,
  ): BenchQuery => {
    const { range, span } = spansOf(data, within);
    return {
      title,
      engine: (columns) => ask(kind, columns, { range, ...more }),
      others: { sql: [], duckdb: [duckdb(span)] },
      same: () => true,
    };
  };
  const trend = { compare: 'none', interval: 'day', limit: ROWS };
  const viewsWhere = ({ from, until }: plain.Span, kept: string) =>
    `from events where name = '$pageview' and not bot and ts >= '${iso(from)}' and ts < '${iso(until)}' and ${kept}`;
  const daily = (what: string, kept: string) => (span: plain.Span) =>
    `select date_trunc('day', ts) as day, ${what} as count ${viewsWhere(span, kept)} group by 1`;
  const rare = only('rare', 'yes');
  const order = only('order_ref', 'order 4711');
  const orders = { breakdown: { about: 'event', name: 'order_ref' } };
  const byOrder = (what: string) => (span: plain.Span) =>
    `with top as (select order_ref, ${what} as count ${viewsWhere(span, 'true')} group by 1 order by 2 desc limit ${ROWS})
     select date_trunc('day', ts) as day, order_ref, ${what} as count ${viewsWhere(span, 'order_ref in (select order_ref from top)')} group by 1, 2`;
  return [
    ...[7, 30, days].map((within) =>
      one(
        `trend, rare is set, ${within} days`,
        trends,
        { ...trend, within, series: [{ event: views, measure: 'events' }], filters: rare },
        daily('count(*)', "rare = 'yes'"),
      ),
    ),
    one(
      'overview, one order',
      overview,
      { compare: 'none', filters: order },
      (span) =>
        `select count(*) as views, count(distinct person) as visitors ${viewsWhere(span, "order_ref = 'order 4711'")}`,
    ),
    one(
      'pages, one order',
      breakdown,
      { compare: 'none', dimension: 'page', filters: order },
      (span) =>
        `select path, count(*) as views, count(distinct person) as visitors ${viewsWhere(span, "order_ref = 'order 4711'")} group by 1 order by 2 desc limit 8`,
    ),
    one(
      'trend by order, views',
      trends,
      { ...trend, ...orders, series: [{ event: views, measure: 'events' }] },
      byOrder('count(*)'),
    ),
    one(
      'trend by order, persons',
      trends,
      { ...trend, ...orders, series: [{ event: views, measure: 'persons' }] },
      byOrder('count(distinct person)'),
    ),
    one(
      'trend of whom did rare',
      trends,
      {
        ...trend,
        series: [{ event: views, measure: 'persons' }],
        people: {
          match: 'all',
          of: [{ did: { event: '$pageview', filters: rare }, times: 1, within: spansOf(data, days).range }],
        },
      },
      (span) =>
        `select date_trunc('day', ts) as day, count(distinct person) as count
           ${viewsWhere(span, `person in (select person ${viewsWhere(span, "rare = 'yes'")})`)} group by 1`,
    ),
  ];
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
