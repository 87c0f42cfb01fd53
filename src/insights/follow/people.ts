/** Sets of persons as questions name them, as the columns engine takes them. */
import type { People } from '#src/columns/columns.ts';
import { countedUntil, type RangeContext, resolveRange } from '../ranges.ts';
import type { PeopleAsked } from './contract.ts';
import type { RulesOf } from './rules.ts';

/** @throws AppError `invalid` for a range that cannot be */
export function peopleOf(asked: PeopleAsked | undefined, rulesOf: RulesOf, context: RangeContext): People | null {
  if (asked === undefined) return null;
  return {
    match: asked.match,
    of: asked.of.map((each) => {
      const { not } = each;
      if ('has' in each) return { not, has: { about: 'person', ...each.has } };
      if ('listed' in each) return { not, listed: each.listed };
      const { range } = resolveRange(each.within, context);
      return {
        not,
        did: rulesOf(each.did),
        within: { from: range.from, until: countedUntil(range) },
        least: each.times,
      };
    }),
  };
}
