/** Which filter a row of a table stands for. Pure. */
import type { SessionField } from '#src/columns/contract.ts';
import type { BreakdownDimension } from '#src/insights/contract.ts';
import type { RowCondition } from './filters/change.ts';

/**
 * Null: rows of this table are no filter, since no view is of just one of them.
 * @param host of a page that is told apart by it
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
