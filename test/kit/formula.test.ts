/** Formulas come to what the same expression comes to, and garbage is an error that names its part. */
import {
  evaluateFormula,
  formulaMessage,
  MAX_FORMULA,
  parseFormula,
  renamedFormula,
  seriesOfFormula,
} from '#src/kit/formula/values.ts';
import fc from '#test/kit/fast-check.ts';

interface Written {
  text: string;
  value: (values: readonly (number | null)[]) => number | null;
  series: number[];
}

const space = fc.constantFrom('', ' ', '  ');

/** Expressions in parentheses, with what they come to. */
const written: fc.Arbitrary<Written> = fc.letrec<{ any: Written }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(
      fc.integer({ min: 0, max: 3 }).map((at) => ({
        text: 'ABCD'[at] as string,
        value: (values: readonly (number | null)[]) => values[at] as number | null,
        series: [at],
      })),
      fc.constantFrom('0', '2', '10.5').map((text) => ({ text, value: () => Number(text), series: [] })),
    ),
    tie('any').map(({ text, value, series }) => ({
      text: `-(${text})`,
      value: (values: readonly (number | null)[]) => {
        const found = value(values);
        return found === null ? null : 0 - found;
      },
      series,
    })),
    fc
      .tuple(tie('any'), fc.constantFrom('+', '-', '*', '/', '×', '÷', '−'), tie('any'), space)
      .map(([left, sign, right, gap]) => ({
        text: `(${left.text}${gap}${sign}${gap}${right.text})`,
        value: (values: readonly (number | null)[]) => apply(sign, left.value(values), right.value(values)),
        series: [...left.series, ...right.series],
      })),
  ),
})).any;

function apply(sign: string, left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null;
  if (sign === '+') return left + right;
  if (sign === '*' || sign === '×') return left * right;
  if (sign === '/' || sign === '÷') return right === 0 ? null : left / right;
  return left - right;
}

function formulaOf(text: string) {
  const parsed = parseFormula(text);
  if ('error' in parsed) throw new Error(formulaMessage(parsed.error));
  return parsed.formula;
}

it('comes to what is written, and names its series', () => {
  const values = fc.array(fc.option(fc.integer({ min: -3, max: 3 })), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(written, values, ({ text, value, series }, given) => {
      fc.pre(text.length <= MAX_FORMULA);
      const formula = formulaOf(text);
      expect(evaluateFormula(formula, (at) => given[at] ?? null)).toBe(value(given));
      expect(seriesOfFormula(formula)).toEqual([...new Set(series)].sort());
    }),
    { numRuns: 500 },
  );
});

it('reads * and / before + and -, from left to right', () => {
  const value = (text: string) => evaluateFormula(formulaOf(text), (at) => [2, 3, 5][at] ?? null);
  expect(['A+B*C', 'C-B-A', 'C/A/A', '-A*B', 'a', '(A+B)*C', 'A--B'].map(value)).toEqual([17, 0, 1.25, -6, 2, 25, 5]);
  expect([value('A/(B-B)'), value('A/(B-B)+1'), value('D')]).toEqual([null, null, null]);
});

it.each([
  ['', 'empty', 1, ''],
  ['A +', 'incomplete', 4, ''],
  ['A B', 'unexpected', 3, 'B'],
  ['A + * B', 'unexpected', 5, '*'],
  ['(A + B', 'unclosed', 1, '('],
  ['A + B)', 'unexpected', 6, ')'],
  ['AB', 'unexpected', 1, 'AB'],
  ['0,5 * A', 'unexpected', 2, ',5'],
  ['A / C', 'noSeries', 5, 'C'],
  ['A ^ 2', 'unexpected', 3, '^'],
  [`${'('.repeat(30)}A`, 'tooDeep', 21, '('],
  ['A'.repeat(MAX_FORMULA + 1), 'tooLong', MAX_FORMULA + 1, ''],
])('refuses %j', (text, problem, position, part) => {
  expect(parseFormula(text, 2)).toEqual({ error: { problem, position, part } });
});

it('answers any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...'AB().+*/ 1-'), maxLength: 60 }),
  );
  fc.assert(
    fc.property(text, (given) => {
      const parsed = parseFormula(given, 2);
      if ('formula' in parsed) {
        const value = evaluateFormula(parsed.formula, () => 1);
        expect(value === null || Number.isFinite(value)).toBe(true);
        return;
      }
      const { part, position } = parsed.error;
      expect(formulaMessage(parsed.error)).not.toBe('');
      expect(position).toBeLessThanOrEqual(given.length + 1);
      expect(part === '' || given.startsWith(part, position - 1) || '*/-'.includes(part)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it('renames letters and nothing else', () => {
  expect(renamedFormula('(a - B) / 2 + C', (at) => [2, 0, 1][at] ?? at)).toBe('(C - A) / 2 + B');
});
