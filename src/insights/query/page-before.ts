/**
 * Rewrites filters for page ends: the next view of the window, or leaving it. Conditions on the page apply
 * to the previous page, whose path the end has; its host is that of the end. Only page leaves have the full URL. Pure.
 */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { isNegation, meaningOf } from '#src/columns/filters/operators.ts';
import { HOST } from './hosts.ts';
import { viewNames } from './scope.ts';

/** Property of the previous page. */
export const PATH_BEFORE = '$prev_pageview_pathname';
const ADDRESS = '$current_url';
const LEAVING = '$pageleave';

export interface Ends {
  names: string[];
  filters: Filters | null;
}

/** The events that end views of the pages that filters keep. Of an address that is more than host and path, only those that leave it. */
export function endsOf(filters: Filters | null): Ends {
  const asked = filters && pagesBefore(filters);
  return { names: asked && isOnAddress(asked) ? [LEAVING] : [...viewNames, LEAVING], filters: asked };
}

function isOnAddress({ of }: Filters): boolean {
  return of.some((each) => ('match' in each ? isOnAddress(each) : each.about === 'event' && each.name === ADDRESS));
}

/** Conditions on addresses become lists, so there may be more levels of them than people ask for: the engine takes them, however deep. */
function pagesBefore({ match, of }: Filters): Filters {
  const conditions = of.map((each) => ('match' in each ? pagesBefore(each) : pageBefore(each)));
  return { match, of: conditions as Filters['of'] };
}

function pageBefore(condition: FilterCondition): FilterCondition | Filters {
  if (condition.about !== 'event') return condition;
  if (condition.name === '$pathname') return { ...condition, name: PATH_BEFORE };
  return condition.name === ADDRESS ? (byParts(condition) ?? condition) : condition;
}

/** A host, or nothing, and a path: no query, and no piece of one. */
const HOST_AND_PATH = /^(?:https?:\/\/([^/?#]+))?(\/[^?#]*)?$/;

/** The same of host and path; null when they do not tell. */
function byParts(condition: FilterCondition): FilterCondition | Filters | null {
  const { operator, values } = condition;
  const isPositive = !isNegation(operator);
  const meaning = meaningOf(operator);
  if (meaning.takes === 'nothing') return { ...condition, name: PATH_BEFORE };
  const isWhole = meaning.takes === 'value';
  if (!isWhole && !(meaning.takes === 'text' && meaning.splitsAddress)) return null;
  if (values.length === 0) return { ...condition, name: PATH_BEFORE };
  const lists: Filters[] = [];
  for (const value of values) {
    const [found, host, path = isWhole ? '/' : undefined] = HOST_AND_PATH.exec(String(value)) ?? [];
    if (!found || (isWhole && host === undefined)) return null;
    const part = (name: string, text: string | undefined) =>
      text === undefined ? [] : [{ ...condition, name, values: [text] }];
    lists.push({ match: isPositive ? 'all' : 'any', of: [...part(HOST, host), ...part(PATH_BEFORE, path)] });
  }
  return { match: isPositive ? 'any' : 'all', of: lists as Filters['of'] };
}
