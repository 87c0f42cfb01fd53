/** References of a saved query (goals, events, a segment), and access to them. */
import { forbidden, invalid, notFound } from '#src/kit/errors.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Queryable } from '#src/store/sql.ts';
import { cohortsOf } from '../cohorts/queries.ts';
import { meansOneOf, namesInQuery } from '../cohorts/uses.ts';
import type { Goals } from '../goals/goals.ts';
import { keepGoals } from '../goals/queries.ts';
import { type EventsQuery, eventsOfPeople } from '../query/people/contract.ts';
import { revealsPersons } from '../query/run-query.ts';
import { keepSegment } from '../segments/queries.ts';
import type { Segments } from '../segments/segments.ts';
import { type Definition, kindOf } from './definition.ts';
import type { InsightReader } from './saved-insights.ts';

export interface References {
  /** Numbers, each once. */
  goals: number[];
  /** Names, each once. */
  events: string[];
}

/** The goals and events of the query and of its sets of persons. */
export function referencesOf({ kind, query }: Pick<Definition, 'kind' | 'query'>): References {
  const { people, goal } = query;
  const named = [...(kindOf(kind).events?.(query) ?? []), ...(people === undefined ? [] : eventsOfPeople(people))];
  const goals = named.flatMap((each) => ('goal' in each ? [each.goal] : []));
  return {
    goals: [...new Set(goal === undefined ? goals : [...goals, goal])],
    events: [...new Set(named.flatMap(namesIn))],
  };
}

function namesIn(asked: EventsQuery): string[] {
  if ('goal' in asked) return [];
  return ('any' in asked ? asked.any : [asked]).flatMap(({ event }) => event ?? []);
}

interface Parts {
  goals: Pick<Goals, 'use' | 'list'>;
  segments: Pick<Segments, 'list'>;
}

/**
 * @throws AppError `not_found` for a goal or segment that the project does not have, `invalid` for a segment that is not shared, `forbidden`
 * for a query that reveals personal data
 */
export async function checkReferences(parts: Parts, asker: InsightReader, definition: Definition): Promise<void> {
  if (!asker.project.seesPersons && revealsPersons(kindOf(definition.kind), definition.query)) {
    throw forbidden('You may not query data about persons.');
  }
  for (const id of referencesOf(definition).goals) {
    if ((await parts.goals.use(asker.project, id)) === null) throw notFound('goal');
  }
  if (definition.segment === null) return;
  const segment = (await segmentsOf(parts, asker)).find(({ id }) => id === definition.segment);
  if (segment === undefined) throw notFound('segment');
  if (!segment.shared) {
    throw invalid('segment', 'Only segments that are shared with the team can be used in insights.');
  }
}

/** Locks the goals and the segment against deletion until the transaction ends. @throws AppError `not_found`, also for a cohort */
export async function keepReferences(on: Queryable, projectId: ProjectId, definition: Definition): Promise<void> {
  const names = namesInQuery(definition.query);
  const cohorts = names.length === 0 ? [] : await cohortsOf(on, projectId);
  if (!names.every((name) => cohorts.some((cohort) => meansOneOf(cohort, [name])))) throw notFound('cohort');
  const { goals } = referencesOf(definition);
  if (goals.length > 0 && (await keepGoals(on, projectId, goals)).size < goals.length) throw notFound('goal');
  if (definition.segment === null) return;
  if (!(await keepSegment(on, projectId, definition.segment))) throw notFound('segment');
}

/** Insights visible to the reader: without access to persons, none that reveal personal data; null: all. */
export async function visibility(
  parts: Parts,
  asker: InsightReader,
): Promise<((definition: Definition) => boolean) | null> {
  if (asker.project.seesPersons) return null;
  const [goals, segments] = await Promise.all([parts.goals.list(asker.project), segmentsOf(parts, asker)]);
  const knownGoals = new Set(goals.map(({ id }) => id));
  const knownSegments = new Set(segments.map(({ id }) => id));
  return (definition) =>
    !revealsPersons(kindOf(definition.kind), definition.query) &&
    referencesOf(definition).goals.every((id) => knownGoals.has(id)) &&
    (definition.segment === null || knownSegments.has(definition.segment));
}

/** Segments visible to the reader. */
function segmentsOf({ segments }: Parts, { project, reader, role }: InsightReader) {
  return segments.list({ project: project.id, reader, role: project.seesPersons ? role : 'viewer' });
}
