/** Tables by one dimension: views by page, events by name, clicks by where they led, and visits by what is known of them. */

import type { Columns, Dimension, TableRow } from '#src/columns/columns.ts';
import { partsOf } from '#src/columns/filters/visit-fields.ts';
import { tableFields } from '#src/columns/values.ts';
import { byBytes } from '#src/kit/order.ts';
import type { Goal } from '../../goals/contract.ts';
import { selectionOf } from '../../goals/selection.ts';
import type { ResolvedRange } from '../../query/contract.ts';
import type { FirstEventColumns } from '../../query/first-event.ts';
import { areOfSeveralHosts, HOST, haveToBeJoined, isOfPages, page, pageWithHost } from '../../query/hosts.ts';
import { periodsOf } from '../../query/periods.ts';
import { eventScopeOf, type QueryProject, type Resolved, viewsOf } from '../../query/scope.ts';
import type { Breakdown, BreakdownColumn, BreakdownDimension, BreakdownInput } from './contract.ts';
import { haveRates, queryRates } from './rates.ts';
import { queryReadings } from './readings.ts';
import { type BreakdownRow, hostOf, MAX_RATED_ROWS, matching, sorted } from './values.ts';

type TableField = (typeof tableFields)[number];
const ofFields = Object.fromEntries(tableFields.map((field) => [field, { of: 'sessions', field }])) as Record<
  TableField,
  Dimension
>;

export const dimensions: Record<BreakdownDimension, Dimension> = {
  page: { of: 'events', reading: pageWithHost },
  entryPage: { of: 'sessions', field: 'entryPath', beside: HOST },
  exitPage: { of: 'sessions', field: 'exitPath', beside: HOST },
  outbound: {
    of: 'events',
    names: ['$autocapture'],
    reading: { kind: 'elements', names: ['$external_click_url'] },
  },
  ...ofFields,
  event: { of: 'events', reading: { kind: 'event' }, names: null },
};

/** Further columns, each a figure of a row's value from one of the tables: the first is the dimension's own. */
interface Further {
  tables: Dimension[];
  columns: [name: BreakdownColumn, table: number, figure: (row: TableRow) => number][];
}

const none: Further = { tables: [], columns: [] };
const ofVisits: Further = {
  tables: [],
  columns: [
    ['bounced', 0, ({ bounced }) => bounced],
    ['seconds', 0, ({ ms }) => ms / 1000],
  ],
};
const ofPages: Further = {
  tables: [dimensions.entryPage, dimensions.exitPage],
  columns: [
    ['entries', 1, ({ count }) => count],
    ['bounced', 1, ({ bounced }) => bounced],
    ['exits', 2, ({ count }) => count],
  ],
};

function furtherOf({ dimension, more }: Pick<BreakdownInput, 'dimension' | 'more'>): Further {
  if (more !== true) return none;
  if (dimension === 'page') return ofPages;
  return dimensions[dimension].of === 'sessions' ? ofVisits : none;
}

/** Columns of conversions; for dimensions of visits, the first rows are computed one by one. */
function reachedOf({ dimension, more, goal }: BreakdownQuery): Further['columns'] {
  if (!goal) return [];
  const ofVisits = dimensions[dimension].of === 'sessions';
  if (more !== true) {
    return ofVisits
      ? []
      : [
          ['reached', 0, ({ converted }) => converted],
          ['reachable', 0, ({ visitors }) => visitors],
        ];
  }
  if (ofVisits) return [['converted', 0, ({ converted }) => converted]];
  const converters: Further['columns'] = [['converters', 0, ({ converted }) => converted]];
  return dimension === 'page' ? [['conversions', 0, ({ done }) => done], ...converters] : converters;
}

export type BreakdownQuery = Resolved<BreakdownInput> & { goal?: Goal | null };

/** Answers a table. @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long. */
export async function runBreakdown(
  columns: Pick<Columns, 'tables' | 'values' | 'conversions'> & FirstEventColumns,
  project: QueryProject,
  input: BreakdownQuery,
  now: number,
): Promise<Breakdown> {
  const { span, before, ...periods } = await periodsOf(columns, project, input, now);
  const further = furtherOf(input);
  const reached = reachedOf(input);
  const selection = reached.length > 0 && input.goal ? { ...selectionOf(input.goal), amount: null } : null;
  const question = {
    ...viewsOf(project),
    ...eventScopeOf(input),
    withLengths: further !== none,
    doneByValue: input.more === true && input.dimension === 'page',
    spans: before === null ? [span] : [span, before],
  };
  const ofPagesOnly = isOfPages(input.dimension);
  const ask = (joinsHosts: boolean) =>
    // The shown rows, and one that may be dropped.
    columns.tables(
      { ...question, ...(input.order ? {} : { visitorsOf: input.limit + 1 }) },
      [dimensions[input.dimension], ...further.tables].map((each) => (joinsHosts ? withoutHost(each) : each)),
      selection,
    );
  const [first, isComparable, readings] = await Promise.all([
    ask(false),
    periods.isComparable,
    further === ofPages ? queryReadings(columns, { ...question, spans: [span] }) : null,
  ]);
  const found = first[0]?.[0] ?? [];
  const [viewed, others] = [true, false].map((isViewed) =>
    found.filter(({ count, seen }) => count + seen > 0 === isViewed),
  );
  const tables = ofPagesOnly && haveToBeJoined(viewed ?? [], others) ? await ask(true) : first;
  const [rows = [], earlier = []] = (tables[0] ?? []).map((table) => shownOf(input.dimension, table));
  const byHost = ofPagesOnly && areOfSeveralHosts(rows);
  const keyOf = byHost || !ofPagesOnly ? (value: string) => value : (value: string) => partsOf(value)[1];
  const all = rows.map((row) => placed(row, keyOf(row.value))).sort(byCount);
  const counts = sumsBy(keyOf, earlier);
  const values = tables.map(([now = []]) => sumsBy(keyOf, now));
  const readingsOf = readings?.by(keyOf);
  const sum = (some: TableRow[]) => some.reduce((total, { count }) => total + count, 0);
  const cols: BreakdownColumn[] = [
    'value',
    'visitors',
    'count',
    'previous',
    ...further.columns.map(([name]) => name),
    ...(readings?.cols ?? []),
    ...reached.map(([name]) => name),
    ...(byHost ? (['host'] as const) : []),
  ];
  const figureAt =
    (key: string) =>
    ([, table, figure]: Further['columns'][number]): number => {
      const row = values[table]?.get(key);
      return row === undefined ? 0 : figure(row);
    };
  const rowOf = ({ key, host, value, visitors, count }: PlacedRow): BreakdownRow => [
    value,
    visitors,
    count,
    isComparable ? (counts.get(key)?.count ?? 0) : null,
    ...further.columns.map(figureAt(key)),
    ...(readingsOf?.(key) ?? []),
    ...reached.map(figureAt(key)),
    ...(byHost ? [host] : []),
  ];
  const { limit, order } = input;
  const listed = order && sorted(matching(all.map(rowOf), order.find, { cols }), order, { cols });
  const skipped = ((order?.page ?? 1) - 1) * limit;
  const shown = listed?.slice(skipped, skipped + limit) ?? all.slice(0, limit).map(rowOf);
  const total = sum(all);
  const rates =
    !input.more && input.goal && haveRates(input.dimension)
      ? await queryRates(
          columns,
          question,
          { goal: input.goal, per: input.per ?? 'visitor', dimension: input.dimension },
          shown.slice(0, MAX_RATED_ROWS).map((row) => ({ value: row[0], host: hostOf({ cols }, row) })),
        )
      : null;
  return {
    dimension: input.dimension,
    cols: rates === null ? cols : [...cols, 'reached', 'reachable'],
    rows: rates === null ? shown : shown.map((row, place): BreakdownRow => [...row, ...(rates[place] ?? [null, null])]),
    count: total,
    total: listed?.length ?? all.length,
    other: { values: all.length - shown.length, count: shown.reduce((left, [, , count]) => left - count, total) },
    ...earlyOf(periods.range),
  };
}

function earlyOf({ earlyEvents, fromDate }: ResolvedRange): Pick<Breakdown, 'earlyEvents' | 'fromDate'> {
  return earlyEvents === undefined ? {} : { earlyEvents, fromDate };
}

/**
 * Clicks that led nowhere else are not in the table of outbound links, nor are pages without a view on which a goal was reached. Values of
 * which no visit began in the range are shown when one of their visits has a view in it: its visitors are in the headline.
 */
function shownOf(dimension: BreakdownDimension, rows: TableRow[]): TableRow[] {
  return rows.filter(({ value, count, seen }) => count + seen > 0 && (dimension !== 'outbound' || value !== ''));
}

function withoutHost(dimension: Dimension): Dimension {
  if (dimension.of === 'sessions') return { of: 'sessions', field: dimension.field };
  return { ...dimension, reading: page };
}

/** A row with what it is found by, and the two parts of that. */
type PlacedRow = TableRow & { key: string; host: string };

function placed(row: TableRow, key: string): PlacedRow {
  const [host, value] = partsOf(key);
  return { ...row, key, host, value };
}

/** Sums rows of one page over its hosts. */
function sumsBy(keyOf: (value: string) => string, rows: readonly TableRow[]): Map<string, TableRow> {
  const sums = new Map<string, TableRow>();
  for (const row of rows) {
    const key = keyOf(row.value);
    const known = sums.get(key);
    const { count, bounced, ms } = row;
    if (known === undefined) sums.set(key, row);
    else {
      sums.set(key, { ...known, count: known.count + count, bounced: known.bounced + bounced, ms: known.ms + ms });
    }
  }
  return sums;
}

/** The commonest first, then by the bytes of the value. */
function byCount(one: PlacedRow, other: PlacedRow): number {
  return other.count - one.count || byBytes(one.value, other.value) || byBytes(one.host, other.host);
}
