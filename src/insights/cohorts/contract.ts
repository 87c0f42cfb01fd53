/** Cohorts: sets of people with a name, as a fixed list or by conditions. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { lineOf } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import { type PeopleQuery, peopleQuery } from '../query/people/contract.ts';
import { MAX_COHORT_NAME, MAX_LIST_LENGTH } from './values.ts';

const project = z.string().check(z.minLength(1), z.maxLength(64));
const description = z._default(z.string().check(z.trim(), z.maxLength(400)), '');
const name = lineOf(MAX_COHORT_NAME).check(z.trim());

/** Stored definition of a dynamic cohort. A version never changes its meaning. */
export const cohortDefinition = z.object({ version: z.literal(1), people: peopleQuery });

/** Source of a static list. Stored. */
export const cohortSource = z.union([
  z.object({ from: z.literal('insight'), kind: z.string(), query: z.unknown(), point: z.unknown() }),
  z.object({
    from: z.literal('list'),
    /** Values in the list, how many of them are of a person, and some of the others. */
    given: z.int(),
    matched: z.int(),
    notFound: z.array(z.string()),
  }),
]);
export type CohortSource = z.infer<typeof cohortSource>;

export const cohortDraft = { name, description };
/** People who fulfil conditions, whenever it is computed. */
export const dynamicCohortInput = z.object({ project, ...cohortDraft, people: peopleQuery });
/** A list of distinct ids, email addresses or person ids: one per line, or the first column of a CSV. */
export const listCohortInput = z.object({
  project,
  ...cohortDraft,
  list: z.string().check(z.maxLength(MAX_LIST_LENGTH)),
});
/** The people behind a number of an insight, as they are now. */
export const pointCohortInput = z.object({
  project,
  ...cohortDraft,
  kind: z.string().check(z.maxLength(40)),
  query: z.record(z.string(), z.unknown()),
  point: z.unknown(),
  asOf: z.optional(z.int().check(z.minimum(0))),
});
export const cohortRef = z.object({ project, cohort: rowId });
/** `people`: of dynamic ones, what they mean from now on. */
export const cohortChange = z.object({ project, cohort: rowId, ...cohortDraft, people: z.optional(peopleQuery) });
export const cohortPreviewInput = z.object({ project, people: peopleQuery });

export interface CohortDraft {
  name: string;
  description: string;
}

export interface Cohort extends CohortDraft {
  id: number;
  /** Conditions of a dynamic one; null: a fixed list. */
  people: PeopleQuery | null;
  source: CohortSource | null;
  size: number;
  /** When its people were found, ms; of a fixed list, when it was made. */
  computedAt: number;
  computedMs: number;
  /** Why it could not be computed since then; null: it could. */
  problem: string | null;
  createdBy: string | null;
  /** By day (UTC, `2026-11-26`) of the last 8 weeks, oldest first. */
  sizes: { day: string; size: number }[];
  /** Names of cohorts, shared segments and active insights with conditions on it. */
  usedBy: string[];
}
