/** Shared start of series queries: the range in the project's time zone, and the selected persons. */
import type { People, Scope } from '#src/columns/columns.ts';
import type { Zone } from '#src/kit/zone.ts';
import type { QueryInput } from '../define.ts';
import { beginRange, type FirstEventColumns } from './first-event.ts';
import { type RangeContext, type RangeWithShift, resolveRange } from './ranges.ts';
import type { QueryProject } from './scope.ts';

export interface Begun {
  zone: Zone;
  context: RangeContext;
  /** Time of the project's first event, early ones included; null without events. */
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
