/** What an experiment found: people by the variant that they saw, what they did then, and what follows from it. */
import type { Moments } from '#src/columns/columns.ts';
import type { Flag } from '#src/flags/contract.ts';
import type { Insights } from '#src/insights/insights.ts';
import { dayMs, formatDate, zoneOf } from '#src/kit/zone.ts';
import type { Experiment, ExperimentResult, Metric, MetricResult, VariantResult } from './contract.ts';
import { type Estimates, estimatesOf } from './estimates.ts';
import { measure, measuredIn } from './measure.ts';
import { compareEstimates, type Estimate, neededBy, rateOf, sampleRatio } from './statistics.ts';
import { MIN_CONVERSIONS, MIN_DAYS, SAMPLE_RATIO_ALPHA, type SegmentName, segmentProperties } from './values.ts';

export type Variant = { key: string; share: number };

interface Context {
  insights: Pick<Insights, 'query' | 'goals'>;
  project: Parameters<Insights['query']>[1];
  now: number;
}

/** Variants of a flag with their shares in percent; the first is the control. */
export function variantsOf({ definition }: Flag): Variant[] {
  const variants = definition.filters.multivariate?.variants ?? [];
  return variants.map(({ key, rollout_percentage }) => ({ key, share: rollout_percentage }));
}

/** @throws AppError `timeout` */
export async function resultOf(
  { insights, project, now }: Context,
  { flag, definition, startedAt, endedAt }: Experiment & { flag: { key: string } },
  variants: readonly Variant[],
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
  const days = Math.max(1, Math.ceil((until - startedAt) / dayMs));
  const shares = variants.map(({ share }) => share);
  const p = sampleRatio(
    goal.variants.map(({ people }) => people),
    shares,
  );
  return {
    until,
    days,
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
    sampleRatio: { shares, p },
    needed: neededFor(goal, relative, { lift: definition.plannedLift, days, now, isRunning: endedAt === null }),
    verdict: verdictOf(goal, { days, p }),
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
  days: number;
  now: number;
  isRunning: boolean;
}

/** @param relative variance of the values of people of the control, divided by the square of their mean */
function neededFor(
  { variants }: MetricResult,
  relative: number | null,
  { lift, days, now, isRunning }: Pace,
): ExperimentResult['needed'] {
  if (relative === null || relative === 0) return null;
  const people = neededBy(relative, lift);
  const fewest = Math.min(...variants.map((each) => each.people));
  if (fewest === 0 || !isRunning) return { people, at: null };
  const missing = Math.max(0, people - fewest);
  return { people, at: now + (missing / (fewest / days)) * dayMs };
}

function verdictOf(
  { variants }: MetricResult,
  { days, p }: { days: number; p: number | null },
): ExperimentResult['verdict'] {
  if (p !== null && p < SAMPLE_RATIO_ALPHA) return { state: 'broken', variant: null };
  const isEarly = days < MIN_DAYS || variants.some(({ active }) => active < MIN_CONVERSIONS);
  if (isEarly) return { state: 'early', variant: null };
  const certain = variants.filter(({ isSignificant }) => isSignificant);
  const best = certain.toSorted((a, b) => (b.lift?.value ?? 0) - (a.lift?.value ?? 0))[0];
  if (best === undefined) return { state: 'open', variant: null };
  return { state: (best.lift?.value ?? 0) > 0 ? 'better' : 'worse', variant: best.key };
}
