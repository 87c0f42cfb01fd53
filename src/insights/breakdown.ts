/** Tables by one dimension: views by page, events by name, clicks by where they led, and visits by what is known of them. */
import type { Columns, Dimension, TableRow } from '#src/columns/columns.ts';
import { type AskedProject, type Chosen, rareNames, viewNames, whoseOf } from './asked.ts';
import type { Breakdown, BreakdownColumn, BreakdownDimension, BreakdownInput } from './contract.ts';
import { periodsOf } from './periods.ts';
import { askReadings } from './readings.ts';
import { type BreakdownRow, matching, sorted } from './tables/contract.ts';

export const dimensions: Record<BreakdownDimension, Dimension> = {
  page: { of: 'events', reading: { kind: 'page', names: ['$pathname'] } },
  entryPage: { of: 'sessions', field: 'entryPath' },
  exitPage: { of: 'sessions', field: 'exitPath' },
  outbound: {
    ...{ of: 'events', names: ['$autocapture'] },
    reading: { kind: 'elements', names: ['$external_click_url'] },
  },
  channel: { of: 'sessions', field: 'channel' },
  referringDomain: { of: 'sessions', field: 'referringDomain' },
  utmSource: { of: 'sessions', field: 'utmSource' },
  utmMedium: { of: 'sessions', field: 'utmMedium' },
  utmCampaign: { of: 'sessions', field: 'utmCampaign' },
  utmTerm: { of: 'sessions', field: 'utmTerm' },
  utmContent: { of: 'sessions', field: 'utmContent' },
  country: { of: 'sessions', field: 'country' },
  language: { of: 'sessions', field: 'language' },
  timeZone: { of: 'sessions', field: 'timeZone' },
  deviceType: { of: 'sessions', field: 'deviceType' },
  browser: { of: 'sessions', field: 'browser' },
  system: { of: 'sessions', field: 'system' },
  screenSize: { of: 'sessions', field: 'screenSize' },
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

/** Answers a table. @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long. */
export async function askBreakdown(
  columns: Pick<Columns, 'tables' | 'values' | 'firstEvent'>,
  project: AskedProject,
  input: Chosen<BreakdownInput>,
  now: number,
): Promise<Breakdown> {
  const { span, before } = await periodsOf(columns, project, input, now);
  const further = furtherOf(input);
  const rare = rareNames();
  const question = {
    onRare: rare.onRare,
    ...{ projectId: project.id, views: viewNames, ...whoseOf(input) },
    spans: before === null ? [span] : [span, before],
  };
  const [tables, readings] = await Promise.all([
    // Of those that are shown, and one that may be left out.
    columns.tables({ ...question, ...(input.order ? {} : { visitorsOf: input.limit + 1 }) }, [
      dimensions[input.dimension],
      ...further.tables,
    ]),
    further === ofPages ? askReadings(columns, { ...question, spans: [span] }) : null,
  ]);
  const [rows = [], earlier = []] = (tables[0] ?? []).map((table) => shownOf(input.dimension, table));
  const all = rows.sort(byCount);
  const counts = new Map(earlier.map(({ value, count }) => [value, count]));
  const values = tables.map(([now = []]) => new Map(now.map((row) => [row.value, row])));
  const sum = (some: TableRow[]) => some.reduce((total, { count }) => total + count, 0);
  const cols: BreakdownColumn[] = [
    ...(['value', 'visitors', 'count', 'before'] as const),
    ...further.columns.map(([name]) => name),
    ...(readings?.cols ?? []),
  ];
  const rowOf = ({ value, visitors, count }: TableRow): BreakdownRow => [
    ...([value, visitors, count] as const),
    before === null ? null : (counts.get(value) ?? 0),
    ...further.columns.map(([, table, figure]) => {
      const row = values[table]?.get(value);
      return row === undefined ? 0 : figure(row);
    }),
    ...(readings?.of(value) ?? []),
  ];
  const { limit, order } = input;
  const listed = order && sorted(matching(all.map(rowOf), order.find), order, { cols });
  const skipped = ((order?.page ?? 1) - 1) * limit;
  const shown = listed?.slice(skipped, skipped + limit) ?? all.slice(0, limit).map(rowOf);
  const total = sum(all);
  return {
    ...{ dimension: input.dimension, cols, rows: shown, total, found: listed?.length ?? all.length },
    others: { values: all.length - shown.length, count: shown.reduce((left, [, , count]) => left - count, total) },
    rare: rare.names(),
  };
}

/** Clicks that led nowhere else are not in the table of outbound links. */
function shownOf(dimension: BreakdownDimension, rows: TableRow[]): TableRow[] {
  return dimension === 'outbound' ? rows.filter(({ value }) => value !== '') : rows;
}

/** The commonest first, then by the bytes of the value. */
function byCount(one: TableRow, other: TableRow): number {
  return other.count - one.count || Buffer.compare(Buffer.from(one.value), Buffer.from(other.value));
}
