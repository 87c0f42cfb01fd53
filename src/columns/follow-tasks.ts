/** Tasks of questions about what people do over time: what a chunk says, and what all say together. Pure. */
import type { EventChunk } from './kernels/count-events.ts';
import { countTrend, type TrendPart, type TrendPlan } from './kernels/count-trend.ts';
import { type DrawnRow, type DrawPlan, drawTrend } from './kernels/draw-trend.ts';
import { type SessionList, SessionSet } from './kernels/session-set.ts';

/** What is done chunk by chunk. */
interface OfChunks<Name extends string, Plan> {
  task: Name;
  plan: Plan;
  chunks: readonly EventChunk[];
  /** Lists that conditions name by number, each in pieces. */
  sets: readonly (readonly SessionList[])[];
}

/** What is done with all that chunks said; each with what is added to the numbers of its stretches. */
interface OfParts<Name extends string, Plan, Part> {
  task: Name;
  plan: Plan;
  parts: readonly { part: Part; shift: number }[];
}

export type CountTrendTask = OfChunks<'countTrend', TrendPlan>;
export type DrawTrendTask = OfParts<'drawTrend', DrawPlan, TrendPart>;

export type FollowTask = CountTrendTask | DrawTrendTask;

export type FollowResultOf<Asked extends FollowTask> = Asked extends CountTrendTask ? TrendPart[] : DrawnRow[];

export function isFollowTask(task: { task: string }): task is FollowTask {
  return task.task in work;
}

const work: { [Name in FollowTask['task']]: (task: never) => FollowResultOf<FollowTask> } = {
  countTrend: ({ plan, chunks, sets }: CountTrendTask) => {
    const found = sets.map((lists) => new SessionSet(lists));
    return chunks.map((chunk) => countTrend(plan, chunk, found));
  },
  drawTrend: ({ plan, parts }: DrawTrendTask) => drawTrend(plan, parts),
};

export function follow(task: FollowTask): FollowResultOf<FollowTask> {
  return work[task.task](task as never);
}
