/** Where a row of a query comes to when it is dragged. */
import { placeOf } from '#views/insights/drag-row.ts';

/** Rows of different heights: the second is the largest. */
const middles = [20, 100, 180, 220];

it.each([
  ['stays where it is', 0, 0, 0],
  ['stays until its middle passes that of the next', 0, 79, 0],
  ['passes the next', 0, 81, 1],
  ['passes several', 0, 161, 2],
  ['ends as the last', 0, 5_000, 3],
  ['goes up', 3, -41, 2],
  ['begins the list', 3, -5_000, 0],
  ['goes up past a larger one', 2, -81, 1],
])('%s', (_, from, shift, to) => {
  expect(placeOf(middles, from, shift)).toBe(to);
});
