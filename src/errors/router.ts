/** Procedures of errors, for members: messages and stacks may hold personal data. */
import { noting } from '#src/accounts/note-change.ts';
import { annotationsInput } from '#src/insights/annotations/contract.ts';
import { within } from '#src/insights/segments/within.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import {
  eventRef,
  issueChangeInput,
  issueListInput,
  issueRef,
  issueSummaryInput,
  mergeInput,
  occurrenceRef,
  rulePreviewInput,
  rulesInput,
  splitInput,
  undoMoveInput,
} from './contract.ts';

export const errorsRouter = router({
  list: projectProcedure
    .input(issueListInput)
    .query(async ({ ctx, input }) => ctx.errors.list(ctx.project, await within(ctx, input))),
  overview: projectProcedure
    .input(issueSummaryInput)
    .query(async ({ ctx, input }) => ctx.errors.overview(ctx.project, await within(ctx, input))),
  get: projectProcedure.input(issueRef).query(({ ctx, input }) => ctx.errors.get(ctx.project, input.issue)),
  releases: projectProcedure
    .input(annotationsInput)
    .query(async ({ ctx, input }) =>
      ctx.errors.releases(ctx.project.id, await ctx.insights.range(ctx.project, input.range)),
    ),
  occurrence: projectProcedure
    .input(occurrenceRef)
    .query(({ ctx, input }) => ctx.errors.occurrence(ctx.project, input.issue, input.at)),
  /** The issue of a stored event, for a link to it. */
  issueOf: projectProcedure
    .input(eventRef)
    .query(({ ctx, input: { ts, uuid } }) => ctx.errors.issueOf(ctx.project, { ts, uuid })),
  merge: projectProcedure
    .input(mergeInput)
    .mutation(({ ctx, input }) => ctx.errors.merge(ctx.project.id, input.issues, ctx.reader.id)),
  split: projectProcedure
    .input(splitInput)
    .mutation(({ ctx, input }) => ctx.errors.split(ctx.project.id, input.issue, input.fingerprints, ctx.reader.id)),
  undo: projectProcedure
    .input(undoMoveInput)
    .mutation(({ ctx, input }) => ctx.errors.undo(ctx.project.id, input.move, ctx.reader.id)),
  rules: projectProcedure.query(({ ctx }) => ctx.errors.rules(ctx.project)),
  saveRules: projectProcedure.input(rulesInput).mutation(async ({ ctx, input: { project: _, ...change } }) => {
    const saved = await ctx.errors.saveRules(ctx.project, change);
    await noting(ctx, 'errors.rulesChanged')(ctx.deps.db, ctx.project.name);
    return saved;
  }),
  previewRule: projectProcedure
    .input(rulePreviewInput)
    .query(({ ctx, input: { project: _, ...rule } }) => ctx.errors.previewRule(ctx.project, rule)),
  change: projectProcedure
    .input(issueChangeInput)
    .mutation(({ ctx, input }) => ctx.errors.change(ctx.project, input.issues, input.change, ctx.reader.id)),
});
