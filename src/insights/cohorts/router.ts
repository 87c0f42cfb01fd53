/** Procedures of cohorts, for members only: membership reveals personal data. */

import * as z from 'zod/mini';
import { invalid } from '#src/kit/errors.ts';
import { rowId } from '#src/kit/row.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import type { QueryInput } from '../define.ts';
import { kindNamed } from '../kinds/all-kinds.ts';
import { within } from '../segments/within.ts';
import {
  cohortChange,
  cohortPreviewInput,
  cohortRef,
  dynamicCohortInput,
  listCohortInput,
  pointCohortInput,
} from './contract.ts';

export const cohortsRouter = router({
  list: projectProcedure.query(({ ctx }) => ctx.insights.cohorts.list(ctx.project)),
  preview: projectProcedure
    .input(cohortPreviewInput)
    .query(({ ctx, input }) => ctx.insights.cohorts.preview(ctx.project, input.people)),
  create: projectProcedure
    .input(dynamicCohortInput)
    .mutation(({ ctx, input: { project: _, ...draft } }) =>
      ctx.insights.cohorts.createDynamic(ctx.project, draft, ctx.reader.id),
    ),
  createFromList: projectProcedure
    .input(listCohortInput)
    .mutation(({ ctx, input: { project: _, ...draft } }) =>
      ctx.insights.cohorts.createFromList(ctx.project, draft, ctx.reader.id),
    ),
  createFromPoint: projectProcedure.input(pointCohortInput).mutation(async ({ ctx, input }) => {
    const { name, description, kind: kindName, query, point, asOf } = input;
    const kind = kindNamed(kindName);
    if (kind?.points === undefined) throw invalid('kind', `There are no people behind numbers of "${kindName}".`);
    const read = z.extend(kind.input, { segment: z.optional(rowId) }).safeParse(query);
    if (!read.success) throw invalid('query', 'Invalid query.');
    const asked = await within(ctx, read.data as unknown as QueryInput);
    const { people } = await ctx.insights.pointPeople(kind, ctx.project, asked, point, asOf);
    const source = { from: 'insight' as const, kind: kindName, query, point };
    return ctx.insights.cohorts.createFromPeople(ctx.project, { name, description }, { people, source }, ctx.reader.id);
  }),
  change: projectProcedure
    .input(cohortChange)
    .mutation(({ ctx, input: { project: _, cohort, ...draft } }) =>
      ctx.insights.cohorts.change(ctx.project, cohort, draft),
    ),
  recompute: projectProcedure
    .input(cohortRef)
    .mutation(({ ctx, input }) => ctx.insights.cohorts.recompute(ctx.project, input.cohort)),
  remove: projectProcedure
    .input(cohortRef)
    .mutation(({ ctx, input }) => ctx.insights.cohorts.remove(ctx.project, input.cohort)),
});
