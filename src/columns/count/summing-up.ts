/**
 * Merges chunk results in threads. Merged results of the same chunks are cached, and only new ones are added:
 * for a repeated query, those not sealed yet.
 */

import type { Collected } from '../kernels/collect.ts';
import type { TrendPart } from '../kernels/count-trend.ts';
import { bytesOfTrendBase, type TrendBase } from '../kernels/draw-onto.ts';
import type { DrawnRow, DrawPlan } from '../kernels/draw-trend.ts';
import { rowsOfVisits, stretchesOf, type VisitCounts, type VisitParts } from '../kernels/draw-visits.ts';
import type { MarkPlan } from '../kernels/mark-persons.ts';
import type { Merged, MergePlan } from '../kernels/merge.ts';
import { bytesOfBase, joinShares, type MergeBase } from '../kernels/merge-onto.ts';
import type { Shared } from '../kernels/share.ts';
import type { Summaries, SummaryPlan } from '../kernels/summarize.ts';
import { bytesOfSummaries, type SummaryBase, summariesOf } from '../kernels/summarize-onto.ts';
import { serialOf } from '../storage/immutable.ts';
import type { Threads } from '../threads/threads.ts';
import type { CountParts } from './count-parts.ts';
import { type Counted, keepUnder } from './counting.ts';

type SumParts = Pick<CountParts, 'threads' | 'cache' | 'gathered'>;

/** @param more see `MergePlan` */
export async function mergeTallies(
  parts: SumParts,
  groups: number,
  counted: readonly Counted[],
  more: Pick<MergePlan, 'into' | 'commonest' | 'only'> = {},
): Promise<Merged> {
  const { threads, gathered } = parts;
  const plan: MergePlan = { groups, mergedInto: gathered.mergedInto, ...more };
  const { lasting, fresh } = divided(counted, ({ tally }) => tally);
  const who = whoOf(parts);
  if (lasting.length < WORTH_KEEPING || who === null) return threads.run({ task: 'merge', plan, parts: counted });
  const key = `[m ${groups} ${who} ${more.commonest} ${more.only?.join()} ${more.into?.join()} ${namesOf(lasting)}`;
  const base = await keepUnder<MergeBase>(parts.cache, key, bytesOfBase, () => mergeApart(threads, plan, lasting));
  if (fresh.length === 0) return base.merged;
  return threads.run({ task: 'mergeOnto', plan, base, parts: lasting, fresh });
}

/** With less to go through, one thread alone is as quick. */
const BYTES_WORTH_SHARING = 1_000_000;

/** Merges, of much each group by one of two threads. */
async function mergeApart(threads: Threads, plan: MergePlan, parts: readonly Counted[]): Promise<MergeBase> {
  const bytes = parts.reduce((sum, { tally }) => sum + tally.length, 0);
  const shares = bytes < BYTES_WORTH_SHARING ? 1 : Math.min(threads.count, 2);
  if (shares === 1) return threads.run({ task: 'mergeBase', plan, parts });
  const places = Array.from({ length: shares }, (_, at) => at);
  return joinShares(
    await Promise.all(
      places.map((at) => threads.run({ task: 'mergeBase', plan: { ...plan, share: { at, of: shares } }, parts })),
    ),
  );
}

/** Persons in both, by group and in total. @param how `shareWithAll`: the others have no groups */
export async function shareTallies(
  parts: SumParts,
  groups: number,
  counted: readonly Counted[],
  others: readonly Counted[],
  how: 'share' | 'shareWithAll' = 'share',
): Promise<Shared> {
  const { threads, gathered } = parts;
  const plan: MergePlan = { groups, mergedInto: gathered.mergedInto };
  const share = () => threads.run({ task: how, plan, parts: counted, others });
  const [ones, twos] = [divided(counted, ({ tally }) => tally), divided(others, ({ tally }) => tally)];
  const who = whoOf(parts);
  const isImmutable = ones.fresh.length + twos.fresh.length === 0 && who !== null;
  if (!isImmutable || counted.length < WORTH_KEEPING) return share();
  const key = `[${how} ${groups} ${who} ${namesOf(ones.lasting)} ${namesOf(twos.lasting)}`;
  return keepUnder<Shared>(parts.cache, key, ({ persons }) => persons.byteLength, share);
}

export async function summarizeCollected(
  parts: SumParts,
  plan: SummaryPlan,
  collected: readonly Collected[],
): Promise<Summaries> {
  const { threads, cache } = parts;
  const { lasting, fresh } = divided(collected, (each) => each);
  if (lasting.length < WORTH_KEEPING) return threads.run({ task: 'summarize', plan, parts: collected });
  const key = `[q ${JSON.stringify(plan)} ${lasting.map((each) => serialOf(each)).join()}`;
  const base = await keepUnder<SummaryBase>(cache, key, bytesOfSummaries, () =>
    threads.run({ task: 'summaryBase', plan, parts: lasting }),
  );
  if (fresh.length === 0) return summariesOf(base);
  return threads.run({ task: 'summarizeOnto', plan, base, parts: lasting, fresh });
}

/** Figures of a trend, except of visits. */
export async function drawCounted(
  parts: SumParts,
  plan: DrawPlan,
  counted: readonly { part: TrendPart; shift: number }[],
): Promise<DrawnRow[]> {
  const { threads, cache } = parts;
  const { lasting, fresh } = divided(counted, ({ part }) => part);
  const who = mergesOf(plan);
  if (lasting.length < WORTH_KEEPING || who === null) return threads.run({ task: 'drawTrend', plan, parts: counted });
  const { figure, windows, total, cells } = plan;
  const shape = JSON.stringify([figure, windows, total, cells && [cells.count, ...cells.cellOf], shapeOfRows(plan)]);
  const base = await keepUnder<TrendBase>(cache, `[d ${who} ${shape} ${shiftedNames(lasting)}`, bytesOfTrendBase, () =>
    threads.run({ task: 'trendBase', plan, parts: lasting }),
  );
  if (fresh.length === 0) return base.rows;
  return threads.run({ task: 'drawOnto', plan, base, parts: lasting, fresh });
}

/** Figures of a trend of visits. */
export async function drawVisits(
  { threads, cache }: SumParts,
  plan: DrawPlan,
  { parts, begun }: VisitParts,
): Promise<DrawnRow[]> {
  const ofEvents = divided(parts, ({ part }) => part);
  const ofVisits = divided(begun, ({ part }) => part);
  const lasting = { parts: ofEvents.lasting, begun: ofVisits.lasting };
  const fresh = { parts: ofEvents.fresh, begun: ofVisits.fresh };
  if (lasting.parts.length < WORTH_KEEPING)
    return rowsOfVisits(plan, await threads.run({ task: 'countVisits', plan, visits: { parts, begun } }));
  const names = `${namesOfParts(lasting.parts)} ${shiftedNames(lasting.begun)}`;
  const key = `[v ${stretchesOf(plan)} ${JSON.stringify(shapeOfRows(plan))} ${names}`;
  const base = await keepUnder<VisitCounts>(
    cache,
    key,
    ({ byteLength }) => byteLength,
    () => threads.run({ task: 'countVisits', plan, visits: lasting }),
  );
  const isKnown = fresh.parts.length + fresh.begun.length === 0;
  return rowsOfVisits(plan, isKnown ? base : await threads.run({ task: 'addVisits', plan, base, lasting, fresh }));
}

/** Persons with a minimum number of events, a byte for each of their numbers. */
export async function markCounted(
  { threads, cache }: SumParts,
  plan: MarkPlan,
  counted: readonly { part: TrendPart }[],
): Promise<Uint8Array> {
  const { lasting, fresh } = divided(counted, ({ part }) => part);
  const countsOf = (parts: readonly { part: TrendPart }[]) => threads.run({ task: 'countEach', parts });
  const all = lasting.length < WORTH_KEEPING;
  const kept = all
    ? []
    : [
        await keepUnder<Int32Array>(
          cache,
          `[p ${namesOfParts(lasting)}`,
          ({ byteLength }) => byteLength,
          () => countsOf(lasting),
        ),
      ];
  const others = all ? counted : fresh;
  const counts = [...kept, ...(others.length === 0 ? [] : [await countsOf(others)])];
  return threads.run({ task: 'markPersons', plan, counts });
}

/** Fewer pieces are added up as fast as they are looked up. */
const WORTH_KEEPING = 4;

/** Splits parts into cached immutable ones and ones of this query. */
function divided<Part>(parts: readonly Part[], pieceOf: (part: Part) => object): { lasting: Part[]; fresh: Part[] } {
  const lasting: Part[] = [];
  const fresh: Part[] = [];
  for (const part of parts) (serialOf(pieceOf(part)) === null ? fresh : lasting).push(part);
  return { lasting, fresh };
}

/** Identifies the state of merges; null: unknown. */
function whoOf({ gathered }: SumParts): number | null {
  return mergesOf(gathered);
}

function mergesOf({ mergedInto }: { mergedInto: Int32Array | null }): number | null {
  return mergedInto === null ? 0 : serialOf(mergedInto);
}

/** What decides on the row of an event. */
function shapeOfRows({ rowOf, rows, other }: DrawPlan): unknown {
  return [rowOf && [...rowOf], rows, other];
}

function namesOfParts(parts: readonly { part: object }[]): string {
  return parts.map(({ part }) => serialOf(part)).join();
}

function shiftedNames(parts: readonly { part: object; shift: number }[]): string {
  return parts.map(({ part, shift }) => `${serialOf(part)}:${shift}`).join();
}

function namesOf(parts: readonly Counted[]): string {
  return parts.map(({ tally, shift }) => `${serialOf(tally)}:${shift}`).join();
}
