/** Event rules (name and filters), and sets of persons. */
import type { FilterCondition, Filters } from '../contract.ts';
import type { Span } from '../storage/span.ts';

/** A regular expression made of a pattern with stars, which is read as pages are. */
export type PageCondition = FilterCondition & { page?: string };

/** Events of one of these names that fulfil all of these filters. */
export interface EventRule {
  names: readonly string[];
  filters: readonly Filters[];
}

/** Events of one of these names (null: of any) that fulfil all of these filters. */
export interface SeriesRule extends Omit<EventRule, 'names'> {
  names: readonly string[] | null;
}

/** Events that fulfil at least one of these rules. */
export type Rules = readonly SeriesRule[];

/**
 * One thing about persons, or its opposite: a present property, having done something so many times, several things one after the other, being
 * on a list.
 */
export type PersonCriterion = { not?: boolean | undefined } & (
  | { has: FilterCondition }
  | { did: Rules; within: Span; least: number }
  /** `windowMs`: the longest time from the first to the last. */
  | { sequence: readonly Rules[]; within: Span; windowMs: number }
  | { listed: { distinctIds: readonly string[]; persons: readonly string[] } }
);

/** A set of persons by criteria, all or any of which must hold; criteria can be nested. Without criteria: all persons. */
export interface People {
  match: 'all' | 'any';
  of: readonly (PersonCriterion | (People & { not?: boolean | undefined }))[];
}
