/** Members of a cohort, by number, as of its computation: later merges must still be applied. */
import type { ClientBase } from 'pg';
import { invalid } from '#src/kit/errors.ts';
import { copyOut } from '#src/store/copy-out.ts';
import { sql } from '#src/store/sql.ts';
import type { FilterCondition } from '../contract.ts';
import { checkCohortCondition, namedCohortsSql } from '../filters/cohort-sql.ts';
import { CopiedRows } from '../storage/copied-rows.ts';

/** Members of any of the cohorts that a condition names. @param field of errors @throws AppError `invalid` for one that does not exist */
export async function cohortMembers(
  { client, projectId }: { client: ClientBase; projectId: number },
  condition: FilterCondition,
  field = 'filters',
): Promise<Int32Array> {
  const names = checkCohortCondition(condition);
  const found = await copyOut(
    client,
    sql`select people, (select array_agg(place::int) from unnest(${names}::text[]) with ordinality as asked (name, place)
                         where asked.name = lower(cohorts.name) or asked.name = any(former_names))
          from cohorts where ${namedCohortsSql(sql`${projectId}`, names)}`,
  );
  const rows = new CopiedRows(found);
  const lists: Int32Array[] = [];
  const known = new Set<number>();
  while (rows.next()) {
    lists.push(rows.numbers());
    for (const place of rows.numbers()) known.add(place);
  }
  const missing = names.findIndex((_, at) => !known.has(at + 1));
  if (missing >= 0) throw invalid(field, `There is no cohort named “${String(condition.values[missing])}”.`);
  const [only, ...more] = lists;
  if (only !== undefined && more.length === 0) return only;
  return Int32Array.from(new Set(lists.flatMap((list) => [...list])));
}
