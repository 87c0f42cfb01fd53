/** Calls about the copy in ClickHouse. */
import * as z from 'zod/mini';
import { noting } from '#src/accounts/note-change.ts';
import { notFound } from '#src/kit/errors.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';

const switchInput = z.object({ isOn: z.boolean() });

export const clickhouseRouter = router({
  /** Null without CLICKHOUSE_URL. */
  project: projectProcedure.query(({ ctx }) => ctx.clickhouse?.project(ctx.project.id) ?? null),
  /** Where the project's insights run. */
  switchProject: projectProcedure.input(switchInput).mutation(async ({ ctx, input: { isOn } }) => {
    if (ctx.clickhouse === null) throw notFound('ClickHouse');
    const note = noting(ctx, isOn ? 'project.clickhouseOn' : 'project.clickhouseOff');
    await ctx.clickhouse.switchProject(ctx.project, isOn, note);
  }),
});
