/** PostgreSQL reads numbers and currencies of texts as the engine does. */
import fc from 'fast-check';
import { besideAmountSql, currencySql, textNumberSql } from '#src/columns/filters/number-sql.ts';
import { currencyBeside, decimalSeparators, readCurrency, readNumber } from '#src/kit/numbers/values.ts';
import { sql } from '#src/store/sql.ts';
import { useDatabase } from '#test/kit/database.ts';

const database = useDatabase({ between: 'nothing' });

const pieces = [
  '1',
  '12',
  '234',
  '000',
  '0',
  '.',
  ',',
  '.5',
  ',50',
  '-',
  '+',
  '\u2212',
  ' ',
  '\u00a0',
  '\t',
  'R$',
  'r$',
];
const others = [
  '9'.repeat(70),
  '0'.repeat(320),
  '$',
  'US$',
  '€',
  '¥',
  'BRL',
  'brl',
  'USD',
  'EUR',
  'e5',
  'E-3',
  'e-324',
  'e999',
  'mil',
  'x',
  '\u3000',
  'é',
];
const texts = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...pieces) }, fc.constantFrom(...others)), {
  maxLength: 6,
});

it('equals what the engine reads, for any text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        texts.map((some) => some.join('')),
        { minLength: 300, maxLength: 300 },
      ),
      fc.constantFrom(...decimalSeparators),
      fc.constantFrom('', 'BRL', 'USD', 'JPY'),
      async (given, decimal, goal) => {
        const text = sql`given.text`;
        const asked = sql`
          select ${textNumberSql(text, decimal)}::text as number, ${currencySql(text, goal)} as currency,
            ${currencySql(besideAmountSql(text), goal)} as beside
          from unnest(${given}::text[]) with ordinality as given (text, place) order by place`.toPg();
        const rows = await database.query<Record<'number' | 'currency' | 'beside', string | null>>(
          asked.text,
          asked.values,
        );
        const read = rows.map(({ number, currency, beside }, at) => [
          given[at],
          number === null ? Number.NaN : Number(number) + 0,
          currency,
          beside,
        ]);
        expect(read).toEqual(
          given.map((each) => [
            each,
            readNumber(each, decimal) + 0,
            readCurrency(each, goal),
            currencyBeside(each, goal),
          ]),
        );
      },
    ),
    { numRuns: 12 },
  );
});
