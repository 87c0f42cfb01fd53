/** What all kinds of insights share: ranges, comparisons, intervals, which events count. Read by the browser, so zod/mini only. Answers are JSON-safe: times are epoch ms. */
import * as z from 'zod/mini';
import { type FilterSubject, type Filters, filters, includedTraffic } from '#src/columns/contract.ts';
import { lineOf } from '#src/kit/line.ts';
import { isoDate, type RangeInput, type RangePreset, rangeInput, rangePresets } from '#src/kit/range.ts';
import { peopleQuery } from './people/contract.ts';
import { comparisons, intervals } from './values.ts';

export type { RangeInput, RangePreset };
export { comparisons, intervals, rangeInput, rangePresets };

/** Which events a query counts; absent: all but those by bots and of internal traffic. */
export const eventScope = {
  filters: z.optional(filters),
  /** Only events of these persons; absent: of everybody. */
  people: z.optional(peopleQuery),
  /** Traffic that is otherwise excluded. */
  include: z.optional(includedTraffic),
};

/** A breakdown by a property of the events, by a present property of the persons, or by the events' name. */
export const breakdownBy = z.union([
  z.strictObject({ about: z.enum(['event', 'person']), name: lineOf(400) }),
  z.strictObject({ about: z.literal('name') }),
]);
export type BreakdownBy = z.infer<typeof breakdownBy>;

/** Values of a breakdown that have rows of their own. */
export const breakdownLimit = z._default(z.int().check(z.minimum(1), z.maximum(100)), 25);

export type NamedComparison = (typeof comparisons)[number];

/**
 * `previous`: as long, just before. `year`: the same dates a year before. `weekday`: a year before, the same weekdays (52 weeks). Or dates,
 * both included: as many as in the range are compared date by date, others bucket by bucket as far as they go.
 */
export const comparison = z.union([z.enum(comparisons), z.object({ from: isoDate, to: isoDate })]);
export type Comparison = z.infer<typeof comparison>;

export type Interval = (typeof intervals)[number];

/** Of what a rate of conversions is a share: of visitors, those who reached the goal; of visits, those in which it was reached. */
export const goalPers = ['visitor', 'visit'] as const;
export type GoalPer = (typeof goalPers)[number];
/** Absent: of visitors. */
export const goalPer = z.optional(z.enum(goalPers));

/** Whether an answer would tell something of persons: by filters, everything of them can be found out piece by piece. */
export function filtersRevealPersons(asked: Filters | undefined): boolean {
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
  // What was said of them with an event, and what tells one visit from another.
  '$set',
  '$set_once',
  '$unset',
  '$session_id',
  '$window_id',
  '$initial_person_info',
]);

/** Whether values of this property tell one person from another. */
export function revealsPersons({ about, name }: { about: FilterSubject; name: string }): boolean {
  return about === 'person' || (about === 'event' && namesOfPersons.has(name));
}

/** A range with its edges: [from, to) in ms; dates are the project's. */
export interface ResolvedRange {
  from: number;
  to: number;
  fromDate: string;
  toDate: string;
  /** Set when the range is not over: the moment up to which it is counted (its comparison up to the same wall clock time). */
  until: number | null;
  /** Of `all_time`: how many events are dated so early that it begins after them; absent without any. 10,001 stands for all larger numbers. */
  earlyEvents?: number;
}

export interface MetricValue {
  /** Counts; viewsPerVisit as a mean; bounceRate as a share 0..1; visitDuration in seconds. Null: nothing to divide by. */
  value: number | null;
  /** The same for the comparison range; null without one or nothing to divide by. */
  previous: number | null;
  /** Ratios: numerator and denominator of `value`. */
  parts?: { numerator: number; denominator: number };
  /** Of visitDuration: the middle one. */
  median?: number | null;
}

/** Whether a breakdown has values of persons. */
export function breakdownRevealsPersons(breakdown: BreakdownBy | undefined): boolean {
  return breakdown !== undefined && breakdown.about !== 'name' && revealsPersons(breakdown);
}

/** The input of a kind as calls name it: in a project, and maybe within a segment of it. */
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
