/** Cohorts as they are shown: with their size by day, and what uses them. */
import { COHORT } from '#src/columns/values.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import { insightsNaming } from '../saved/queries.ts';
import { type Cohort, cohortSource } from './contract.ts';
import * as queries from './queries.ts';
import { definitionOf, meansOneOf, namesInQuery, namesInSegment, usersAmong } from './uses.ts';

/** Sizes of so long are shown. */
const SHOWN_MS = 56 * dayMs;

/** In the order of their names. */
export async function listCohorts({ db, clock }: Pick<Deps, 'db' | 'clock'>, projectId: number): Promise<Cohort[]> {
  const [rows, sizes, segments, insights, flags] = await Promise.all([
    queries.cohortsOf(db, projectId),
    queries.sizesOf(db, projectId, clock.now() - SHOWN_MS),
    queries.sharedSegments(db, projectId),
    insightsNaming(db, projectId, COHORT),
    queries.flagsWithCohorts(db, projectId),
  ]);
  const users = [
    ...usersAmong(rows),
    ...segments.map(({ name, definition }) => ({ name, names: namesInSegment(definition) })),
    ...insights.map(({ name, definition }) => ({ name, names: namesInQuery(definition) })),
  ];
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    people: definitionOf(row),
    source: row.source === null ? null : cohortSource.parse(row.source),
    size: row.size,
    computedAt: row.computedAt,
    computedMs: row.computedMs,
    problem: row.problem,
    createdBy: row.createdBy,
    sizes: sizes.filter(({ cohort }) => cohort === row.id).map(({ day, size }) => ({ day, size })),
    usedBy: [
      ...users.filter(({ names }) => meansOneOf(row, names)).map(({ name }) => name),
      ...flags.filter(({ cohorts }) => cohorts.includes(row.id)).map(({ key }) => key),
    ],
  }));
}
