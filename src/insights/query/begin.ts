/** What all questions about people over time begin with: the range in the project's zone, and whose events count. */
import type { People, Scope } from '#src/columns/columns.ts';
import type { Zone } from '#src/kit/zone.ts';
import type { QueryInput } from '../define.ts';
import { beginRange, type FirstEventColumns } from './first-event.ts';
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
  const { context, firstEvent } = await beginRange(columns, project, input.range, now);
  return {
    zone: context.zone,
    context,
    first: await firstEvent,
    found: resolveRange(input.range, context),
    scope: {
      projectId: project.id,
      filters: input.filters ?? null,
      include: input.include,
      people,
    },
  };
}
