/** How texts are read as numbers and currencies, and how numbers are added up. */
import fc from 'fast-check';
import { DecimalSum, decimalOf } from '#src/kit/numbers/decimals.ts';
import { currencyBeside, type DecimalSeparator, readCurrency, readNumber } from '#src/kit/numbers/values.ts';

const locales = { 'en-US': 'point', 'pt-BR': 'comma' } as const;
const money = fc.record({
  locale: fc.constantFrom(...(Object.keys(locales) as (keyof typeof locales)[])),
  currency: fc.constantFrom(null, 'BRL', 'USD', 'EUR', 'GBP', 'CAD'),
  currencyDisplay: fc.constantFrom('symbol' as const, 'code' as const),
  cents: fc.integer({ min: -1e12, max: 1e12 }),
  digits: fc.integer({ min: 0, max: 2 }),
  useGrouping: fc.boolean(),
  around: fc.constantFrom('', ' ', '\u00a0', '\t'),
});

it('reads what English and Portuguese write, whichever of the two the project writes', () => {
  fc.assert(
    fc.property(money, ({ locale, currency, currencyDisplay, cents, digits, useGrouping, around }) => {
      const value = Math.round(cents / 10 ** (2 - digits)) / 10 ** digits;
      const style = currency === null ? {} : { style: 'currency' as const, currency, currencyDisplay };
      const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      const text =
        around + new Intl.NumberFormat(locale, { ...style, ...fraction, useGrouping }).format(value) + around;
      expect([text, readNumber(text, locales[locale]) + 0]).toEqual([text, value + 0]);
      if (digits > 0) expect([text, readNumber(text, otherThan(locales[locale])) + 0]).toEqual([text, value + 0]);
      if (currency !== null && text !== `${value}`) {
        const isShared = locale === 'en-US' && currency === 'USD' && currencyDisplay === 'symbol';
        expect([text, currencyBeside(text, '')]).toEqual([text, isShared ? 'unknown' : currency]);
        expect(currencyBeside(text, currency)).toBe(currency);
      }
    }),
  );
});

function otherThan(decimal: DecimalSeparator): DecimalSeparator {
  return decimal === 'point' ? 'comma' : 'point';
}

it('reads what can be two numbers as the project writes them, and nothing else so', () => {
  const read = (text: string) => [readNumber(text, 'point'), readNumber(text, 'comma')];
  expect(read('1.234')).toEqual([1.234, 1234]);
  expect(read('-1,234')).toEqual([-1234, -1.234]);
  for (const [text, number] of Object.entries({
    '0.125': 0.125,
    '0,125': 0.125,
    '10,50': 10.5,
    '1234.567': 1234.567,
  })) {
    expect(read(text)).toEqual([number, number]);
  }
  for (const [text, number] of Object.entries({ '1.234.567': 1_234_567, '1,234.5': 1234.5, '1.234,5': 1234.5 })) {
    expect(read(text)).toEqual([number, number]);
  }
});

const none = [
  '',
  ' ',
  'free',
  '10 mil',
  '5 min',
  '12 cm',
  '1.2.3',
  '1,23,4',
  '1.234,567,8',
  '12 34',
  '--5',
  '- -5',
  'R$',
];

it.each([...none, 'R$ 10 USD', '0x10', 'Infinity', 'NaN', '.', ',', '1.', '1,5'.padStart(65, '9'), '9'.repeat(1001)])(
  '%j is no number',
  (text) => {
    expect([readNumber(text, 'point'), readNumber(text, 'comma')]).toEqual([Number.NaN, Number.NaN]);
  },
);

it('reads many digits', () => {
  expect([readNumber('9'.repeat(400)), readNumber('1e999')]).toEqual([Number.MAX_VALUE, Number.MAX_VALUE]);
  expect(readNumber(`-${'9'.repeat(64)}.5`)).toBe(-1e64);
  expect(readNumber(`0.${'0'.repeat(400)}1`)).toBe(0);
});

it('reads what programs write of any number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e90, max: 1e90 }), (value) => {
      fc.pre(value === 0 || Math.abs(value) > 1e-90);
      expect(readNumber(String(value))).toBe(value === 0 ? 0 : value);
    }),
  );
});

it.each<[unknown, string | null]>([
  ['BRL', 'BRL'],
  [' brl\n', 'BRL'],
  ['R$', 'BRL'],
  ['r$ ', 'BRL'],
  ['US$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['$', 'unknown'],
  ['¥', 'unknown'],
  ['reais', 'unknown'],
  ['toString', 'unknown'],
  [986, 'unknown'],
  [{}, 'unknown'],
  ['', null],
  [' ', null],
  [null, null],
  [undefined, null],
])('reads the currency %j as %j', (value, code) => {
  expect(readCurrency(value, '')).toBe(code);
});

it('reads signs that several currencies share as that of the goal', () => {
  expect([readCurrency('$', 'USD'), readCurrency('$', 'MXN'), readCurrency('$', 'BRL')]).toEqual([
    'USD',
    'MXN',
    'unknown',
  ]);
});

const decimals = fc.record({
  digits: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  scale: fc.integer({ min: -6, max: 12 }),
});

it('adds decimals up exactly, at every size and in any order', () => {
  fc.assert(
    fc.property(fc.array(decimals, { maxLength: 40 }), fc.nat(), (given, half) => {
      const numbers = given.map(({ digits, scale }) => Number(`${digits}e${-scale}`));
      const wanted = given.reduce((sum, { digits, scale }) => sum + digits * 10n ** BigInt(12 - scale), 0n);
      const sum = new DecimalSum();
      for (const number of numbers) sum.add(number);
      const [one, other] = [new DecimalSum(), new DecimalSum()];
      for (const [at, number] of numbers.toReversed().entries()) (at % 2 === half % 2 ? one : other).add(number);
      one.addDecimal(other.decimal);
      expect([sum.value + 0, one.value + 0]).toEqual([Number(`${wanted}e-12`) + 0, Number(`${wanted}e-12`) + 0]);
    }),
  );
});

it('leaves nothing out that is very large or very small', () => {
  const sum = new DecimalSum();
  for (const value of [1e18, 1e-9, 0.1, 0.2, -1e18]) sum.add(value);
  expect(sum.value).toBe(0.300000001);
  expect(decimalOf(1.5e-7)).toEqual({ digits: 15n, scale: 8 });
  for (let times = 0; times < 3; times++) sum.add(Number.MAX_VALUE);
  expect(sum.value).toBe(Number.MAX_VALUE);
});
