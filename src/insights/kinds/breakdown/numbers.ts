/** Tables, explained as a whole: each dimension is one. */

import { defineNumbers, type ExplainedNumber } from '../../query/explained-numbers.ts';
import { isOfPages } from '../../query/hosts.ts';
import { viewNames } from '../../query/scope.ts';
import { breakdownDimensions } from './contract.ts';
import { tableSql } from './explain.ts';
import { dimensions } from './run.ts';

export const breakdownNumbers = defineNumbers(breakdownDimensions, (of, { inFull, goal: reaching }) => {
  const dimension = dimensions[of];
  const ofVisits = dimension.of === 'sessions';
  const names = dimension.of === 'events' && dimension.names ? dimension.names : viewNames;
  const number: ExplainedNumber = {
    of,
    sql: (rows, byHost) => tableSql(of, rows, { inFull, byHost, reaching }),
    counts: { names },
    events: ofVisits ? null : of === 'event' ? [] : [...names],
    ofVisits,
  };
  if (!isOfPages(of)) return number;
  return {
    ...number,
    async pages(columns, question) {
      const [[rows = []] = []] = await columns.tables({ ...question, visitorsOf: 0, withLengths: false }, [dimension]);
      return rows;
    },
  };
});
