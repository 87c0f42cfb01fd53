/** Filters of one row of a table: they keep what the query and the row both keep, and stay within the depth of filters. */
import { type FilterCondition, type Filters, filters as filterSchema } from '#src/columns/contract.ts';
import fc from '#test/kit/fast-check.ts';
import { withinRow } from '#views/question/filters/within-row.ts';

const leaf = fc.constantFrom('a', 'b', 'c').map(
  (name): FilterCondition => ({
    about: 'event',
    name,
    operator: 'equals',
    values: ['1'],
  }),
);
const match = fc.constantFrom('all' as const, 'any' as const);
const list = fc.record({ match, of: fc.array(leaf, { minLength: 1, maxLength: 3 }) });
const filters: fc.Arbitrary<Filters | null> = fc.option(
  fc.record({ match, of: fc.array(fc.oneof(leaf, list), { maxLength: 4 }) }),
);

/** @param set names of properties that are 1 */
function holds({ match: joins, of }: Filters, set: ReadonlySet<string>): boolean {
  const each = of.map((item) => ('of' in item ? holds(item, set) : set.has(item.name)));
  return of.length === 0 || (joins === 'all' ? each.every(Boolean) : each.some(Boolean));
}

it('keeps what both keep', () => {
  fc.assert(
    fc.property(filters, fc.subarray(['a', 'b', 'c', 'row']), (query, names) => {
      const set = new Set(names);
      const within = withinRow(query, [{ about: 'event', name: 'row', value: '1' }]);
      expect(filterSchema.safeParse(within).success).toBe(true);
      expect(holds(within, set)).toBe((query === null || holds(query, set)) && set.has('row'));
    }),
    { numRuns: 300 },
  );
  expect(withinRow(null, [{ about: 'session', name: 'city', value: null }])).toEqual({
    match: 'all',
    of: [{ about: 'session', name: 'city', operator: 'isNotSet', values: [] }],
  });
});
