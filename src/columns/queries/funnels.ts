/** Funnels: how many came how far along some steps within a window of time, and how long it took. */

import { type Breakdown, rankKeys, textOfKey } from '../conditions/key-places.ts';
import type { Rules } from '../filters/rules.ts';
import { summed } from '../kernels/draw-trend.ts';
import type { FunnelOrder, FunnelPerson, FunnelRow } from '../kernels/funnel.ts';
import { bytesOfSteps, type StepsPart, type StepsPlan } from '../kernels/list-steps.ts';
import type { Key } from '../kernels/row-keys.ts';
import type { Span } from '../storage/span.ts';
import type { AnswerParts } from './answer-parts.ts';
import { prepareSeries } from './prepare-series.ts';
import { inShares, partsOf, type Ready, type ReadySeries, type Scope, type SeriesWanted } from './series.ts';

export type { FunnelOrder } from '../kernels/funnel.ts';

export interface FunnelQuery extends Scope {
  /** All steps lie in it. */
  span: Span;
  steps: readonly Rules[];
  order: FunnelOrder;
  /** The longest time from the first step to the last. */
  windowMs: number;
  /** What must not happen after one step and before another (the first is 1): who does it is left out. */
  exclusions: readonly { rules: Rules; after: number; before: number }[];
  of: 'persons' | 'visits';
  /** By what the first step says. */
  by: Breakdown | null;
  /** So many values have rows: those of most who began. */
  most: number;
}

export interface FunnelStep {
  /** Who came at least so far. */
  count: number;
  /** How long it took from the step before, in ms; null of the first, and when nobody came. */
  meanMs: number | null;
  medianMs: number | null;
}

export interface FunnelPart {
  /** '' when the first step says nothing of it. Null: all values that have no row. */
  value: string | null;
  steps: FunnelStep[];
  /** From the first step to the last. */
  meanMs: number | null;
  medianMs: number | null;
}

export interface Funnel {
  total: FunnelPart;
  /** None without a breakdown. */
  rows: FunnelPart[];
  values: number;
  excluded: number;
  open: number;
}

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function queryFunnel(parts: AnswerParts, asked: FunnelQuery): Promise<Funnel> {
  const ready = await prepareSeries(parts, asked, wantedOfFunnel(asked));
  const { funnel } = await funnelOf(ready, asked, { listsPeople: false });
  return funnel;
}

/** What has to be read for a funnel. */
export function wantedOfFunnel({ span, steps, exclusions, by, of }: FunnelQuery): SeriesWanted {
  return {
    spans: [span],
    series: [...steps, ...exclusions.map(({ rules }) => rules), everyEvent],
    by,
    columns: of === 'visits' ? ['session'] : [],
  };
}

interface FunnelFigures {
  funnel: Funnel;
  /** Who began, with the value of their first step; empty unless they are listed. */
  people: (FunnelPerson & { value: string })[];
}

/** The figures of a funnel. */
export async function funnelOf(
  ready: Ready,
  asked: FunnelQuery,
  { listsPeople }: { listsPeople: boolean },
): Promise<FunnelFigures> {
  const { parts } = ready;
  const { steps, exclusions, order, of, windowMs, span } = asked;
  const withPersons = listsPeople && of === 'visits';
  const kinds = ready.series.slice(0, -1);
  const others = order === 'strict' ? (ready.series.at(-1) as ReadySeries) : null;
  const plan: StepsPlan = {
    kinds: kinds.map((each) => each.plan),
    others: others?.plan ?? null,
    by: ready.by?.places ?? null,
    of,
    firstOnly: false,
    withPersons,
  };
  const keys = [...kinds, ...(others === null ? [] : [others])].map(({ key }) => key);
  const isKept = keys.every((key) => key !== null) && ready.by?.key !== null;
  const seriesParts = await partsOf<StepsPart>(
    ready,
    [span.from, span.until],
    isKept ? JSON.stringify(['f', of, withPersons, order === 'strict', ready.by?.key, keys]) : null,
    (chunks, sets) => parts.threads.run({ task: 'listSteps', plan, chunks, sets }),
    bytesOfSteps,
  );
  const own = seriesParts.map(({ part }) => part);
  const funnelPlan = {
    listsPeople,
    steps: steps.length,
    order,
    windowMs,
    until: span.until,
    exclusions: exclusions.map(({ after, before }, at) => ({ bit: steps.length + at, after, before })),
    mergedInto: of === 'persons' ? ready.gathered.mergedInto : null,
  };
  const shares = await inShares(parts, (share) =>
    parts.threads.run({ task: 'findFunnel', plan: { ...funnelPlan, share }, parts: own }),
  );
  // Of a value there may be a row in each.
  const found = shares.flatMap(({ rows }) => rows);
  const excluded = shares.reduce((sum, each) => sum + each.excluded, 0);
  const open = shares.reduce((sum, each) => sum + each.open, 0);
  const total = partOf('', steps.length, found);
  const { by } = ready;
  const people = shares.flatMap((each) =>
    each.people.map((one) => ({ ...one, value: by === null ? '' : textOfKey(by, one.key) })),
  );
  if (by === null) return { funnel: { total, rows: [], values: 1, excluded, open }, people };
  const began = new Map<Key, number>();
  for (const { key, ended } of found) began.set(key, (began.get(key) ?? 0) + sumFrom(ended, 0));
  const { texts, values } = rankKeys(by, began, asked.most);
  const rowsOf = (isOf: (text: string) => boolean) => found.filter(({ key }) => isOf(textOfKey(by, key)));
  const rows = texts.map((text) =>
    partOf(
      text,
      steps.length,
      rowsOf((each) => each === text),
    ),
  );
  const shown = new Set(texts);
  if (values > texts.length)
    rows.push(
      partOf(
        null,
        steps.length,
        rowsOf((each) => !shown.has(each)),
      ),
    );
  return { funnel: { total, rows, values, excluded, open }, people };
}

const everyEvent: Rules = [{ names: null, filters: [] }];

function sumFrom(ended: readonly number[], step: number): number {
  return ended.slice(step).reduce((sum, count) => sum + count, 0);
}

function partOf(value: string | null, steps: number, rows: readonly FunnelRow[]): FunnelPart {
  const timesOf = (lists: Float64Array[]) => ({
    meanMs: summed('mean', lists),
    medianMs: summed({ quantile: 0.5 }, lists),
  });
  return {
    value,
    ...timesOf(rows.map(({ totalMs }) => totalMs)),
    steps: Array.from({ length: steps }, (_, step) => ({
      count: rows.reduce((sum, { ended }) => sum + sumFrom(ended, step), 0),
      ...timesOf(step === 0 ? [] : rows.map(({ took }) => took[step - 1] as Float64Array)),
    })),
  };
}
