/** Procedures of segments. The whole team can use shared ones; members can save. */
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { segmentChange, segmentInput, segmentRef, segmentRename } from './contract.ts';
import type { SegmentReader } from './segments.ts';

export const segmentsRouter = router({
  list: projectProcedure.query(({ ctx }) => ctx.insights.segments.list(askerOf(ctx))),
  save: projectProcedure
    .input(segmentInput)
    .mutation(({ ctx, input: { name, shared, filters, people } }) =>
      ctx.insights.segments.save(askerOf(ctx), { name, shared, filters, people }),
    ),
  rename: projectProcedure
    .input(segmentRename)
    .mutation(({ ctx, input }) => ctx.insights.segments.rename(askerOf(ctx), input.segment, input.name)),
  change: projectProcedure
    .input(segmentChange)
    .mutation(({ ctx, input: { segment, filters, people } }) =>
      ctx.insights.segments.change(askerOf(ctx), segment, { filters, people }),
    ),
  remove: projectProcedure
    .input(segmentRef)
    .mutation(({ ctx, input }) => ctx.insights.segments.remove(askerOf(ctx), input.segment)),
});

type Ctx = { project: { id: SegmentReader['project'] }; reader: SegmentReader['reader']; role: SegmentReader['role'] };

/** The reader of a call. */
export function askerOf({ project, reader, role }: Ctx): SegmentReader {
  return { project: project.id, reader, role };
}
