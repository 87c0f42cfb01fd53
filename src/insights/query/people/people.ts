/** Sets of persons as questions name them, as the columns engine takes them. */
import type { People, PersonCriterion, Rules } from '#src/columns/columns.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Goal } from '../../goals/contract.ts';
import { countedUntil, type RangeContext, resolveRange } from '../ranges.ts';
import { type CriterionQuery, eventsOfPeople, type PeopleQuery } from './contract.ts';
import { findRules, type RulesOf } from './rules.ts';

/** Context to resolve sets of people. */
export interface PeopleContext extends RangeContext {
  /** Time of the project's very first event, also an early one; null before it. */
  first: number | null;
}

/** @throws AppError `invalid` for a range that cannot be */
export function peopleOf(asked: PeopleQuery | undefined, rulesOf: RulesOf, context: PeopleContext): People | null {
  return asked === undefined ? null : listOf(asked, rulesOf, context);
}

function listOf({ match, of }: PeopleQuery, rulesOf: RulesOf, context: PeopleContext): People {
  return {
    match,
    of: of.map((each) => ('of' in each ? listOf(each, rulesOf, context) : criterionOf(each, rulesOf, context))),
  };
}

function criterionOf(each: CriterionQuery, rulesOf: RulesOf, context: PeopleContext): People['of'][number] {
  const { not } = each;
  if ('has' in each) return { not, has: { about: 'person', ...each.has } };
  if ('listed' in each) return { not, listed: each.listed };
  const { range } = resolveRange('firstSeen' in each ? each.firstSeen : each.within, context);
  const within = { from: range.from, until: countedUntil(range) };
  if ('did' in each) return { not, did: rulesOf(each.did), within, least: each.times };
  if ('sequence' in each) return { not, sequence: each.sequence.map(rulesOf), within, windowMs: each.days * dayMs };
  const first = context.first ?? within.from;
  const before = { from: Math.min(first, within.from), until: within.from };
  if ('stopped' in each) return { not, ...changedAt(rulesOf(each.stopped), before, within) };
  const did = 'firstDid' in each ? rulesOf(each.firstDid) : [{ names: null, filters: [] }];
  return { not, ...changedAt(did, within, before) };
}

type Span = { from: number; until: number };

const NOBODY: People = { match: 'all', of: [{ not: true, match: 'all', of: [] }] };

/** People with such an event in one span, and none in the other. */
function changedAt(did: Rules, one: Span, other: Span): PersonCriterion | People {
  if (one.from === one.until) return NOBODY;
  const came = { did, within: one, least: 1 };
  return other.from === other.until ? came : { match: 'all', of: [came, { not: true, did, within: other, least: 1 }] };
}

/** Rules of all events that a set names. @throws AppError `not_found` for a goal that is not there */
export async function rulesOfPeople(
  people: PeopleQuery | undefined,
  goalOf: (id: number) => Promise<Goal | null>,
): Promise<{ rulesOf: RulesOf; key: unknown }> {
  const asked = people === undefined ? [] : eventsOfPeople(people);
  const rulesOf = await findRules(asked, goalOf);
  return { rulesOf, key: asked.map(rulesOf) };
}
