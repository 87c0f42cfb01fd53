/** Which filter a row of a table stands for. Pure. */
import type { BreakdownDimension } from '#src/insights/contract.ts';
import type { RowCondition } from './filters/change.ts';

/** Null: rows of this table are no filter, since no view is of just one of them. */
export function conditionOf(dimension: BreakdownDimension, value: string): RowCondition | null {
  const asked = value === '' ? null : value;
  switch (dimension) {
    case 'event':
    case 'outbound':
      return null;
    case 'page':
      return { about: 'event', name: '$pathname', value: asked };
    case 'entryPage':
      return { about: 'session', name: 'entryPath', value: asked };
    case 'exitPage':
      return { about: 'session', name: 'exitPath', value: asked };
    default:
      return { about: 'session', name: dimension, value: asked };
  }
}
