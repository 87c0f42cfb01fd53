/** Activity of persons by period: who is new in each, who was active in the one before, and in how many each was active. */

import type { ClientBase } from 'pg';
import { busy } from '#src/kit/errors.ts';
import { countIncrementally, type Piece, replaced } from '../count/incremental.ts';
import type { Rules } from '../filters/rules.ts';
import type { ActivityCounts, ActivityPick } from '../kernels/activity.ts';
import { type Actors, bytesOfTrend, type TrendPart, type TrendPlan } from '../kernels/count-trend.ts';
import { bytesOfSteps, type StepsPart, type StepsPlan } from '../kernels/list-steps.ts';
import type { Picked } from '../kernels/picked.ts';
import type { AnswerParts } from './answer-parts.ts';
import { atOneMoment, readChosen } from './prepare-series.ts';
import {
  columnsOfActors,
  everything,
  haveSameGroups,
  mergesOf,
  partsOf,
  type Ready,
  type ReadySeries,
  readSeries,
  type Scope,
} from './series.ts';

export interface ActivityQuery extends Scope {
  /** Who is active; absent: persons. */
  of?: Exclude<Actors, 'visits'>;
  /** Moments (ms) at which periods begin, ascending, and last the one up to which the last is counted. */
  edges: readonly number[];
  /** The events that make a person active. */
  did: Rules;
  /** So many times in a period. */
  minCount: number;
  /** Time of the project's first event, ms, where the search for first events of persons starts; null: no person is new. */
  first: number | null;
}

export interface Activity {
  /** By period. New persons had their first event of any kind in it; returning ones were active in the previous period. */
  periods: { active: number; new: number; returning: number }[];
  /** Persons who were active in exactly one period, in two, and so on. */
  byPeriods: number[];
}

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function queryActivity(parts: AnswerParts, asked: ActivityQuery): Promise<Activity> {
  const read = await atOneMoment(parts, (client) => readActivity(parts, client, asked));
  const { activity } = await activityOf(read, asked, null);
  return activity;
}

interface ActivityRead {
  ready: Ready;
  /** First events of all persons; null: no person is new. */
  beginnings: Ready | null;
}

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function readActivity(
  parts: AnswerParts,
  client: ClientBase,
  asked: ActivityQuery,
): Promise<ActivityRead> {
  const { edges, did, first, of = 'persons' } = asked;
  const [from, until] = [edges[0] as number, edges.at(-1) as number];
  return {
    ready: await readChosen(parts, client, asked, {
      spans: [{ from, until }],
      series: [did],
      by: null,
      ...columnsOfActors(of),
      timesAt: edges,
    }),
    // Filters are about what makes a person active: people who came earlier by another page are not new.
    beginnings:
      first === null
        ? null
        : await readSeries(
            parts,
            client,
            asked,
            {
              spans: [{ from: Math.min(from, first), until }],
              series: [[{ names: null, filters: [] }]],
              by: null,
              ...columnsOfActors(of),
            },
            everything,
          ),
  };
}

/** The figures of activity, and who is behind one of them. */
export async function activityOf(
  { ready, beginnings }: ActivityRead,
  { projectId, edges, minCount, first, of = 'persons' }: ActivityQuery,
  pick: ActivityPick | null,
): Promise<{ activity: Activity; picked: Picked }> {
  const { parts } = ready;
  if (beginnings !== null && !haveSameGroups(ready, beginnings, of))
    throw busy('Data was reloaded during the query. Try again.', 1);
  const [from, until] = [edges[0] as number, edges.at(-1) as number];
  const [activity, firsts] = await Promise.all([
    activeIn(ready, edges, of),
    beginnings === null ? { key: '', parts: [] } : firstsOf(beginnings, [Math.min(from, first ?? from), until], of),
  ]);
  const periods = edges.length - 1;
  const plan = { periods, edges, minCount, ...(pick !== null && { pick }) };
  const isKept = pick === null && activity.key !== null && firsts.key !== null;
  const found = await countIncrementally<Shifted, ActivityCounts>(parts, {
    // Up to when the last period is counted shows in its parts.
    key: isKept
      ? JSON.stringify(['activity', projectId, activity.key, firsts.key, edges.slice(0, -1), minCount])
      : null,
    pieces: [
      ...firsts.parts.map((part) => ({ part, shift: null, as: 'first ' })),
      ...activity.parts.map(({ part, shift }) => ({ part, shift, as: `${shift} ` })),
    ],
    mergedInto: mergesOf(ready.gathered, of),
    find: (pieces, mergedInto) =>
      parts.threads.run({
        task: 'findActivity',
        plan: { ...plan, mergedInto },
        parts: {
          firsts: pieces.flatMap(({ part }) => ('actors' in part ? part : [])),
          activity: pieces.flatMap(({ part, shift }) => ('actors' in part || shift === null ? [] : { part, shift })),
        },
      }),
    renew: (base, before, now) => ({
      active: replaced(base.active, before.active, now.active),
      new: replaced(base.new, before.new, now.new),
      returning: replaced(base.returning, before.returning, now.returning),
      byPeriods: replaced(base.byPeriods, before.byPeriods, now.byPeriods),
      picked: now.picked,
    }),
    bytesOf: ({ active }) => active.length * 16,
  });
  return {
    picked: found.picked,
    activity: {
      periods: Array.from(found.active, (active, at) => ({
        active,
        new: found.new[at] as number,
        returning: found.returning[at] as number,
      })),
      byPeriods: [...found.byPeriods.subarray(1)],
    },
  };
}

interface Shifted extends Piece {
  /** Added to the numbers of its stretches; null: it has none. */
  shift: number | null;
}

interface OfKey<Part> {
  /** What the parts depend on besides the data; null: they are not kept. */
  key: string | null;
  parts: Part[];
}

async function activeIn(
  ready: Ready,
  edges: readonly number[],
  of: Actors,
): Promise<OfKey<{ part: TrendPart; shift: number }>> {
  const [series] = ready.series as [ReadySeries];
  const plan: TrendPlan = { ...series.plan, by: null, of };
  const key = series.key && `${JSON.stringify(['t', '', of])}${series.key}`;
  const parts = await partsOf<TrendPart>(
    ready,
    edges,
    key,
    (chunks, sets) => ready.parts.threads.run({ task: 'countTrend', plan, chunks, sets }),
    bytesOfTrend,
  );
  return { key, parts };
}

/** The first event of each actor in each chunk. */
async function firstsOf(ready: Ready, edges: readonly number[], of: Actors): Promise<OfKey<StepsPart>> {
  const [series] = ready.series as [ReadySeries];
  const plan: StepsPlan = {
    kinds: [series.plan, series.plan],
    others: null,
    by: null,
    of,
    firstOnly: true,
  };
  const key = series.key && JSON.stringify(['1', of, series.key, series.key]);
  const found = await partsOf<StepsPart>(
    ready,
    edges,
    key,
    (chunks, sets) => ready.parts.threads.run({ task: 'listSteps', plan, chunks, sets }),
    bytesOfSteps,
  );
  return { key, parts: found.map(({ part }) => part) };
}
