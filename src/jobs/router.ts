/** Calls about recurring work. */
import { publicProcedure, router } from '#src/trpc/procedure.ts';
import type { JobStatus } from './contract.ts';

export const jobsRouter = router({
  /** Each job with what it did last, in whichever process. Why one failed may tell of other teams: that is for the operator. */
  status: publicProcedure.query(async ({ ctx }): Promise<JobStatus[]> => {
    const all = await ctx.jobs.status();
    return ctx.reader?.operator === true ? all : all.map((job) => ({ ...job, error: null }));
  }),
});
