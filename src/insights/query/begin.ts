/** What all questions about people over time begin with: the range in the project's zone, and whose events count. */
import type { Columns, People, Scope } from '#src/columns/columns.ts';
import { type Zone, zoneOf } from '#src/kit/zone.ts';
import type { QueryInput } from '../define.ts';
import { type RangeContext, type RangeWithShift, resolveRange } from './ranges.ts';
import type { QueryProject } from './scope.ts';

export interface Begun {
  zone: Zone;
  context: RangeContext;
  /** Of the project's first event; null before it. */
  first: number | null;
  found: RangeWithShift;
  scope: Scope;
}

/** @throws AppError `invalid` for a range that cannot be */
export async function begin(
  columns: Pick<Columns, 'firstEvent'>,
  project: QueryProject,
  input: Pick<QueryInput, 'range' | 'filters' | 'include'>,
  people: People | null,
  now: number,
): Promise<Begun> {
  const first = await columns.firstEvent(project.id);
  const zone = zoneOf(project.timeZone);
  const context = { zone, weekStart: project.weekStart, now, firstEvent: first };
  return {
    ...{ zone, context, first, found: resolveRange(input.range, context) },
    scope: {
      ...{ projectId: project.id, filters: input.filters ?? null, include: input.include },
      people,
    },
  };
}
