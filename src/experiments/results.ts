/** What an experiment found: people by the variant that they saw, what they did then, and what follows from it. */
import type { Moments } from '#src/columns/columns.ts';
import type { Flag, FlagChangeRow } from '#src/flags/contract.ts';
import type { Insights } from '#src/insights/insights.ts';
import { dayMs, formatDate, zoneOf } from '#src/kit/zone.ts';
import type { Experiment, ExperimentResult, Metric, MetricResult, VariantResult } from './contract.ts';
import { type Estimates, estimatesOf } from './estimates.ts';
import { measure, measuredIn } from './measure.ts';
import { compareEstimates, type Estimate, neededBy, neededPeople, rateOf, sampleRatio } from './statistics.ts';
import {
  MAX_DAYS_AHEAD,
  MIN_CONVERSIONS,
  MIN_DAYS,
  SAMPLE_RATIO_ALPHA,
  type SegmentName,
  segmentProperties,
} from './values.ts';

export type Variant = { key: string; share: number };

interface Context {
  insights: Pick<Insights, 'query' | 'goals'>;
  project: Parameters<Insights['query']>[1];
  now: number;
}

/** Variants of a flag with their shares in percent; the first is the control. */
export function variantsOf({ definition }: Pick<Flag, 'definition'>): Variant[] {
  const variants = definition.filters.multivariate?.variants ?? [];
  return variants.map(({ key, rollout_percentage }) => ({ key, share: rollout_percentage }));
}

/** What a flag gave while an experiment ran. */
export interface GivenVariants {
  /** The last ones; shipping a variant is not among the changes. */
  variants: Variant[];
  /** When they or their shares changed meanwhile, ms; null: they did not. */
  changedAt: number | null;
}

/** @param history of the flag, the newest first */
export function variantsDuring(
  { startedAt, endedAt }: Pick<Experiment, 'startedAt' | 'endedAt'>,
  flag: Flag,
  history: readonly FlagChangeRow[],
): GivenVariants {
  const meanwhile = history.filter(({ at }) => endedAt === null || at < endedAt);
  const given = meanwhile.map((change) => JSON.stringify(variantsOf(change)));
  const changed = meanwhile.find(
    ({ at }, nth) => at > startedAt && nth + 1 < given.length && given[nth] !== given[nth + 1],
  );
  return { variants: variantsOf(meanwhile[0] ?? flag), changedAt: changed?.at ?? null };
}

/** @throws AppError `timeout` */
export async function resultOf(
  { insights, project, now }: Context,
  { flag, definition, startedAt, endedAt }: Experiment & { flag: { key: string } },
  { variants, changedAt }: GivenVariants,
  segment: SegmentName | null,
): Promise<ExperimentResult> {
  const until = Math.min(endedAt ?? now, now);
  const zone = zoneOf(project.timeZone);
  const keys = variants.map(({ key }) => key);
  const metrics = [definition.goal, ...definition.guardrails.map((each) => each.metric)];
  const names = await Promise.all(metrics.map((each) => namesOf(insights, project, each)));
  const isThere = names.map((own) => own.every((name) => name !== null));
  const found = await insights.query(measure, project, {
    range: { from: formatDate(zone.dayAt(startedAt)), to: formatDate(zone.dayAt(until)) },
    from: startedAt,
    until,
    flag: flag.key,
    variants: keys,
    metrics: metrics.filter((_, at) => isThere[at]),
    windowDays: definition.windowDays,
    segment: segment === null ? null : segmentProperties[segment],
  });

  const comparisons = keys.length - 1;
  /** By metric, its place among those that were measured; null: a goal of it was deleted. */
  const places = isThere.map((there, at) => (there ? isThere.slice(0, at).filter(Boolean).length : null));
  const resultAt = (at: number) => {
    const { kind } = metrics[at] as Metric;
    const place = places[at] ?? null;
    const { currency = null, others = 0 } = (place === null ? null : found.currencies[place]) ?? {};
    const own = found.total.map((moments) => momentsAt(moments, place));
    const { relative, ...compared } = variantsBy(place === null ? null : kind, keys, own, comparisons);
    const result: MetricResult = { kind, names: names[at] ?? [], currency, otherCurrencies: others, ...compared };
    return { result, relative };
  };
  const { result: goal, relative } = resultAt(0);
  const place = places[0] ?? null;
  const ranMs = until - startedAt;
  const shares = variants.map(({ share }) => share);
  const people = goal.variants.map((each) => each.people);
  // People of before a change were split by other shares.
  const p = changedAt === null ? sampleRatio(people, shares) : null;
  return {
    until,
    days: Math.max(1, Math.ceil(ranMs / dayMs)),
    goal,
    guardrails: definition.guardrails.map(({ better }, at) => ({ ...resultAt(at + 1).result, better })),
    segments: found.segments.map(({ value, moments }) => ({
      value,
      variants: variantsBy(
        place === null ? null : definition.goal.kind,
        keys,
        moments.map((own) => momentsAt(own, place)),
        comparisons * found.segments.length,
      ).variants,
    })),
    several: found.several,
    sampleRatio: { shares, p, changedAt },
    needed: neededFor(goal, relative, { lift: definition.plannedLift, ranMs, until, isRunning: endedAt === null }),
    verdict: verdictOf(goal, { ranMs, p }),
  };
}

/** Of the project, as the metric names them; null: a goal that was deleted. */
function namesOf(
  { goals }: Pick<Insights, 'goals'>,
  project: Context['project'],
  metric: Metric,
): Promise<(string | null)[]> {
  return Promise.all(
    measuredIn(metric).map(async (each) => {
      if ('event' in each) return each.event;
      return (await goals.get(project, each.goal))?.name ?? null;
    }),
  );
}

/** Moments of a metric; of people alone where it was not measured. */
function momentsAt(moments: readonly Moments[], place: number | null): Moments {
  return (place === null ? moments.at(-1) : moments[place]) as Moments;
}

/** @param kind null: not measured */
function variantsBy(
  kind: Metric['kind'] | null,
  keys: readonly string[],
  moments: readonly Moments[],
  comparisons: number,
): Pick<MetricResult, 'variants' | 'reduction'> & { relative: number | null } {
  const { arms, reduction } = estimated(kind, moments);
  const [control] = arms as [Estimate, ...Estimate[]];
  const variants = arms.map((arm, at): VariantResult => {
    const { people, active, sums } = moments[at] as Moments;
    const compared = at === 0 ? NOT_COMPARED : compareEstimates(control, arm, comparisons);
    return { key: keys[at] ?? '', people, active, total: sums[0] ?? 0, value: arm.value, ...compared };
  });
  const { value, variance, people } = control;
  const relative = value === null || value <= 0 ? null : (variance * people) / value ** 2;
  return { variants, reduction, relative };
}

const NOT_COMPARED = { lift: null, better: null, isSignificant: false };

function estimated(kind: Metric['kind'] | null, moments: readonly Moments[]): Estimates {
  if (kind === 'conversion' || kind === 'funnel') {
    return { arms: moments.map(({ people, active }) => rateOf({ people, conversions: active })), reduction: null };
  }
  if (kind !== null) return estimatesOf(kind === 'ratio' ? 'ratio' : 'mean', moments);
  const none = ({ people }: Moments): Estimate => ({ people, active: 0, value: null, variance: 0 });
  return { arms: moments.map(none), reduction: null };
}

interface Pace {
  lift: number;
  ranMs: number;
  until: number;
  isRunning: boolean;
}

/** @param relative variance of the values of people of the control, divided by the square of their mean */
function neededFor(
  { kind, variants }: MetricResult,
  relative: number | null,
  { lift, ranMs, until, isRunning }: Pace,
): ExperimentResult['needed'] {
  if (relative === null || relative === 0) return null;
  const comparisons = variants.length - 1;
  const isRate = kind === 'conversion' || kind === 'funnel';
  const people = isRate ? neededPeople(1 / (1 + relative), lift, comparisons) : neededBy(relative, lift, comparisons);
  if (!isRunning) return { people, at: null };
  // The pace of less than a day depends on its hours.
  const paceMs = Math.max(dayMs, ranMs);
  const fewest = (of: (each: VariantResult) => number) => Math.min(...variants.map(of));
  const missingMs = (wanted: number, found: number) => (Math.max(0, wanted - found) * paceMs) / found;
  const aheadMs = Math.max(
    missingMs(
      people,
      fewest((each) => each.people),
    ),
    missingMs(
      MIN_CONVERSIONS,
      fewest((each) => each.active),
    ),
    MIN_DAYS * dayMs - ranMs,
  );
  return { people, at: aheadMs < MAX_DAYS_AHEAD * dayMs ? until + Math.max(0, aheadMs) : null };
}

function verdictOf(
  { variants }: MetricResult,
  { ranMs, p }: { ranMs: number; p: number | null },
): ExperimentResult['verdict'] {
  if (p !== null && p < SAMPLE_RATIO_ALPHA) return { state: 'broken', variant: null };
  const isEarly = ranMs < MIN_DAYS * dayMs || variants.some(({ active }) => active < MIN_CONVERSIONS);
  if (isEarly) return { state: 'early', variant: null };
  const certain = variants.filter(({ isSignificant }) => isSignificant);
  const best = certain.toSorted((a, b) => (b.lift?.value ?? 0) - (a.lift?.value ?? 0))[0];
  if (best === undefined) return { state: 'open', variant: null };
  return { state: (best.lift?.value ?? 0) > 0 ? 'better' : 'worse', variant: best.key };
}
