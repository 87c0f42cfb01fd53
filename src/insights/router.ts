/** Procedures of insights: a query of each kind, and what screens need besides. */
import type { TRPCQueryProcedure } from '@trpc/server';
import * as z from 'zod/mini';
import { rowId } from '#src/kit/row.ts';
import { projectProcedure, router, signedInProcedure } from '#src/trpc/procedure.ts';
import { annotationsRouter } from './annotations/router.ts';
import { cohortsRouter } from './cohorts/router.ts';
import type { InsightKind, QueryExplanation, QueryInput } from './define.ts';
import { explainInput } from './explain/contract.ts';
import { goalsRouter } from './goals/router.ts';
import { allKinds } from './kinds/all-kinds.ts';
import type * as kinds from './kinds/kinds.ts';
import type { InProject } from './query/contract.ts';
import { checkFilters } from './query/person-filters.ts';
import { readingPreviewInput } from './reading/contract.ts';
import { savedRouter } from './saved/router.ts';
import { segmentsRouter } from './segments/router.ts';
import { within } from './segments/within.ts';
import { triedFilters, valuesInput } from './suggestions/contract.ts';
import { unknownEventsInput } from './unknown-events/contract.ts';

/** Common input of calls: the project, and optionally a segment. */
const asked = { project: z.string().check(z.minLength(1), z.maxLength(64)), segment: z.optional(rowId) };

type Kinds = typeof kinds;
type QueryProcedures = {
  [Name in keyof Kinds]: Kinds[Name] extends InsightKind<string, infer _Input, infer Result, infer Given>
    ? TRPCQueryProcedure<{ input: InProject<Given>; output: Result; meta: object }>
    : never;
};

/** A procedure for each kind: `insights.query.overview`, and so on. */
function queryProcedures(): QueryProcedures {
  const procedures = allKinds.map((kind) => {
    const procedure = projectProcedure.input(z.extend(kind.input, asked)).query(async ({ ctx, input }) => {
      const { project: _, ...query } = await within(ctx, input as unknown as InProject<QueryInput>);
      return ctx.insights.query(kind, ctx.project, query, ctx.signal);
    });
    return [kind.name, procedure] as const;
  });
  return Object.fromEntries(procedures) as unknown as QueryProcedures;
}

type ExplainProcedure = TRPCQueryProcedure<{ input: InProject<object>; output: QueryExplanation; meta: object }>;

/** A procedure for each kind with an explanation: `insights.explainQuery.lifecycle`, and so on. */
function explainProcedures(): Record<string, ExplainProcedure> {
  const procedures = allKinds
    .filter(({ explain }) => explain !== undefined)
    .map((kind) => {
      const procedure = projectProcedure.input(z.extend(kind.input, asked)).query(async ({ ctx, input }) => {
        const { project: _, ...query } = await within(ctx, input as unknown as InProject<QueryInput>);
        return ctx.insights.explainQuery(kind, ctx.project, query, ctx.signal);
      });
      return [kind.name, procedure] as const;
    });
  return Object.fromEntries(procedures) as unknown as Record<string, ExplainProcedure>;
}

export const insightsRouter = router({
  annotations: annotationsRouter,
  goals: goalsRouter,
  segments: segmentsRouter,
  saved: savedRouter,
  cohorts: cohortsRouter,
  query: router(queryProcedures()),
  explainQuery: router(explainProcedures()),
  explain: projectProcedure
    .input(explainInput)
    .query(async ({ ctx, input }) => ctx.insights.explain(ctx.project, await within(ctx, input))),
  /** Explanation of Home: all projects of the reader's teams. */
  explainHome: signedInProcedure.query(async ({ ctx }) =>
    ctx.insights.explainHome(await ctx.projects.ofTeams(ctx.reader.teams.map(({ id }) => id))),
  ),
  explainNow: projectProcedure.query(({ ctx }) => ctx.insights.explainNow(ctx.project)),
  properties: projectProcedure.query(({ ctx }) => ctx.insights.properties(ctx.project, ctx.role)),
  values: projectProcedure
    .input(valuesInput)
    .query(({ ctx, input }) => ctx.insights.values(ctx.project, ctx.role, input)),
  /** Preview of changed reading rules. */
  readingPreview: projectProcedure
    .input(readingPreviewInput)
    .query(({ ctx, input: { project: _, ...change } }) => ctx.insights.readingPreview(ctx.project, change)),
  unknownEvents: projectProcedure.input(unknownEventsInput).query(async ({ ctx, input }) => {
    const { project: _, ...named } = await within(ctx, input);
    return ctx.insights.unknownEvents(ctx.project, named);
  }),
  tryFilters: projectProcedure.input(triedFilters).mutation(({ ctx, input }) => {
    checkFilters(ctx.role, input);
    return ctx.insights.tryFilters(input.filters);
  }),
});
