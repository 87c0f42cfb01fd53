/** Tables as files: what is read back of a file is what was written, in every format, and nothing of it runs. */
import { readXlsx } from 'hucre/xlsx';
import { csvDialects, type TableCell } from '#src/kit/csv.ts';
import { dataOf, inPieces, type TablePiece, tableFile } from '#src/kit/table-file.ts';
import { type TableFormat, tableFormatOf } from '#src/kit/values.ts';
import fc from './fast-check.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '=1+1',
    '-2',
    '+55',
    '@SUM(A1)',
    '1,5',
    '1.5',
    'a;b',
    'a,b',
    'say "hi"',
    'two\nlines',
    'ação',
    '',
    ' ',
  ),
);
const cell: fc.Arbitrary<TableCell> = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const rows = fc
  .integer({ min: 1, max: 6 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 30 }))
  .map((body) => [(body[0] ?? [null]).map((_, place) => `column ${place}`), ...body]);

async function written(table: readonly (readonly TableCell[])[], format: TableFormat): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const data of dataOf(tableFile(inPieces(table), format))) parts.push(Buffer.from(data as string));
  return Buffer.concat(parts);
}

/** As RFC 4180 has it, with another separator. */
function parsed(csv: string, separator: string): string[][] {
  const pattern = new RegExp(`("(?:[^"]|"")*"|[^${separator}"\r\n]*)(${separator}|\r\n)`, 'gy');
  const lines: string[][] = [[]];
  for (const [, value = '', end] of csv.matchAll(pattern)) {
    lines.at(-1)?.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

test.each(['comma', 'semicolon'] as const)('CSV with a %s says what it was given', async (format) => {
  const { separator, decimal, start } = csvDialects[format];
  await fc.assert(
    fc.asyncProperty(rows, async (table) => {
      const file = (await written(table, format)).toString();
      expect(file.startsWith('\uFEFF')).toBe(start !== '');
      const read = parsed(file.slice(start.length), separator);
      expect(read).toHaveLength(table.length);
      for (const [at, line] of table.entries()) {
        for (const [place, value] of line.entries()) {
          const found = read[at]?.[place];
          if (typeof value === 'number') expect(found).toBe(String(value).replace('.', decimal));
          else if (typeof value === 'string') {
            expect(found?.replace(/^'/, '')).toBe(value.replace(/^'/, ''));
            expect(found).not.toMatch(/^\s*[=+\-@]/);
          } else expect(found).toBe(value === null ? '' : String(value));
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('a workbook has the same values, and no formula', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (table) => {
      const { sheets } = await readXlsx(await written(table, 'xlsx'));
      const read = sheets[0]?.rows ?? [];
      for (const [at, line] of table.entries()) {
        for (const [place, value] of line.entries()) {
          const found = read[at]?.[place] ?? null;
          if (typeof value === 'string') expect(found ?? '').toBe(asInXml(value));
          else expect(found).toEqual(Object.is(value, -0) ? 0 : value);
        }
      }
    }),
    { numRuns: 40 },
  );
});

/** XML cannot hold every character, and reads any line end as one. */
function asInXml(value: string): string {
  return value.replaceAll(/\r\n?/g, '\n');
}

test('long texts are cut where Excel would refuse the file', async () => {
  const { sheets } = await readXlsx(await written([['text'], [`${'a'.repeat(32_766)}🌙`]], 'xlsx'));
  expect(String(sheets[0]?.rows[1]?.[0]).length).toBe(32_767);
});

async function readAll(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pieces);
}

test.each(['comma', 'xlsx'] as const)(
  '%s: ends with an error of its rows, and stops reading with its reader',
  async (format) => {
    async function* failing(): AsyncGenerator<TablePiece, void> {
      yield { cells: [['head'], ['row']], rows: 1 };
      throw new Error('gone');
    }
    await expect(readAll(tableFile(failing(), format))).rejects.toThrow('gone');

    let isStopped = false;
    async function* endless(): AsyncGenerator<TablePiece, void> {
      try {
        yield { cells: [['head']], rows: 0 };
        for (;;) yield { cells: [['row']], rows: 1 };
      } finally {
        isStopped = true;
      }
    }
    for await (const _ of tableFile(endless(), format)) break;
    expect(isStopped).toBe(true);
  },
);

test('is chosen by the language until somebody chooses', () => {
  expect(tableFormatOf(null, 'pt-BR')).toBe('semicolon');
  expect(tableFormatOf(null, 'en')).toBe('comma');
  expect(tableFormatOf('xlsx', 'pt-BR')).toBe('xlsx');
});
