/** Groups behind a number of an insight: page by page or as a file, those of most events first. */
import type { Knex } from 'knex';
import type { PointGroups } from '#src/columns/columns.ts';
import { byBytes } from '#src/kit/order.ts';
import { searchable } from '#src/kit/search/values.ts';
import type { TablePiece } from '#src/kit/table-file.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { PointGroup } from '../groups/contract.ts';
import { nameIn } from '../groups/groups.ts';
import { groupsByKey } from '../groups/queries.ts';
import type { PointListInput, PointPage } from './contract.ts';
import { POINT_PAGE } from './values.ts';

export async function pointGroupsPage(
  db: Knex,
  projectId: ProjectId,
  found: PointGroups,
  { page, search }: Pick<PointListInput, 'page' | 'search'>,
): Promise<PointPage> {
  const all = await groupsIn(db, projectId, found, search);
  return {
    value: found.value,
    people: found.keys.length,
    found: all.length,
    rows: [],
    groups: all.slice((page - 1) * POINT_PAGE, page * POINT_PAGE),
  };
}

/** The same groups as a table, the head first. */
export async function* pointGroupsPieces(
  db: Knex,
  projectId: ProjectId,
  found: PointGroups,
  { search }: Pick<PointListInput, 'search'>,
): AsyncGenerator<TablePiece, void> {
  yield { cells: [['group', 'name', 'events']], rows: 0 };
  const all = await groupsIn(db, projectId, found, search);
  yield { cells: all.map(({ key, label, times }) => [key, label, times]), rows: all.length };
}

async function groupsIn(
  db: Knex,
  projectId: ProjectId,
  { type, keys, times }: PointGroups,
  search: string | undefined,
): Promise<PointGroup[]> {
  const known = await groupsByKey(db, projectId, type, keys);
  const part = searchable(search ?? '');
  return keys
    .map((key, at) => ({ type, key, label: nameIn(known.get(key)), times: times[at] ?? 0 }))
    .filter(({ key, label }) => [key, label ?? ''].some((text) => searchable(text).includes(part)))
    .sort((one, other) => other.times - one.times || byBytes(one.key, other.key));
}
