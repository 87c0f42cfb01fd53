/**
 * Sets of persons as they stand in the address: one `who` per criterion, `did:event:times:range`, `goal:number:times:range` or
 * `first:range`, with `not-` before it for the opposite, and `whoMatch=any` for OR. Pure.
 */
import type { RangeInput } from '#src/insights/contract.ts';
import { divided, escaped, MOST_CONDITIONS, plain } from './address.ts';

/** One thing about persons, or its opposite: what they did so many times in a range, or when they came first. */
export type PeopleCriterion = { not?: true } & (
  | { did: { event: string } | { goal: number }; times: number; within: RangeInput }
  | { firstSeen: RangeInput }
);

export interface PeopleChosen {
  match: 'all' | 'any';
  of: PeopleCriterion[];
}

/** Reads those of a query string; null without any. What makes no sense is left out. @param rangeOf null for what is no range */
export function readPeople(search: URLSearchParams, rangeOf: (text: string) => RangeInput | null): PeopleChosen | null {
  const of = search.getAll('who').flatMap((text): PeopleCriterion[] => {
    const [word = '', what = '', times = '1', range = 'all_time'] = divided(text, ':').map(plain);
    const not = word.startsWith('not-') && { not: true as const };
    const kind = not ? word.slice(4) : word;
    const within = rangeOf(kind === 'first' ? what : range);
    const isDone = kind === 'did' || (kind === 'goal' && /^\d{1,9}$/.test(what));
    if (within === null || what === '' || what.length > 400 || !/^[1-9]\d{0,5}$/.test(times)) return [];
    if (kind === 'first') return [{ firstSeen: within, ...not }];
    const did = kind === 'did' ? { event: what } : { goal: Number(what) };
    return isDone ? [{ did, times: Number(times), within, ...not }] : [];
  });
  if (of.length === 0) return null;
  return { match: search.get('whoMatch') === 'any' ? 'any' : 'all', of: of.slice(0, MOST_CONDITIONS) };
}

/** Adds them to a query string. */
export function writePeople(search: URLSearchParams, people: PeopleChosen | null): void {
  if (people === null) return;
  for (const each of people.of) search.append('who', (each.not ? 'not-' : '') + textOf(each));
  if (people.match === 'any') search.set('whoMatch', 'any');
}

function textOf(each: PeopleCriterion): string {
  if ('firstSeen' in each) return `first:${rangeText(each.firstSeen)}`;
  const { did, times, within } = each;
  const what = 'goal' in did ? `goal:${did.goal}` : `did:${escaped(did.event, ':')}`;
  return times === 1 && within === 'all_time' ? what : `${what}:${times}:${rangeText(within)}`;
}

function rangeText(range: RangeInput): string {
  return typeof range === 'string' ? range : `${range.from}..${range.to}`;
}
