/** What all questions about people over time begin with: the range in the project's zone, and whose events count. */
import type { Columns, Scope } from '#src/columns/columns.ts';
import { type Zone, zoneOf } from '#src/kit/zone.ts';
import type { TrendsInput } from './follow/contract.ts';
import { peopleOf } from './people/people.ts';
import type { RulesOf } from './people/rules.ts';
import { type RangeContext, type RangeWithShift, resolveRange } from './ranges.ts';
import type { AskedProject } from './scope.ts';

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
  project: AskedProject,
  input: Pick<TrendsInput, 'range' | 'filters' | 'people' | 'include'>,
  rulesOf: RulesOf,
  now: number,
): Promise<Begun> {
  const first = await columns.firstEvent(project.id);
  const zone = zoneOf(project.timeZone);
  const context = { zone, weekStart: project.weekStart, now, firstEvent: first };
  return {
    ...{ zone, context, first, found: resolveRange(input.range, context) },
    scope: {
      ...{ projectId: project.id, filters: input.filters ?? null, include: input.include },
      people: peopleOf(input.people, rulesOf, context),
    },
  };
}
