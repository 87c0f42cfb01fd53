import { throwFailures } from '#src/kit/failures.ts';

it('throws nothing, the one, or all of them', () => {
  const [one, other] = [new Error('one'), new Error('other')];
  expect(() => throwFailures([])).not.toThrow();
  expect(() => throwFailures([one])).toThrow(one);
  expect(() => throwFailures([one, other])).toThrow(
    expect.objectContaining({ message: '2 errors. First error: one', errors: [one, other] }),
  );
});
