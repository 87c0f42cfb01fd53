import { byBytes, largest } from '#src/kit/order.ts';
import fc from '#test/kit/fast-check.ts';

it('finds the largest as sorting everything does', () => {
  const item = fc.record({ name: fc.string({ maxLength: 3 }), count: fc.integer({ min: 0, max: 4 }) });
  const byName = (one: { name: string }, other: { name: string }) => byBytes(one.name, other.name);
  fc.assert(
    fc.property(fc.array(item), fc.nat({ max: 6 }), (items, most) => {
      const sorted = [...items].sort((one, other) => other.count - one.count || byName(one, other));
      expect(largest(items, most, ({ count }) => count, byName)).toEqual(sorted.slice(0, most));
    }),
  );
});
