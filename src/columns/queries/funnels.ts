/** Funnels: how many came how far along some steps within a window of time, when they began, and how long it took. */

import { type Breakdown, type KeyPlaces, rankKeys, textOfKey } from '../conditions/key-places.ts';
import { countIncrementally, type Piece } from '../count/incremental.ts';
import type { Rules } from '../filters/rules.ts';
import type { Actors } from '../kernels/count-trend.ts';
import { summed } from '../kernels/draw-trend.ts';
import type { Attribution, FunnelFound, FunnelPerson, FunnelPlan, FunnelRow } from '../kernels/funnel.ts';
import type { FunnelOrder } from '../kernels/funnel-attempts.ts';
import { bytesOfFunnel, funnelWithout, joinFunnels } from '../kernels/funnel-found.ts';
import { bytesOfSteps, type StepsPart, type StepsPlan } from '../kernels/list-steps.ts';
import type { Key } from '../kernels/row-keys.ts';
import type { Span } from '../storage/span.ts';
import { MAX_TIMES, stepBefore, timeWidths } from '../values.ts';
import {
  columnsOfActors,
  inShares,
  mergesOf,
  partsOf,
  type Ready,
  type ReadySeries,
  type Scope,
  type SeriesRequest,
} from './series.ts';

export type { Attribution } from '../kernels/funnel.ts';
export type { FunnelOrder } from '../kernels/funnel-attempts.ts';

export interface FunnelQuery extends Scope {
  /** All steps lie in it. */
  span: Span;
  /** Moments (ms) at which its intervals begin. */
  starts: readonly number[];
  /** The same funnel in another span; null: none. */
  earlier: { span: Span; starts: readonly number[] } | null;
  steps: readonly Rules[];
  /** Steps (the first is 1) that need not be done: of `ordered` only, neither the first nor the last. */
  optional: readonly number[];
  order: FunnelOrder;
  /** The longest time from the first step to the last. */
  windowMs: number;
  /** Events that must not occur between two steps (the first is 1): people with one are excluded. */
  exclusions: readonly { rules: Rules; after: number; before: number }[];
  of: Actors;
  by: Breakdown | null;
  /** Attribution of the breakdown value. */
  attribution: Attribution;
  /** So many values have rows: those of most who began. */
  most: number;
}

export interface FunnelStep {
  /** People who completed it; for required steps, who came at least this far. */
  count: number;
  /** The same by interval of entry. */
  course: number[];
  /** Duration from the previous required step, ms; null for the first step, and without people. */
  meanMs: number | null;
  medianMs: number | null;
}

/** How many took how long from the first step to the last. */
export interface FunnelTimes {
  /** Length of an interval, ms; the first starts at 0. */
  width: number;
  counts: number[];
  /** People who took longer than all intervals. */
  longer: number;
}

export interface FunnelPart {
  /** '' for a missing value. Null: all values without a row; absent when a person can have several values. */
  value: string | null;
  steps: FunnelStep[];
  /** From the first step to the last. */
  meanMs: number | null;
  medianMs: number | null;
}

export interface Funnel {
  total: FunnelPart;
  /** Times to convert; null without conversions. */
  times: FunnelTimes | null;
  /** None without a breakdown. */
  rows: FunnelPart[];
  values: number;
  excluded: number;
  open: number;
  /** The comparison span, with rows of the same values; null without one. */
  earlier: Pick<Funnel, 'total' | 'rows'> | null;
}

/** Data to gather for a funnel. */
export function wantedOfFunnel({ span, earlier, steps, exclusions, by, of }: FunnelQuery): SeriesRequest {
  return {
    spans: [span, ...(earlier === null ? [] : [earlier.span])],
    series: [...steps, ...exclusions.map(({ rules }) => rules), everyEvent],
    by,
    ...columnsOfActors(of),
  };
}

export interface FunnelFigures {
  funnel: Omit<Funnel, 'earlier'>;
  /** People who entered, of a value (null: all other values) or of all (undefined); empty unless listed. */
  peopleOf(value: string | null | undefined): FunnelPerson[];
}

interface FunnelOptions {
  listsPeople: boolean;
  /** Values that have rows, and null for the others; absent: those of most who began. */
  texts?: readonly (string | null)[];
}

/** The figures of a funnel in its span. */
export async function funnelOf(
  ready: Ready,
  asked: FunnelQuery,
  { listsPeople, texts: given }: FunnelOptions,
): Promise<FunnelFigures> {
  const { parts, by } = ready;
  const { of } = asked;
  const plan = planOf(asked, { isDivided: by !== null, listsPeople });
  const { key, parts: stepsParts } = await stepsOf(ready, asked, listsPeople && of === 'visits');
  const all = await countIncrementally<Piece<StepsPart>, FunnelFound>(parts, {
    key: key === null || listsPeople ? null : JSON.stringify(['funnel', asked.projectId, key, plan]),
    pieces: stepsParts.map((part) => ({ part, as: '' })),
    mergedInto: mergesOf(ready.gathered, of),
    async find(pieces, mergedInto) {
      const own = pieces.map(({ part }) => part);
      return joinFunnels(
        await inShares(parts, (share) =>
          parts.threads.run({ task: 'findFunnel', plan: { ...plan, mergedInto, share }, parts: own }),
        ),
      );
    },
    renew: (base, _, now, chosen) => joinFunnels([funnelWithout(base, chosen), now]),
    bytesOf: bytesOfFunnel,
  });
  const make = () => figuresOf(all, by, asked, given);
  const { most, span, windowMs, starts, steps } = asked;
  return key === null || listsPeople ? make() : known(all, [most, span, windowMs, starts, steps.length, given], make);
}

/** Figures of what was found, by what else they depend on: as long as nothing new is found, they are the same. */
const figuresKnown = new WeakMap<FunnelFound, Map<string, FunnelFigures>>();

function known(found: FunnelFound, more: unknown, make: () => FunnelFigures): FunnelFigures {
  const own = figuresKnown.get(found) ?? new Map<string, FunnelFigures>();
  figuresKnown.set(found, own);
  const name = JSON.stringify(more);
  const figures = own.get(name) ?? make();
  own.set(name, figures);
  return figures;
}

/** How attempts are found. @param isDivided by a breakdown */
export function planOf(
  { steps, optional, exclusions, order, attribution, windowMs, starts }: FunnelQuery,
  { isDivided, listsPeople }: { isDivided: boolean; listsPeople: boolean },
): FunnelPlan {
  return {
    listsPeople,
    steps: steps.length,
    optional,
    order,
    windowMs,
    edges: starts,
    attribution: isDivided ? attribution : 'first',
    exclusions: exclusions.map(({ after, before }, at) => ({ bit: steps.length + at, after, before })),
  };
}

/** The figures of what was found. @param by meaning of its keys; null: without a breakdown */
export function figuresOf(
  { rows: found, whole, excluded, unconverted }: FunnelFound,
  by: Pick<KeyPlaces, 'texts' | 'read'> | null,
  asked: FunnelQuery,
  given?: FunnelOptions['texts'],
): FunnelFigures {
  const { windowMs, span } = asked;
  const wholes = whole === null ? found : [whole];
  const total = partOf('', asked, wholes);
  const figures = {
    total,
    times: timesOf(wholes.map(({ totalMs }) => totalMs)),
    excluded: excluded.length,
    // They began so late that the window is open still.
    open: unconverted.began.filter((began) => began + windowMs > span.until).length,
  };
  const listed = (rows: readonly FunnelRow[]) => rows.flatMap(({ people }) => people);
  if (by === null) return { funnel: { ...figures, rows: [], values: 1 }, peopleOf: () => listed(wholes) };
  const began = new Map<Key, number>();
  for (const { key, done } of found) began.set(key, (began.get(key) ?? 0) + done.length);
  const { texts: ranked, values } = rankKeys(by, began, asked.most);
  const texts = given ?? [...ranked, ...(values > ranked.length && whole === null ? [null] : [])];
  const shown = new Set(texts);
  const rowsOf = (value: string | null) =>
    found.filter(({ key }) => {
      const said = textOfKey(by, key);
      return value === null ? !shown.has(said) : said === value;
    });
  return {
    funnel: { ...figures, rows: texts.map((text) => partOf(text, asked, rowsOf(text))), values },
    peopleOf: (value) => listed(value === undefined ? wholes : rowsOf(value)),
  };
}

/** Steps of each actor in the span, in chronological order; what they depend on besides the data (null: not to be kept). */
async function stepsOf(
  ready: Ready,
  { span, order, of }: FunnelQuery,
  withPersons: boolean,
): Promise<{ key: string | null; parts: StepsPart[] }> {
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
  const key = isKept ? JSON.stringify(['f', of, withPersons, order === 'strict', ready.by?.key, keys]) : null;
  const found = await partsOf<StepsPart>(
    ready,
    [span.from, span.until],
    key,
    (chunks, sets) => ready.parts.threads.run({ task: 'listSteps', plan, chunks, sets }),
    bytesOfSteps,
  );
  return { key: key && `${key} ${span.from}`, parts: found.map(({ part }) => part) };
}

const everyEvent: Rules = [{ names: null, filters: [] }];

function partOf(
  value: string | null,
  { steps, starts }: Pick<FunnelQuery, 'steps' | 'starts'>,
  rows: readonly FunnelRow[],
): FunnelPart {
  const middleOf = (lists: Float64Array[]) => ({
    meanMs: summed('mean', lists),
    medianMs: summed({ quantile: 0.5 }, lists),
  });
  const courses = steps.map(() => new Array<number>(starts.length).fill(0));
  for (const { done, intervals } of rows) {
    for (let at = 0; at < done.length; at++) {
      for (const [step, course] of courses.entries()) {
        if (((done[at] as number) & (1 << step)) === 0) continue;
        const interval = intervals[at] as number;
        course[interval] = (course[interval] as number) + 1;
      }
    }
  }
  return {
    value,
    ...middleOf(rows.map(({ totalMs }) => totalMs)),
    steps: courses.map((course, step) => ({
      count: course.reduce((sum, count) => sum + count, 0),
      course,
      ...middleOf(step === 0 ? [] : rows.map(({ took }) => took[step - 1] as Float64Array)),
    })),
  };
}

const WIDTHS = timeWidths.map((seconds) => seconds * 1000);

/** Intervals wide enough that they hold nine of ten, or all of few. */
export function timesOf(lists: readonly Float64Array[]): FunnelTimes | null {
  const longest = summed('max', lists);
  const most = summed({ quantile: 0.9 }, lists);
  if (longest === null || most === null) return null;
  const fits = (width: number, ms: number) => ms < width * MAX_TIMES;
  const width = WIDTHS.find((each) => fits(each, most)) ?? (WIDTHS.at(-1) as number);
  const intervals = fits(width, longest) ? Math.floor(longest / width) + 1 : MAX_TIMES;
  const counts = new Array<number>(intervals).fill(0);
  let longer = 0;
  for (const list of lists) {
    for (let at = 0; at < list.length; at++) {
      const interval = Math.floor((list[at] as number) / width);
      if (interval < intervals) counts[interval] = (counts[interval] as number) + 1;
      else longer++;
    }
  }
  return { width, counts, longer };
}

/**
 * People who reached a step (the first is 1), or (`dropped`) only the previous required one; of a breakdown value (null: all others), or
 * of all without one; who entered in an interval; and whose time to convert is in an interval, or longer than all (null).
 */
export interface FunnelPick {
  step: number;
  dropped: boolean;
  value?: string | null | undefined;
  interval?: number | undefined;
  time?: number | null | undefined;
}

/** The people behind a number of a funnel; null: its value has no row. */
export async function peopleOfStep(
  ready: Ready,
  asked: FunnelQuery,
  point: FunnelPick,
): Promise<FunnelPerson[] | null> {
  return peopleIn(asked, point, await funnelOf(ready, asked, { listsPeople: true }));
}

/** The same of figures that list people. */
export function peopleIn(
  asked: FunnelQuery,
  point: FunnelPick,
  { funnel, peopleOf }: FunnelFigures,
): FunnelPerson[] | null {
  const { value } = point;
  if (value !== undefined && !funnel.rows.some((each) => each.value === value)) return null;
  return behindStep(asked, funnel.times, point, peopleOf(value));
}

/** Filters the people behind a number. */
function behindStep(
  { steps, optional }: Pick<FunnelQuery, 'steps' | 'optional'>,
  times: FunnelTimes | null,
  { step, dropped, interval, time }: FunnelPick,
  people: readonly FunnelPerson[],
): FunnelPerson[] {
  const did = ({ done }: FunnelPerson, one: number) => (done & (1 << (one - 1))) !== 0;
  const before = stepBefore(step, optional);
  return people.filter((each) => {
    if (interval !== undefined && each.interval !== interval) return false;
    if (time !== undefined && (!did(each, steps.length) || timeOf(each, times) !== time)) return false;
    return dropped ? did(each, before) && !did(each, step) : did(each, step);
  });
}

function timeOf({ times: whens }: FunnelPerson, times: FunnelTimes | null): number | null {
  if (times === null) return null;
  const interval = Math.floor(((whens.at(-1) as number) - (whens[0] as number)) / times.width);
  return interval < times.counts.length ? interval : null;
}
