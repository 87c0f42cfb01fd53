/** Calls about people. */
import { notFound } from '#src/kit/errors.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import {
  explainListInput,
  type PersonDetail,
  type PersonGone,
  peopleInput,
  personInput,
  splitInput,
  timelineInput,
} from './contract.ts';

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
  explainList: projectProcedure
    .input(explainListInput)
    .query(({ ctx, input: { project: _, ...asked } }) => ctx.profiles.explainList(ctx.project.id, asked)),
  explain: projectProcedure
    .input(personInput)
    .query(({ ctx, input }) => ctx.profiles.explain(ctx.project.id, input.person)),
  changes: projectProcedure
    .input(personInput)
    .query(({ ctx, input }) => ctx.profiles.changes(ctx.project.id, input.person)),
  /** Gives the uuid of the new person. Which id it was stands in no log: it may be an address. */
  split: projectProcedure.input(splitInput).mutation(async ({ ctx, input: { project: _, ...asked } }) => {
    const { accounts, project, reader, client } = ctx;
    const person = await ctx.profiles.splits.split(project.id, asked, reader, (on) =>
      accounts.audit.note(on, {
        actor: reader,
        action: 'data.split',
        details: { person: asked.person },
        address: client.address,
        teamId: project.teamId,
        projectId: project.id,
      }),
    );
    return { person };
  }),
});
