/** Filters of table rows, and the goal's rate among their matches. Also used by the browser. Pure. */
import type { FilterCondition, SessionField } from '#src/columns/contract.ts';
import type { Breakdown, BreakdownDimension } from '../contract.ts';
import type { BreakdownRow, FigureValue } from '../values.ts';

/** Condition of a row; null: missing value. */
export type RowCondition = Pick<FilterCondition, 'about' | 'name'> & { value: string | null };

/**
 * Null: rows of this dimension cannot be filters, since events do not belong to exactly one of them.
 * @param host of a page, when rows are by host
 */
export function conditionsOf(dimension: BreakdownDimension, value: string, host?: string): RowCondition[] | null {
  const of = (about: RowCondition['about'], name: string, said: string): RowCondition => {
    return { about, name, value: said === '' ? null : said };
  };
  const ofVisit = (path: SessionField, itsHost: SessionField) => [
    ...(host === undefined ? [] : [of('session', itsHost, host)]),
    of('session', path, value),
  ];
  switch (dimension) {
    case 'event':
    case 'outbound':
      return null;
    case 'page':
      return [...(host === undefined ? [] : [of('event', '$host', host)]), of('event', '$pathname', value)];
    case 'entryPage':
      return ofVisit('entryPath', 'entryHost');
    case 'exitPage':
      return ofVisit('exitPath', 'exitHost');
    default:
      return [of('session', dimension, value)];
  }
}

/** The share of a row's visitors, or visits, that reached the goal; null where the table does not say. */
export function goalRateOf({ cols }: Pick<Breakdown, 'cols'>, row: BreakdownRow): FigureValue | null {
  const place = cols.indexOf('reached');
  const [numerator, denominator] = row.slice(place, place + 2);
  if (place === -1 || typeof numerator !== 'number' || typeof denominator !== 'number') return null;
  return { value: denominator === 0 ? null : numerator / denominator, parts: { numerator, denominator } };
}
