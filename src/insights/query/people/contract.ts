/** Sets of persons: who has a property, who did something so many times, who came first in a range. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { type Filters, filterOperator, filters, filterValue } from '#src/columns/contract.ts';
import { lineOf } from '#src/kit/line.ts';
import { rangeInput } from '#src/kit/range.ts';
import { rowId } from '#src/kit/row.ts';
import { MAX_CRITERIA } from '../values.ts';

/** Events of a name (null: of any) that fulfil the conditions. */
export const eventRule = z.strictObject({ event: z.nullable(lineOf(400)), filters: z.optional(filters) });
export type EventRuleInput = z.infer<typeof eventRule>;

/** Events of one kind, of one of several kinds, or those that reach a goal of the project. */
export const eventsQuery = z.union([
  eventRule,
  z.strictObject({ any: z.array(eventRule).check(z.minLength(1), z.maxLength(20)) }),
  z.strictObject({ goal: rowId }),
]);
export type EventsQuery = z.infer<typeof eventsQuery>;

export const MAX_TIMES = 1_000_000;
/** Steps of a sequence, and days from the first to the last. */
export const MAX_SEQUENCE = 5;
export const MAX_SEQUENCE_DAYS = 365;

/**
 * One thing about persons, or its opposite: a present property, having done something so many times in a range, their first event ever in
 * a range, having done something in it for the first time, having done it before and not since, several things one after the other, being on
 * a list.
 */
const personCriterion = z.union([
  z.strictObject({
    has: z.strictObject({
      name: lineOf(400),
      operator: filterOperator,
      values: z._default(z.array(filterValue).check(z.maxLength(200)), []),
    }),
    not: z.optional(z.boolean()),
  }),
  z.strictObject({
    did: eventsQuery,
    times: z._default(z.int().check(z.minimum(1), z.maximum(MAX_TIMES)), 1),
    within: z._default(rangeInput, 'all_time'),
    not: z.optional(z.boolean()),
  }),
  z.strictObject({ firstSeen: rangeInput, not: z.optional(z.boolean()) }),
  z.strictObject({ firstDid: eventsQuery, within: rangeInput, not: z.optional(z.boolean()) }),
  /** Before the range, and not in it. */
  z.strictObject({ stopped: eventsQuery, within: rangeInput, not: z.optional(z.boolean()) }),
  /** Each later than the one before, the last so many days after the first at most. */
  z.strictObject({
    sequence: z.array(eventsQuery).check(z.minLength(2), z.maxLength(MAX_SEQUENCE)),
    days: z._default(z.int().check(z.minimum(1), z.maximum(MAX_SEQUENCE_DAYS)), 7),
    within: z._default(rangeInput, 'all_time'),
    not: z.optional(z.boolean()),
  }),
  z.strictObject({
    listed: z.strictObject({
      distinctIds: z._default(z.array(z.string().check(z.maxLength(400))).check(z.maxLength(10_000)), []),
      persons: z._default(z.array(z.uuid()).check(z.maxLength(10_000)), []),
    }),
    not: z.optional(z.boolean()),
  }),
]);
export type CriterionQuery = z.infer<typeof personCriterion>;

/** Persons by all of these criteria, or any; joined with those of a segment they are lists within lists. */
export interface PeopleQuery {
  match: 'all' | 'any';
  of: readonly (CriterionQuery | PeopleQuery)[];
}

/** The same with optional fields. */
interface PeopleQueryInput {
  match: 'all' | 'any';
  of: readonly (z.input<typeof personCriterion> | PeopleQueryInput)[];
}

/** The input of a set of people: one list of criteria. */
export const peopleQuery: z.ZodMiniType<PeopleQuery, PeopleQueryInput> = z.strictObject({
  match: z.enum(['all', 'any']),
  of: z.array(personCriterion).check(z.maxLength(MAX_CRITERIA)),
});

/** Each criterion, in whichever list. */
export function criteriaOf({ of }: PeopleQuery): CriterionQuery[] {
  return of.flatMap((each) => ('of' in each ? criteriaOf(each) : [each]));
}

/** All conditions on events and persons that a set names, wherever they stand in it. */
export function conditionsWithin(people: PeopleQuery): Filters {
  const of = criteriaOf(people).flatMap((each): Filters['of'] => {
    if ('has' in each) return [{ about: 'person', ...each.has }];
    return eventsOfCriterion(each).flatMap((events) => {
      if ('goal' in events) return [];
      const rules = 'any' in events ? events.any : [events];
      return rules.flatMap((rule) => rule.filters?.of ?? []);
    });
  });
  return { match: 'all', of };
}

/** Numbers of the goals that a set names. */
export function goalsWithin(people: PeopleQuery): number[] {
  return eventsOfPeople(people).flatMap((events) => ('goal' in events ? [events.goal] : []));
}

/** Events that a set names. */
export function eventsOfPeople(people: PeopleQuery): EventsQuery[] {
  return criteriaOf(people).flatMap(eventsOfCriterion);
}

function eventsOfCriterion(criterion: CriterionQuery): readonly EventsQuery[] {
  if ('did' in criterion) return [criterion.did];
  if ('firstDid' in criterion) return [criterion.firstDid];
  if ('stopped' in criterion) return [criterion.stopped];
  return 'sequence' in criterion ? criterion.sequence : [];
}

/** True when a set can identify people: criteria on behavior only count them, criteria on properties can identify them. */
export function revealsIdentity(people: PeopleQuery): boolean {
  return criteriaOf(people).some((each) => 'has' in each || 'listed' in each);
}

/** The intersection of both. */
export function bothPeople(one: PeopleQuery | undefined, other: PeopleQuery | undefined): PeopleQuery | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { match: 'all', of: [one, other].flatMap((each) => (each.match === 'all' ? each.of : [each])) };
}
