/** Calls about recurring work. */
import { publicProcedure, router } from '#src/trpc/procedure.ts';

export const jobsRouter = router({
  /** Each job with what it did last, in whichever process. */
  status: publicProcedure.query(({ ctx }) => ctx.jobs.status()),
});
