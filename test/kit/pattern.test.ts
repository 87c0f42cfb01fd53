import { isLike } from '#src/kit/patterns/values.ts';
import fc from '#test/kit/fast-check.ts';

it('reads stars as the pattern with .* does', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '*'), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (path, pattern) => {
      const escaped = pattern.replaceAll('.', '\\.').replaceAll('*', '.*');
      expect(isLike(path, pattern)).toBe(new RegExp(`^${escaped}$`).test(path));
    }),
    { numRuns: 2_000 },
  );
});
