/** Calls about people. */
import { notFound } from '#src/kit/errors.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { type PersonDetail, type PersonGone, peopleInput, personInput, timelineInput } from './contract.ts';

export const profilesRouter = router({
  list: projectProcedure
    .input(peopleInput)
    .query(({ ctx, input: { project: _, ...asked } }) => ctx.profiles.list(ctx.project.id, asked)),
  get: projectProcedure.input(personInput).query(async ({ ctx, input }): Promise<PersonDetail | PersonGone> => {
    const found = await ctx.profiles.get(ctx.project.id, input.person);
    if (found !== null) return found;
    const at = await ctx.privacy.erasedAt(ctx.project.id, input.person);
    if (at === null) throw notFound('person');
    return { state: 'erased', at };
  }),
  timeline: projectProcedure
    .input(timelineInput)
    .query(({ ctx, input: { project: _, ...asked } }) => ctx.profiles.timeline(ctx.project.id, asked)),
  changes: projectProcedure
    .input(personInput)
    .query(({ ctx, input }) => ctx.profiles.changes(ctx.project.id, input.person)),
});
