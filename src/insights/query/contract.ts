/** Shared types of insight kinds: ranges, comparisons, intervals, event scope. Read by the browser, so zod/mini only. Results are JSON-safe: times are epoch ms. */
import * as z from 'zod/mini';
import { type FilterSubject, type Filters, filters, includedTraffic } from '#src/columns/contract.ts';
import { filterSubjects, groupSubjects, isGroupSubject, keyProperty } from '#src/columns/values.ts';
import { lineOf } from '#src/kit/line.ts';
import { isoDate, type RangeInput, type RangePreset, rangeInput, rangePresets } from '#src/kit/range.ts';
import { peopleQuery } from './people/contract.ts';
import { comparisons, intervals, trendIntervals } from './values.ts';

export type { RangeInput, RangePreset };
export { comparisons, intervals, rangeInput, rangePresets, trendIntervals };

/** Event scope of a query; absent: all except bots and internal traffic. */
export const eventScope = {
  filters: z.optional(filters),
  /** Only events of these persons; absent: of all. */
  people: z.optional(peopleQuery),
  /** Traffic that is otherwise excluded. */
  include: z.optional(includedTraffic),
};

/** Who is counted: persons, or the groups of a type. Absent: persons. */
export const countedPer = z.optional(z.enum(['persons', ...groupSubjects]));
export type CountedPer = z.infer<typeof countedPer>;

/**
 * A breakdown by a property of the events, by a present property of the persons or of the groups of a type (`$group_key` is their key), by a field of
 * the visits, or by the events' name.
 */
export const breakdownBy = z.union([
  z.strictObject({ about: z.enum(filterSubjects), name: lineOf(400) }),
  z.strictObject({ about: z.literal('name') }),
]);
export type BreakdownBy = z.infer<typeof breakdownBy>;

/** Maximum breakdown values with a row. */
export const breakdownLimit = z._default(z.int().check(z.minimum(1), z.maximum(100)), 25);

export type NamedComparison = (typeof comparisons)[number];

/**
 * `previous`: as long, just before. `year`: the same dates a year before. `weekday`: a year before, the same weekdays (52 weeks). Or dates,
 * both included: as many as in the range are compared date by date, others bucket by bucket as far as they go.
 */
export const comparison = z.union([z.enum(comparisons), z.object({ from: isoDate, to: isoDate })]);
export type Comparison = z.infer<typeof comparison>;

export type Interval = (typeof intervals)[number];
export type TrendInterval = (typeof trendIntervals)[number];

/** Denominator of conversion rates: visitors (converted visitors), or visits (converted visits). */
export const goalPers = ['visitor', 'visit'] as const;
export type GoalPer = (typeof goalPers)[number];
/** Absent: of visitors. */
export const goalPer = z.optional(z.enum(goalPers));

/** True when filters could reveal personal data: repeated queries could find it out bit by bit. */
export function filtersRevealPersons(asked: Filters | null | undefined): boolean {
  return asked?.of.some((each) => ('of' in each ? filtersRevealPersons(each) : revealsPersons(each))) ?? false;
}

/** Properties of events that say who it was. */
const namesOfPersons = new Set([
  '$ip',
  '$user_id',
  '$device_id',
  '$anon_distinct_id',
  '$alias',
  'distinct_id',
  '$distinct_id',
  '$groups',
  ...groupSubjects.map(keyProperty),
  // Person changes of an event, and identifiers of visits.
  '$set',
  '$set_once',
  '$unset',
  '$session_id',
  '$window_id',
  '$initial_person_info',
]);

/** True when values of this property can identify persons, or groups such as customers. */
export function revealsPersons({ about, name }: { about: FilterSubject; name: string }): boolean {
  return about === 'person' || isGroupSubject(about) || (about === 'event' && namesOfPersons.has(name));
}

/** A range with its edges: [from, to) in ms; dates are the project's. */
export interface ResolvedRange {
  from: number;
  to: number;
  fromDate: string;
  toDate: string;
  /** End of the data when the range is still running, ms (its comparison ends at the same local time). */
  until: number | null;
  /** Of `all_time`: number of implausibly early events that it excludes; absent without any. Capped at 10,001. */
  earlyEvents?: number;
}

export interface MetricValue {
  /** Counts; viewsPerVisit as a mean; bounceRate as a share 0..1; visitDuration in seconds. Null: nothing to divide by. */
  value: number | null;
  /** The same for the comparison range; null without one or nothing to divide by. */
  previous: number | null;
  /** Ratios: numerator and denominator of `value`. */
  parts?: { numerator: number; denominator: number };
  /** Median of visitDuration. */
  median?: number | null;
}

/** How many of the counted events lack a property that a result is broken down or summed by. */
export interface PropertyCoverage {
  about: FilterSubject;
  name: string;
  /** Counted events of the range. */
  events: number;
  /** Those without the property. */
  without: number;
}

/** True for a breakdown by personal data. */
export function breakdownRevealsPersons(breakdown: BreakdownBy | undefined): boolean {
  return breakdown !== undefined && breakdown.about !== 'name' && revealsPersons(breakdown);
}

/** Input of a kind's calls: with the project, and optionally a segment. */
export type InProject<Input> = Input & { project: string; segment?: number | undefined };

/** The shape of a result, small enough for a list of insights. All numbers but `number` are shares of the greatest one; null: no data. */
export type ResultSummary =
  | { shape: 'lines'; lines: (number | null)[][] }
  | { shape: 'bars'; bars: number[] }
  /** One list per interval; what is below the axis is negative. */
  | { shape: 'stacks'; stacks: number[][] }
  | { shape: 'cells'; rows: (number | null)[][] }
  /** Nodes of each step, and links as [step, node, node of the next step, share]. */
  | { shape: 'flows'; columns: number[][]; links: [number, number, number, number][] }
  | { shape: 'number'; number: number | null };
