/** The table of operators: each has words in both languages, and says the same of a value as the plain rules of the reference. */
import { filterOperators, isNegation, positiveOf, takesOf } from '#src/columns/filters/operators.ts';
import { filterWords } from '#views/words/filters.ts';

it.each(['en', 'pt-BR'] as const)('has words for each operator, no two alike (%s)', (language) => {
  const words = filterWords[language].operators;
  expect(Object.keys(words).sort()).toEqual([...filterOperators].sort());
  expect(new Set(Object.values(words)).size).toBe(filterOperators.length);
});

it('negates operators that are there and negate nothing themselves', () => {
  for (const operator of filterOperators.filter(isNegation)) {
    expect(filterOperators).toContain(positiveOf(operator));
    expect(isNegation(positiveOf(operator))).toBe(false);
    expect(takesOf(operator)).toBe(takesOf(positiveOf(operator)));
  }
});
