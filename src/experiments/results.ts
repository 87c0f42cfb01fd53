/** What an experiment found: people by the variant that they saw, and what they did then, by the funnels of insights. */
import type { Flag } from '#src/flags/contract.ts';
import type { Insights } from '#src/insights/insights.ts';
import { funnel, trends } from '#src/insights/kinds/kinds.ts';
import type { EventsQuery, PeopleQuery } from '#src/insights/query/people/contract.ts';
import { dayMs, formatDate, zoneOf } from '#src/kit/zone.ts';
import type { Experiment, ExperimentResult, Measured, MetricResult } from './contract.ts';
import { compareArms, neededPeople, sampleRatio } from './statistics.ts';
import { MIN_CONVERSIONS, MIN_DAYS, SAMPLE_RATIO_ALPHA } from './values.ts';

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
): Promise<ExperimentResult> {
  const until = Math.min(endedAt ?? now, now);
  const zone = zoneOf(project.timeZone);
  const range = { from: formatDate(zone.dayAt(startedAt)), to: formatDate(zone.dayAt(until)) };
  const called = (values: readonly string[]): EventsQuery => ({
    event: '$feature_flag_called',
    filters: {
      match: 'all',
      of: [
        { about: 'event', name: '$feature_flag', operator: 'equals', values: [flag.key] },
        { about: 'event', name: '$feature_flag_response', operator: 'equals', values: [...values] },
      ],
    },
  });
  const keys = variants.map(({ key }) => key);
  /** People who saw one variant only: of each two, not one or not the other. */
  const withOne: PeopleQuery = {
    match: 'all',
    of: keys.flatMap((one, at) =>
      keys.slice(at + 1).map(
        (other): PeopleQuery => ({
          match: 'any',
          of: [one, other].map((key) => ({ did: called([key]), times: 1, within: range, not: true })),
        }),
      ),
    ),
  };

  async function metric(of: Measured): Promise<MetricResult> {
    const input = funnel.input.parse({
      range,
      steps: [called(keys), of],
      conversionWindow: { count: definition.windowDays, unit: 'day' },
      breakdown: { about: 'event', name: '$feature_flag_response' },
      limit: keys.length,
    });
    const { rows } = await insights.query(funnel, project, { ...input, people: withOne });
    const arms = keys.map((key) => {
      const [first, second] = rows.find(({ value }) => value === key)?.steps ?? [];
      return { key, people: first?.count ?? 0, conversions: second?.count ?? 0 };
    });
    const [control] = arms;
    return {
      name: 'event' in of ? of.event : ((await insights.goals.get(project, of.goal))?.name ?? null),
      variants: arms.map((arm, at) => {
        const compared = compareArms(control ?? arm, arm, arms.length - 1);
        const rate = arm.people === 0 ? null : arm.conversions / arm.people;
        if (at === 0) return { ...arm, rate, lift: null, better: null, isSignificant: false };
        return { ...arm, rate, ...compared };
      }),
    };
  }

  async function peopleWithAny(): Promise<number> {
    const input = trends.input.parse({ range, interval: 'day', series: [{ event: called(keys), measure: 'persons' }] });
    const { series } = await insights.query(trends, project, input);
    return series[0]?.rows[0]?.total ?? 0;
  }

  const [goal, all, ...guardrails] = await Promise.all([
    metric(definition.goal),
    peopleWithAny(),
    ...definition.guardrails.map(async ({ of, better }) => ({ ...(await metric(of)), better })),
  ]);
  const days = Math.max(1, Math.ceil((until - startedAt) / dayMs));
  const counted = goal.variants.reduce((sum, { people }) => sum + people, 0);
  const shares = variants.map(({ share }) => share);
  const p = sampleRatio(
    goal.variants.map(({ people }) => people),
    shares,
  );
  return {
    until,
    days,
    goal,
    guardrails,
    several: Math.max(0, all - counted),
    sampleRatio: { shares, p },
    needed: neededFor(goal, { days, now, isRunning: endedAt === null }),
    verdict: verdictOf(goal, { days, p }),
  };
}

function neededFor(
  { variants }: MetricResult,
  { days, now, isRunning }: { days: number; now: number; isRunning: boolean },
): ExperimentResult['needed'] {
  const rate = variants[0]?.rate ?? null;
  if (rate === null || rate === 0) return null;
  const people = neededPeople(rate);
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
  const isEarly = days < MIN_DAYS || variants.some(({ conversions }) => conversions < MIN_CONVERSIONS);
  if (isEarly) return { state: 'early', variant: null };
  const certain = variants.filter(({ isSignificant }) => isSignificant);
  const best = certain.toSorted((a, b) => (b.lift?.value ?? 0) - (a.lift?.value ?? 0))[0];
  if (best === undefined) return { state: 'open', variant: null };
  return { state: (best.lift?.value ?? 0) > 0 ? 'better' : 'worse', variant: best.key };
}
