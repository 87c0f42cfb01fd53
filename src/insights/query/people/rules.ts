/** Events as questions name them, as the columns engine takes them. */
import type { SeriesRule } from '#src/columns/columns.ts';
import { notFound } from '#src/kit/errors.ts';
import type { Goal } from '../../goals/contract.ts';
import { selectionOf } from '../../goals/selection.ts';
import type { EventRuleInput, EventsQuery } from './contract.ts';

/** Rules of what is asked; goals are looked up. */
export type RulesOf = (asked: EventsQuery) => SeriesRule[];

/** @throws AppError `not_found` for a goal that is not there */
export async function findRules(asked: readonly EventsQuery[], goalOf: (id: number) => Promise<Goal | null>) {
  const found = new Map<number, SeriesRule[]>();
  for (const each of asked) {
    if (!('goal' in each)) continue;
    const goal = await goalOf(each.goal);
    if (goal === null) throw notFound('goal');
    found.set(goal.id, [...selectionOf(goal).rules]);
  }
  return (each: EventsQuery): SeriesRule[] => {
    if ('goal' in each) return found.get(each.goal) as SeriesRule[];
    return ('any' in each ? each.any : [each]).map(ruleOf);
  };
}

function ruleOf({ event, filters }: EventRuleInput): SeriesRule {
  return { names: event === null ? null : [event], filters: filters === undefined ? [] : [filters] };
}
