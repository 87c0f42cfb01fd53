/** Measures of trends as one list to choose from. Pure. */
import { type GroupSubject, isGroupSubject } from '#src/columns/values.ts';
import { type TrendMeasure, type TrendSeries, takesGroups } from '#src/insights/kinds/trends/contract.ts';
import type { ValueKind } from '#views/charts/scale.ts';
import type { TrendsWords } from '#views/words/trends.ts';

export const counts = ['events', 'persons', 'visits', 'dau', 'wau', 'mau', 'firstEver', 'firstMatching'] as const;
export const perPerson = ['mean', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'] as const;
export const statistics = ['sum', ...perPerson] as const;

/** A measure as a value of a list; of a property without its name. */
export function keyOf(measure: TrendMeasure): string {
  if (typeof measure === 'string') return measure;
  return 'property' in measure ? `property ${measure.as}` : `person ${measure.eventsPerPerson}`;
}

/** @param property that was measured before */
export function measureOf(key: string, property: string): TrendMeasure {
  if (isGroupSubject(key)) return key;
  const [about, statistic = ''] = key.split(' ');
  if (about === 'property') return { property, as: statisticOf(statistics, statistic, 'sum') };
  if (about === 'person') return { eventsPerPerson: statisticOf(perPerson, statistic, 'mean') };
  return counts.find((each) => each === key) ?? 'events';
}

function statisticOf<Name extends string>(names: readonly Name[], name: string, otherwise: Name): Name {
  return names.find((each) => each === name) ?? otherwise;
}

/** How groups are called: unique ones of a type, and several of them. */
export interface GroupNames {
  unique(subject: GroupSubject): string;
  plural(subject: GroupSubject): string;
}

export function measureName(
  { measure, per }: Pick<TrendSeries, 'measure' | 'per'>,
  words: TrendsWords,
  groups: GroupNames,
): string {
  if (isGroupSubject(measure)) return groups.unique(measure);
  if (typeof measure === 'object' && 'property' in measure)
    return words.propertyOf(words.statistics[measure.as], measure.property);
  const plural = isGroupSubject(per) ? groups.plural(per) : null;
  if (typeof measure === 'object') {
    const statistic = words.statistics[measure.eventsPerPerson];
    return plural === null ? words.perPersonOf(statistic) : words.perGroupOf(statistic, plural);
  }
  const named: Partial<Record<string, string>> = plural === null ? {} : words.measuresOf(plural);
  return named[measure] ?? words.measures[measure];
}

/** The series with a measure, of the groups that it counted if the measure can count them. */
export function withMeasure({ per, ...series }: TrendSeries, measure: TrendMeasure): TrendSeries {
  return { ...series, measure, ...(isGroupSubject(per) && takesGroups(measure) && { per }) };
}

/** Counts are whole. */
export function valueKindOf(measure: TrendMeasure): ValueKind {
  return typeof measure === 'string' ? 'count' : 'mean';
}

/** Whether the values of a breakdown, and intervals, add up to their total. */
export function addsUp(measure: TrendMeasure): boolean {
  if (measure === 'firstEver' || measure === 'firstMatching') return true;
  return measure === 'events' || (typeof measure === 'object' && 'property' in measure && measure.as === 'sum');
}
