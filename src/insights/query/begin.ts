/** What all questions about people over time begin with: the range in the project's zone, and whose events count. */
import type { People, Scope } from '#src/columns/columns.ts';
import { type Zone, zoneOf } from '#src/kit/zone.ts';
import type { QueryInput } from '../define.ts';
import { beginFirstEvent, type FirstEventColumns } from './first-event.ts';
import { type RangeContext, type RangeWithShift, resolveRange } from './ranges.ts';
import type { QueryProject } from './scope.ts';

export interface Begun {
  zone: Zone;
  context: RangeContext;
  /** Of the project's first event, an early one too; null before it. */
  first: number | null;
  found: RangeWithShift;
  scope: Scope;
}

/** @throws AppError `invalid` for a range that cannot be */
export async function begin(
  columns: FirstEventColumns,
  project: QueryProject,
  input: Pick<QueryInput, 'range' | 'filters' | 'include'>,
  people: People | null,
  now: number,
): Promise<Begun> {
  const { told, toResolve } = await beginFirstEvent(columns, project.id, input.range);
  const zone = zoneOf(project.timeZone);
  const context = { zone, weekStart: project.weekStart, now, ...toResolve };
  return {
    zone,
    context,
    first: await told,
    found: resolveRange(input.range, context),
    scope: {
      projectId: project.id,
      filters: input.filters ?? null,
      include: input.include,
      people,
    },
  };
}
