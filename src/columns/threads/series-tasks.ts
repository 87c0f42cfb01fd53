/** Tasks of series queries: partial results of chunks, and their merge. Pure. */

import { type ActivityCounts, type ActivityParts, type ActivityPlan, findActivity } from '../kernels/activity.ts';
import { type ArmsFound, type ArmsPlan, findArms } from '../kernels/arms.ts';
import type { BegunVisits } from '../kernels/begun-visits.ts';
import { type CombinePlan, combineKeys } from '../kernels/combine-keys.ts';
import { type CodesPlan, countCodes } from '../kernels/count-codes.ts';
import type { EventChunk } from '../kernels/count-events.ts';
import { countFirsts, type FirstsPlan, type FirstsTrendPlan, trendOfFirsts } from '../kernels/count-firsts.ts';
import { countTrend, type TrendPart, type TrendPlan } from '../kernels/count-trend.ts';
import { drawOnto, type TrendBase, trendBase } from '../kernels/draw-onto.ts';
import { type DrawnRow, type DrawPlan, drawTrend } from '../kernels/draw-trend.ts';
import { addVisits, countVisits, type VisitCounts, type VisitParts } from '../kernels/draw-visits.ts';
import { type FunnelFound, type FunnelPlan, findFunnel } from '../kernels/funnel.ts';
import { type LastSeen, type LastSeenPlan, lastSeen } from '../kernels/last-seen.ts';
import {
  type GroupFigures,
  type GroupsPart,
  type ListGroupsPlan,
  listGroups,
  sumGroups,
} from '../kernels/list-groups.ts';
import { listSteps, type StepsPart, type StepsPlan } from '../kernels/list-steps.ts';
import { listValues, type ValuesPart, type ValuesPlan } from '../kernels/list-values.ts';
import { countEach, type MarkPlan, markPersons } from '../kernels/mark-persons.ts';
import { findPaths, type PathsCounts, type PathsPlan } from '../kernels/paths.ts';
import {
  type FiguresPart,
  type FiguresPlan,
  listFigures,
  type PersonFigures,
  type SumFiguresPlan,
  sumFigures,
} from '../kernels/person-figures.ts';
import { type PickTrendPlan, pickTrend, pickVisitors } from '../kernels/pick-trend.ts';
import type { Picked } from '../kernels/picked.ts';
import {
  type PersonValues,
  type PersonValuesPlan,
  personValues,
  type TopPersonsPlan,
  topPersons,
} from '../kernels/rank-persons.ts';
import { type CountedCodes, type RankedValues, type RankPlan, rankValues } from '../kernels/rank-values.ts';
import { findRetention, type RetentionCounts, type RetentionParts, type RetentionPlan } from '../kernels/retention.ts';
import type { Key } from '../kernels/row-keys.ts';
import { type SessionList, SessionSet } from '../kernels/session-set.ts';
import { type ActorPart, type ChosenActors, partOfSome } from '../kernels/some-actors.ts';
import { type VisitKeysPlan, visitKeys } from '../kernels/visit-keys.ts';
import type { ChunkColumns, ColumnBytes } from '../storage/format.ts';
import { eachChunk } from './cancelling.ts';

/** Tasks by chunk. */
interface OfChunks<Name extends string, Plan> {
  task: Name;
  plan: Plan;
  chunks: readonly EventChunk[];
  /** Lists that conditions name by number, each in pieces. */
  sets: readonly (readonly SessionList[])[];
}

/** Each with what is added to the numbers of its stretches. */
type Shifted<Part> = readonly { part: Part; shift: number }[];

interface Tasks {
  countTrend: { asked: OfChunks<'countTrend', TrendPlan>; found: TrendPart[] };
  combineKeys: {
    asked: { task: 'combineKeys'; plan: CombinePlan; chunks: readonly Pick<EventChunk, 'columns'>[] };
    found: ColumnBytes[];
  };
  visitKeys: {
    asked: { task: 'visitKeys'; plan: VisitKeysPlan; chunks: readonly Pick<EventChunk, 'columns'>[] };
    found: ColumnBytes[];
  };
  countCodes: { asked: OfChunks<'countCodes', CodesPlan>; found: Int32Array<SharedArrayBuffer>[] };
  rankValues: { asked: { task: 'rankValues'; plan: RankPlan; parts: readonly CountedCodes[] }; found: RankedValues };
  listSteps: { asked: OfChunks<'listSteps', StepsPlan>; found: StepsPart[] };
  listValues: { asked: OfChunks<'listValues', ValuesPlan>; found: ValuesPart[] };
  findArms: {
    asked: {
      task: 'findArms';
      plan: ArmsPlan;
      exposures: readonly StepsPart[];
      values: readonly ValuesPart[][];
    };
    found: ArmsFound;
  };
  listFigures: { asked: OfChunks<'listFigures', FiguresPlan>; found: FiguresPart[] };
  sumFigures: {
    asked: { task: 'sumFigures'; plan: SumFiguresPlan; parts: readonly FiguresPart[] };
    found: PersonFigures;
  };
  personValues: {
    asked: { task: 'personValues'; plan: PersonValuesPlan; parts: readonly FiguresPart[] };
    found: PersonValues;
  };
  topPersons: { asked: { task: 'topPersons'; plan: TopPersonsPlan; of: PersonValues }; found: PersonValues };
  pickTrend: { asked: { task: 'pickTrend'; plan: PickTrendPlan; parts: Shifted<TrendPart> }; found: Picked };
  pickVisitors: {
    asked: { task: 'pickVisitors'; plan: PickTrendPlan; parts: readonly StepsPart[]; begun: Shifted<BegunVisits> };
    found: Picked;
  };
  drawTrend: { asked: { task: 'drawTrend'; plan: DrawPlan; parts: Shifted<TrendPart> }; found: DrawnRow[] };
  trendBase: { asked: { task: 'trendBase'; plan: DrawPlan; parts: Shifted<TrendPart> }; found: TrendBase };
  drawOnto: {
    /** `fresh`: parts to add to the base of the other `parts`. */
    asked: {
      task: 'drawOnto';
      plan: DrawPlan;
      base: TrendBase;
      parts: Shifted<TrendPart>;
      fresh: Shifted<TrendPart>;
    };
    found: DrawnRow[];
  };
  countVisits: { asked: { task: 'countVisits'; plan: DrawPlan; visits: VisitParts }; found: VisitCounts };
  addVisits: {
    asked: { task: 'addVisits'; plan: DrawPlan; base: VisitCounts; lasting: VisitParts; fresh: VisitParts };
    found: VisitCounts;
  };
  findFunnel: { asked: { task: 'findFunnel'; plan: FunnelPlan; parts: readonly StepsPart[] }; found: FunnelFound };
  countFirsts: {
    asked: { task: 'countFirsts'; plan: FirstsPlan; parts: readonly StepsPart[] };
    found: Map<Key, number>;
  };
  trendOfFirsts: {
    asked: { task: 'trendOfFirsts'; plan: FirstsTrendPlan; parts: readonly StepsPart[] };
    found: TrendPart;
  };
  findRetention: {
    asked: { task: 'findRetention'; plan: RetentionPlan; parts: RetentionParts };
    found: RetentionCounts;
  };
  findActivity: {
    asked: { task: 'findActivity'; plan: ActivityPlan; parts: ActivityParts };
    found: ActivityCounts;
  };
  findPaths: {
    asked: { task: 'findPaths'; plan: PathsPlan; parts: readonly StepsPart[]; nodesOf: readonly Int32Array[] };
    found: PathsCounts;
  };
  partsOfSome: {
    asked: { task: 'partsOfSome'; parts: readonly ActorPart[]; chosen: ChosenActors };
    found: ActorPart[];
  };
  countEach: { asked: { task: 'countEach'; parts: readonly { part: TrendPart }[] }; found: Int32Array };
  markPersons: {
    asked: { task: 'markPersons'; plan: MarkPlan; counts: readonly Int32Array[] };
    found: Uint8Array;
  };
  listGroups: { asked: OfChunks<'listGroups', ListGroupsPlan>; found: GroupsPart[] };
  sumGroups: {
    asked: { task: 'sumGroups'; plan: Parameters<typeof sumGroups>[0]; parts: readonly GroupsPart[] };
    found: GroupFigures;
  };
  lastSeen: { asked: { task: 'lastSeen'; plan: LastSeenPlan; chunks: readonly ChunkColumns[] }; found: LastSeen };
}

export type FollowTask = Tasks[keyof Tasks]['asked'];

export type FollowResultOf<T extends FollowTask> = Tasks[T['task']]['found'];

export function isFollowTask(task: { task: string }): task is FollowTask {
  return Object.hasOwn(work, task.task);
}

const work: { [Name in keyof Tasks]: (task: Tasks[Name]['asked']) => Tasks[Name]['found'] } = {
  countTrend: ({ plan, chunks, sets }) => {
    const found = sets.map((lists) => new SessionSet(lists));
    return eachChunk(chunks, (chunk) => countTrend(plan, chunk, found));
  },
  combineKeys: ({ plan, chunks }) => eachChunk(chunks, (chunk) => combineKeys(plan, chunk)),
  visitKeys: ({ plan, chunks }) => visitKeys(plan, chunks),
  countCodes: ({ plan, chunks, sets }) => {
    const found = sets.map((lists) => new SessionSet(lists));
    return eachChunk(chunks, (chunk) => countCodes(plan, chunk, found));
  },
  rankValues: ({ plan, parts }) => rankValues(plan, parts),
  listSteps: ({ plan, chunks, sets }) => {
    const found = sets.map((lists) => new SessionSet(lists));
    return eachChunk(chunks, (chunk) => listSteps(plan, chunk, found));
  },
  listValues: ({ plan, chunks, sets }) => {
    const found = sets.map((lists) => new SessionSet(lists));
    return eachChunk(chunks, (chunk) => listValues(plan, chunk, found));
  },
  findArms: ({ plan, exposures, values }) => findArms(plan, exposures, values),
  listFigures: ({ plan, chunks, sets }) => {
    const found = sets.map((lists) => new SessionSet(lists));
    return eachChunk(chunks, (chunk) => listFigures(plan, chunk, found));
  },
  sumFigures: ({ plan, parts }) => sumFigures(plan, parts),
  personValues: ({ plan, parts }) => personValues(plan, parts),
  topPersons: ({ plan, of }) => topPersons(plan, of),
  pickTrend: ({ plan, parts }) => pickTrend(plan, parts),
  pickVisitors: ({ plan, parts, begun }) => pickVisitors(plan, parts, begun),
  drawTrend: ({ plan, parts }) => drawTrend(plan, parts),
  trendBase: ({ plan, parts }) => trendBase(plan, parts),
  drawOnto: ({ plan, base, parts, fresh }) => drawOnto(plan, base, parts, fresh),
  countVisits: ({ plan, visits }) => countVisits(plan, visits),
  addVisits: ({ plan, base, lasting, fresh }) => addVisits(plan, base, lasting, fresh),
  findFunnel: ({ plan, parts }) => findFunnel(plan, parts),
  countFirsts: ({ plan, parts }) => countFirsts(plan, parts),
  trendOfFirsts: ({ plan, parts }) => trendOfFirsts(plan, parts),
  findRetention: ({ plan, parts }) => findRetention(plan, parts),
  findActivity: ({ plan, parts }) => findActivity(plan, parts),
  findPaths: ({ plan, parts, nodesOf }) => findPaths(plan, parts, nodesOf),
  partsOfSome: ({ parts, chosen }) => eachChunk(parts, (part) => partOfSome(part, chosen)),
  countEach: ({ parts }) => countEach(parts),
  markPersons: ({ plan, counts }) => markPersons(plan, counts),
  listGroups: ({ plan, chunks, sets }) => {
    const found = sets.map((lists) => new SessionSet(lists));
    return eachChunk(chunks, (chunk) => listGroups(plan, chunk, found));
  },
  sumGroups: ({ plan, parts }) => sumGroups(plan, parts),
  lastSeen: ({ plan, chunks }) => lastSeen(plan, chunks),
};

export function follow(task: FollowTask): FollowResultOf<FollowTask> {
  return work[task.task](task as never);
}
