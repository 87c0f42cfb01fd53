import { knownMatches, noteMatches } from '#src/columns/conditions/known-matches.ts';

it('remembers of each pattern what it was found in, until it becomes too much', () => {
  const known = knownMatches('false a');
  noteMatches(known, ['a', 'b'], new Set(['a']));
  expect([...knownMatches('false a')]).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(knownMatches('true a').size).toBe(0);
  const long = 'x'.repeat(1_000_000);
  const others = knownMatches('false x');
  for (let at = 0; at < 20; at++) noteMatches(others, [`${at}${long}`], new Set());
  expect(knownMatches('false a').size).toBe(0);
  expect(known.get('a')).toBe(true); // a running query keeps its results
  expect(knownMatches('false x').size).toBeLessThan(20);
});
