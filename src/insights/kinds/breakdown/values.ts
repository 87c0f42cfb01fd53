/** The rows of a table, sorted and searched: the same for the answer, the screen and the file. Read by the browser, so without schemas. Pure. */
import { tableFields } from '#src/columns/values.ts';
import { asSent, readable } from '#src/events/values.ts';
import { searchable } from '#src/kit/search/values.ts';

/**
 * Dimensions of tables. `page`: views by path. `event`: events of any name. `outbound`: autocaptured clicks on links to other hosts, by
 * target. All others: visits by a field of the visit (src/columns/filters/visit-fields.ts).
 */
export const breakdownDimensions = ['page', 'entryPage', 'exitPage', 'outbound', ...tableFields, 'event'] as const;
export type BreakdownDimension = (typeof breakdownDimensions)[number];

/** Maximum rows of a result. */
export const MAX_ROWS = 1_000;
/** Rows of which the rate of a goal is asked one by one. */
export const MAX_RATED_ROWS = 20;
/** Number of the last page that can be asked for. */
export const MAX_PAGE = 100_000;
/** Characters of what rows are searched for. */
export const MAX_FIND_LENGTH = 200;

/**
 * The first four are in every table, the others with `more`. `page`: visits that entered with the page (`entries`), their
 * bounces, visits that ended with it (`exits`), and over views with an end in the range the mean seconds
 * (`timeOnPage`, at most 30 minutes each) and mean scroll depth (`scrollDepth`, 0..1); null without any. Filters on
 * pages apply to the viewed page, other conditions on events to the end. Visits: bounces, and total duration in seconds.
 * With a goal, for `page`, `event` and `outbound`: visitors of the row who converted in the range on any page (`converters`); for `page`
 * also conversions on it (`conversions`); for visits: converted visits (`converted`). When pages of several hosts are in
 * the range, also `host` ('' = none), with separate rows for each. With a goal but without `more`: converted visitors or visits
 * (`reached`) and their total (`reachable`); for visits equal to the Overview filtered by the row.
 */
export const breakdownColumns = [
  'value',
  'visitors',
  'count',
  'previous',
  'entries',
  'bounced',
  'exits',
  'timeOnPage',
  'scrollDepth',
  'seconds',
  'conversions',
  'converters',
  'converted',
  'host',
  'reached',
  'reachable',
] as const;
export type BreakdownColumn = (typeof breakdownColumns)[number];

/** A table by one dimension. Rows sorted by count, then value, unless another order was asked for. */
export interface Breakdown {
  dimension: BreakdownDimension;
  cols: BreakdownColumn[];
  /** value ('' = none), visitors, count (views, events or visits), count of the comparison range (null without one), and further columns. */
  rows: [string, number, number, number | null, ...(number | string | null)[]][];
  /** Sum of `count` over all values. */
  count: number;
  /** How many values hold what is looked for: all without it. */
  total: number;
  /** How many values are not in `rows`, and their summed count. */
  other: { values: number; count: number };
  /** See `ResolvedRange`; the date only together with the number. */
  earlyEvents?: number;
  fromDate?: string;
}

export type BreakdownRow = Breakdown['rows'][number];

/** Figures of full tables. Rates are 0..1, times are seconds; `converted` and its rate are of visits. */
export type Figure =
  | ('bounceRate' | 'exitRate' | 'timeOnPage' | 'scrollDepth' | 'duration')
  | ('conversions' | 'conversionRate' | 'converted' | 'convertedRate');

/** From which columns a figure is made: one, or one divided by another. */
const sources: Record<Figure, { of: BreakdownColumn; by?: BreakdownColumn }> = {
  bounceRate: { of: 'bounced', by: 'entries' },
  exitRate: { of: 'exits', by: 'count' },
  timeOnPage: { of: 'timeOnPage' },
  scrollDepth: { of: 'scrollDepth' },
  duration: { of: 'seconds', by: 'count' },
  conversions: { of: 'conversions' },
  conversionRate: { of: 'converters', by: 'visitors' },
  converted: { of: 'converted' },
  convertedRate: { of: 'converted', by: 'count' },
};
const figureNames = [
  'bounceRate',
  'exitRate',
  'timeOnPage',
  'scrollDepth',
  'duration',
  'conversions',
  'conversionRate',
  'converted',
  'convertedRate',
] as const satisfies readonly Figure[];

export interface FigureValue {
  /** Null: nothing to divide by, or not known. */
  value: number | null;
  /** Numerator and denominator of a rate. */
  parts?: { numerator: number; denominator: number };
}

/** The figures that a table has. */
export function figuresOf({ cols }: Pick<Breakdown, 'cols'>): Figure[] {
  return figureNames.filter((figure) => cols.includes(sources[figure].of));
}

export function figureOf({ cols }: Pick<Breakdown, 'cols'>, row: BreakdownRow, figure: Figure): FigureValue {
  const { of, by } = sources[figure];
  const numerator = numberAt(cols, row, of);
  if (by === undefined) return { value: numerator };
  // Visits all entered with the value.
  const denominator = numberAt(cols, row, cols.includes(by) ? by : 'count');
  if (numerator === null || denominator === null) return { value: null };
  return { value: denominator === 0 ? null : numerator / denominator, parts: { numerator, denominator } };
}

function numberAt(cols: readonly BreakdownColumn[], row: BreakdownRow, column: BreakdownColumn): number | null {
  const value = row[cols.indexOf(column)];
  return typeof value === 'number' ? value : null;
}

/** Share of the total, 0..1; null for rows with visitors only, of visits that started before the range. */
export function shareOf(count: number, { count: all }: Pick<Breakdown, 'count'>): number | null {
  return all === 0 ? null : count / all;
}

/** The host of a page where pages are of several ('': none is known); else undefined. */
export function hostOf({ cols }: Pick<Breakdown, 'cols'>, row: BreakdownRow): string | undefined {
  const place = cols.indexOf('host');
  return place === -1 ? undefined : String(row[place] ?? '');
}

/** Rows that hold what was typed, without regard to case, accents and spelling. @param textOf what is read of a value */
export function matching(
  rows: readonly BreakdownRow[],
  typed: string,
  table: Pick<Breakdown, 'cols'>,
  textOf: (value: string) => string = readable,
): readonly BreakdownRow[] {
  const wanted = searchable(readable(typed.trim()));
  if (wanted === '') return rows;
  return rows.filter((row) => {
    const [value] = row;
    const whole = (hostOf(table, row) ?? '') + value;
    return [whole, asSent(whole), textOf(value)].some((text) => searchable(text).includes(wanted));
  });
}

/** Sort columns of full tables. */
export const sortColumns = ['count', 'visitors', 'value', 'previous', 'change', ...figureNames] as const;
export type SortColumn = (typeof sortColumns)[number];

/**
 * A sorted copy: texts ascending, numbers descending, or the other way round. Equal rows keep the order they came in, which is by count; what is
 * not known comes last.
 */
export function sorted(
  rows: readonly BreakdownRow[],
  { sort, reversed }: { sort: SortColumn; reversed: boolean },
  table: Pick<Breakdown, 'cols'>,
  textOf: (value: string) => string = (value) => value,
): BreakdownRow[] {
  if (sort === 'count') return reversed ? rows.toReversed() : [...rows];
  const sign = reversed ? -1 : 1;
  if (sort === 'value') return rows.toSorted(([a], [b]) => sign * byText(textOf(a), textOf(b)));
  const numberOf = (row: BreakdownRow): number | null => {
    if (sort === 'visitors') return row[1];
    if (sort === 'previous') return row[3];
    return sort === 'change' ? gain(row) : figureOf(table, row, sort).value;
  };
  return rows.toSorted((one, other) => {
    const [a, b] = [numberOf(one), numberOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    // Two infinite values are equal.
    return a === b ? 0 : sign * (b - a);
  });
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How much more it is, as a share of what it was: from nothing, more than any other. */
function gain([, , count, before]: BreakdownRow): number {
  if (before === null || before === count) return 0;
  return before === 0 ? Number.POSITIVE_INFINITY : (count - before) / before;
}
