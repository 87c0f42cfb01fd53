/** Calls about people. */
import type { TRPCQueryProcedure } from '@trpc/server';
import * as z from 'zod/mini';
import type { InsightKind, QueryInput } from '#src/insights/define.ts';
import { allKinds } from '#src/insights/kinds/all-kinds.ts';
import type * as kinds from '#src/insights/kinds/kinds.ts';
import { within } from '#src/insights/segments/within.ts';
import { notFound } from '#src/kit/errors.ts';
import { rowId } from '#src/kit/row.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import {
  explainListInput,
  type PersonDetail,
  type PersonGone,
  peopleInput,
  personInput,
  projectRef,
  splitInput,
  timelineInput,
} from './contract.ts';
import { groupsRouter } from './groups/router.ts';
import { type PointListInput, type PointPage, pointList } from './points/contract.ts';

/** Input of a call: a point of an insight, and the options of its list of people. */
type PointQuery<Query> = {
  project: string;
  query: Query & { segment?: number | undefined };
  point: unknown;
} & Partial<PointListInput>;

/** A procedure for each kind with people behind its points: `profiles.behind.funnel`, and so on. */
type PointProcedures = {
  [Name in keyof typeof kinds]: (typeof kinds)[Name] extends InsightKind<
    string,
    infer _Input,
    infer _Result,
    infer Given
  >
    ? TRPCQueryProcedure<{ input: PointQuery<Given>; output: PointPage; meta: object }>
    : never;
};

function pointProcedures(): PointProcedures {
  const procedures = allKinds
    .filter(({ points }) => points !== undefined)
    .map((kind) => {
      const query = z.extend(kind.input, { segment: z.optional(rowId) });
      const asked = z.object({ project: projectRef, query, point: z.unknown(), ...pointList });
      const procedure = projectProcedure.input(asked).query(async ({ ctx, input }) => {
        const { project: _, point, asOf, ...list } = input;
        const query = await within(ctx, input.query as unknown as QueryInput);
        const found = await ctx.insights.behindPoint(kind, ctx.project, query, point, asOf, ctx.signal);
        return ctx.profiles.pointPeople(found, ctx.project.id, list);
      });
      return [kind.name, procedure] as const;
    });
  return Object.fromEntries(procedures) as unknown as PointProcedures;
}

export const profilesRouter = router({
  groups: groupsRouter,
  behind: router(pointProcedures()),
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
