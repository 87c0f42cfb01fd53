/** Tables by one dimension: pages by views, referring domains by visits. */
import type { Columns, Dimension, TableRows } from '#src/columns/columns.ts';
import { type AskedProject, viewNames } from './asked.ts';
import type { Breakdown, BreakdownDimension, BreakdownInput } from './contract.ts';
import { countedUntil, resolveComparison, resolveRange } from './ranges.ts';
import { zoneOf } from './zone.ts';

/** A visit's domain is that of the address it was entered with, as the collector derived it (one's own pages are `$direct`). */
const dimensions: Record<BreakdownDimension, Dimension> = {
  page: { of: 'events', column: 'page', kind: 'page', names: ['$pathname'] },
  referringDomain: {
    ...{ of: 'sessions', column: 'source', kind: 'source' },
    names: ['$session_entry_referring_domain', '$referring_domain'],
  },
};

/** Answers a table. @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long. */
export async function askBreakdown(
  columns: Pick<Columns, 'tables' | 'firstEvent'>,
  project: AskedProject,
  input: Omit<BreakdownInput, 'project'>,
  now: number,
): Promise<Breakdown> {
  const zone = zoneOf(project.timeZone);
  const first = await columns.firstEvent(project.id);
  const found = resolveRange(input.range, { zone, weekStart: project.weekStart, now, firstEvent: first });
  const comparison = resolveComparison(found, input.compare, zone)?.range ?? null;
  const span = { from: found.range.from, until: countedUntil(found.range), starts: [] };
  const before = comparison && { from: comparison.from, until: countedUntil(comparison), starts: [] };
  const comparable = before !== null && first !== null && first < before.until;

  const [rows, earlier] = await columns.tables(
    {
      ...{ projectId: project.id, views: viewNames, filters: input.filters ?? null },
      spans: comparable ? [span, before] : [span],
    },
    dimensions[input.dimension],
  );
  const all = (rows as TableRows).sort(byCount);
  const shown = all.slice(0, input.limit);
  const counts = new Map(earlier?.map(({ value, count }) => [value, count]));
  const sum = (some: TableRows) => some.reduce((total, { count }) => total + count, 0);
  return {
    dimension: input.dimension,
    cols: ['value', 'visitors', 'count', 'before'],
    rows: shown.map(({ value, visitors, count }) => [
      ...([value, visitors, count] as const),
      comparable ? (counts.get(value) ?? 0) : null,
    ]),
    total: sum(all),
    others: { values: all.length - shown.length, count: sum(all) - sum(shown) },
  };
}

/** The commonest first, then by the bytes of the value. */
function byCount(one: TableRows[number], other: TableRows[number]): number {
  return other.count - one.count || Buffer.compare(Buffer.from(one.value), Buffer.from(other.value));
}
