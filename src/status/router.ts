/** Calls about the installation itself. */
import { publicProcedure, router } from '#src/trpc/procedure.ts';

export const statusRouter = router({
  /** The whole status; costs some catalog queries. */
  read: publicProcedure.query(({ ctx }) => ctx.status.read()),
  /** How these numbers are counted. */
  explain: publicProcedure.query(({ ctx }) => ctx.status.explain()),
});
