/** Tables by one dimension: pages by views, referring domains by visits. */
import type { Knex } from 'knex';
import { query } from '#src/store/sql.ts';
import type { Breakdown, BreakdownDimension, BreakdownInput } from './contract.ts';
import { type AskedProject, askFirstEvent } from './overview.ts';
import { type BreakdownRow, viewsByPage, visitsByReferringDomain } from './queries.ts';
import { countedUntil, resolveComparison, resolveRange } from './ranges.ts';
import { zoneOf } from './zone.ts';

const statements = { page: viewsByPage, referringDomain: visitsByReferringDomain } satisfies Record<
  BreakdownDimension,
  unknown
>;

/** Answers a table. @throws AppError `invalid` for a range that cannot be, `timeout` when the database takes too long. */
export async function askBreakdown(
  db: Knex,
  project: AskedProject,
  input: Omit<BreakdownInput, 'project'>,
  now: number,
): Promise<Breakdown> {
  const zone = zoneOf(project.timeZone);
  const first = await askFirstEvent(db, project.id);
  const found = resolveRange(input.range, { zone, weekStart: project.weekStart, now, firstEvent: first });
  const comparison = resolveComparison(found, input.compare, zone)?.range ?? null;
  const span = { from: found.range.from, until: countedUntil(found.range) };
  const before = comparison && { from: comparison.from, until: countedUntil(comparison) };
  const comparable = before !== null && first !== null && first < before.until;

  const statement = statements[input.dimension](project.id, span, comparable ? before : null, input.limit);
  const rows = await query<BreakdownRow>(db, statement);
  const total = rows[0]?.total ?? 0;
  const shown = rows.reduce((sum, row) => sum + row.count, 0);
  return {
    dimension: input.dimension,
    cols: ['value', 'visitors', 'count', 'before'],
    rows: rows.map((row) => [row.value, row.visitors, row.count, comparable ? row.before : null]),
    total,
    others: { values: (rows[0]?.values ?? 0) - rows.length, count: total - shown },
  };
}
