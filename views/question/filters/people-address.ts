/**
 * Sets of persons as they stand in the address: one `who` per criterion, `did:range:times:event`, `goal:range:times:number` or
 * `first:range`, with `not-` before it for the opposite, and `whoMatch=any` for OR. Where only some of the events count,
 * conditions follow the event, as in a list of filters: `did:range:times:event;condition;…`, with `any` before them for OR. Pure.
 */

import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { MAX_CONDITIONS } from '#src/columns/values.ts';
import type { RangeInput } from '#src/insights/contract.ts';
import { MAX_CRITERIA } from '#src/insights/query/values.ts';
import { conditionText, divided, escaped, isThere, plain, readCondition } from './address.ts';

/** One thing about persons, or its opposite: what they did so many times in a range, or when they came first. */
export type PeopleCriterion = { not?: true } & (
  | { did: EventsChosen | { goal: number }; times: number; within: RangeInput }
  | { firstSeen: RangeInput }
);

/** Events of a name, or those of them that fulfil all conditions, or any. */
export interface EventsChosen {
  event: string;
  filters?: EventConditions;
}

export interface EventConditions {
  match: Filters['match'];
  of: FilterCondition[];
}

export interface PeopleChosen {
  match: 'all' | 'any';
  of: PeopleCriterion[];
}

/** Earlier times were never those of a clock. */
export const FIRST_DATE = '1970-01-01';

/** Reads people of a query string; null without any. Invalid parts are skipped. @param rangeOf null for an invalid range */
export function readPeople(search: URLSearchParams, rangeOf: (text: string) => RangeInput | null): PeopleChosen | null {
  const of = search.getAll('who').flatMap((text): PeopleCriterion[] => {
    const [, opposite, kind, range = '', times, what = ''] =
      /^(not-)?(did|goal|first):([^:]+)(?::([1-9]\d{0,5}):(.+))?$/s.exec(text) ?? [];
    const within = rangeOf(range);
    const not = opposite && { not: true as const };
    if (within === null || (typeof within === 'object' && within.from < FIRST_DATE)) return [];
    if (kind === 'first') return [{ firstSeen: within, ...not }];
    const [named = '', ...conditions] = divided(what, ';');
    const match = conditions[0] === 'any' ? 'any' : 'all';
    if (match === 'any') conditions.shift();
    const event = plain(named).trim();
    // A truncated link: without its conditions it would be another query.
    if (match === 'any' && conditions.length === 0) return [];
    const of = conditions.map(readCondition).filter(isThere);
    // Without one of its conditions it would be another question.
    if (!/^[^\p{Cc}]{1,400}$/u.test(event) || of.length < conditions.length || of.length > MAX_CONDITIONS) return [];
    // A number that is none is that of a goal which is gone.
    const goal = /^\d{1,9}$/.test(event) ? Number(event) : 0;
    const filters = of.length > 0 && { filters: { match, of } as const };
    return [{ did: kind === 'goal' ? { goal } : { event, ...filters }, times: Number(times), within, ...not }];
  });
  return of.length === 0
    ? null
    : { match: search.get('whoMatch') === 'any' ? 'any' : 'all', of: of.slice(0, MAX_CRITERIA) };
}

/** Adds them to a query string. */
export function writePeople(search: URLSearchParams, people: PeopleChosen | null): void {
  for (const each of people?.of ?? []) search.append('who', (each.not ? 'not-' : '') + textOf(each));
  if (people?.match === 'any') search.set('whoMatch', 'any');
}

function textOf(each: PeopleCriterion): string {
  if ('firstSeen' in each) return `first:${rangeText(each.firstSeen)}`;
  const { did, times, within } = each;
  const asked = `${rangeText(within)}:${times}:`;
  if ('goal' in did) return `goal:${asked}${did.goal}`;
  const { match, of = [] } = did.filters ?? {};
  const conditions = of.map((condition) => conditionText(condition, ';'));
  if (match === 'any') conditions.unshift(match);
  return `did:${asked}${[escaped(did.event, ';'), ...conditions].join(';')}`;
}

function rangeText(range: RangeInput): string {
  return typeof range === 'string' ? range : `${range.from}..${range.to}`;
}
