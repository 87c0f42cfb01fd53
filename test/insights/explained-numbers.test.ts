import { explained } from '#src/insights/explain/contract.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import type { ExplainedNumbers } from '#src/insights/query/explained-numbers.ts';

it('has one kind for each number that can be explained', () => {
  const all: { numbers?: ExplainedNumbers }[] = Object.values(kinds);
  const names = all.flatMap(({ numbers }) => numbers?.names ?? []);
  expect([...names].sort()).toEqual([...explained].sort());
});
