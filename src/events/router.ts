/** Procedures about single events and the live stream. */
import { tracked } from '@trpc/server';
import { dayMs } from '#src/kit/zone.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { eventInput, type LiveUpdate, liveInput, liveStreamInput, type NowSummary, storedInput } from './contract.ts';
import { explainStored } from './explain.ts';
import { countStored } from './stored.ts';

export const eventsRouter = router({
  now: projectProcedure.query(async ({ ctx }): Promise<NowSummary> => {
    const [summary, waiting] = await Promise.all([ctx.live.now(ctx.project.id), ctx.collect?.waiting() ?? 0]);
    return { ...summary, waiting };
  }),
  live: projectProcedure.input(liveInput).query(({ ctx, input }) => ctx.live.snapshot(ctx.project.id, input.filter)),
  liveStream: projectProcedure
    .input(liveStreamInput)
    .subscription(({ ctx, input, signal }) =>
      trackedUpdates(ctx.live.stream(ctx.project.id, input, signal ?? ctx.signal)),
    ),
  detail: projectProcedure
    .input(eventInput)
    .query(({ ctx, input }) => ctx.history.detail(ctx.project.id, { ts: input.ts, uuid: input.uuid })),
  /** How that is counted. */
  explainStored: projectProcedure
    .input(storedInput)
    .query(({ ctx, input }) => explainStored(ctx.project.id, ctx.deps.clock.now(), input.olderThanDays)),
  stored: projectProcedure.input(storedInput).query(({ ctx, input: { olderThanDays } }) => {
    const before = olderThanDays === undefined ? undefined : ctx.deps.clock.now() - olderThanDays * dayMs;
    return countStored(ctx.deps.db, ctx.project.id, before);
  }),
});

/** Knows nothing of the request: a generator keeps what it was called with for as long as it runs. */
async function* trackedUpdates(updates: AsyncIterable<LiveUpdate>) {
  for await (const update of updates) yield tracked(update.cursor, update);
}
