/** Schemas of cohorts in the public API. */
import * as z from 'zod';
import { MAX_COHORT_NAME, MAX_MEMBERS_POSTED, MAX_NOT_FOUND } from '#src/insights/cohorts/values.ts';
import { rowId } from '#src/insights/query/parameters.ts';
import { ms } from '#src/insights/query/results.ts';
import { projectPath } from './schemas.ts';

export const cohortPath = projectPath.extend({ cohort: rowId });

const name = z.string().trim().min(1).max(MAX_COHORT_NAME);
const description = z.string().trim().max(400);
const conditions = z.record(z.string(), z.unknown()).meta({
  description:
    'Conditions that people have to meet, as `people` of queries takes them: properties, events they did or did not do, first seen, other cohorts.',
});
const members = z.array(z.string().trim().min(1).max(400)).min(1).max(MAX_MEMBERS_POSTED).meta({
  description: 'Distinct IDs, email addresses or person UUIDs of a static cohort.',
});

export const NewCohort = z
  .strictObject({
    name,
    description: description.default(''),
    conditions: conditions.optional(),
    members: members.optional(),
  })
  .meta({
    id: 'NewCohort',
    description: 'With either `conditions` (dynamic) or `members` (static).',
    examples: [
      {
        name: 'Repeat buyers',
        conditions: { match: 'all', of: [{ did: { event: 'purchase' }, times: 2, within: 'last_90_days' }] },
      },
      {
        name: 'Stopped buying',
        conditions: {
          match: 'all',
          of: [
            { did: { event: 'purchase' }, within: 'last_90_days' },
            { did: { event: 'purchase' }, within: 'last_30_days', not: true },
          ],
        },
      },
      { name: 'Wholesale', members: ['user_123', 'ana@example.com'] },
    ],
  });

export const CohortPatch = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    conditions: conditions
      .optional()
      .meta({ description: 'New conditions of a dynamic cohort. It is computed again at once.' }),
  })
  .meta({ id: 'CohortPatch', examples: [{ name: 'Loyal buyers' }] });

export const Cohort = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    conditions: conditions.nullable().meta({ description: 'Conditions of a dynamic cohort. Null: it is static.' }),
    list: z
      .object({
        given: z.int().meta({ description: 'Different values in the list.' }),
        matched: z.int().meta({ description: 'Values that are of a person.' }),
        notFound: z.array(z.string()).meta({ description: `Values that are of nobody, up to ${MAX_NOT_FOUND}.` }),
      })
      .nullable()
      .meta({ description: 'How a list matched when the cohort was created. Null: not made from a list.' }),
    size: z.int().meta({ description: 'Number of people when it was last computed.' }),
    computedAt: ms,
    problem: z.string().nullable().meta({ description: 'Why it could not be computed since then. Null: no problem.' }),
    sizes: z
      .array(z.object({ day: z.string(), size: z.int() }))
      .meta({ description: 'Size by day (UTC) of the last 8 weeks, oldest first.' }),
    usedBy: z.array(z.string()).meta({ description: 'Names of cohorts, shared segments and insights that use it.' }),
  })
  .meta({ id: 'Cohort' });

export const Cohorts = z.object({ cohorts: z.array(Cohort) }).meta({ id: 'Cohorts' });

export const cohortPeopleQuery = z.strictObject({
  after: z.string().max(40).optional().meta({ description: 'Cursor: `next` of the previous page.' }),
});

export const CohortPeople = z
  .object({
    people: z.array(
      z.object({
        uuid: z.guid().meta({ override: { type: 'string', format: 'uuid' } }),
        identified: z.boolean(),
        distinctId: z.string().meta({ description: 'The oldest distinct ID.' }),
        label: z.string().nullable().meta({ description: 'Name or email address.' }),
        email: z.string().nullable(),
        firstSeen: ms,
        lastSeen: ms.nullable(),
      }),
    ),
    next: z.string().nullable().meta({ description: 'Cursor for `after`. Null on the last page.' }),
  })
  .meta({ id: 'CohortPeople' });
