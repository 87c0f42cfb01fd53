import { csvLine } from '#src/kit/csv.ts';
import fc from '#test/kit/fast-check.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+55', "'+55"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=a,"b"', '"\'=a,""b"""'],
  ['plain', 'plain'],
  ['', ''],
])('writes %j as %j', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`);
});

test('leaves numbers numbers, and nothing empty', () => {
  expect(csvLine([-12.5, 0, true, null, 'x'])).toBe('-12.5,0,true,,x\r\n');
});

/** Everything that Unicode has as a blank or hides, and line ends. */
const blanks = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((character) =>
  /[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(character),
);

test('puts an apostrophe in front of every formula, whatever stands before its sign', () => {
  const blank = fc.array(fc.constantFrom(...blanks), { maxLength: 4 }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      blank,
      fc.constantFrom(...'=+-@＝＋－＠﹦﹢﹣﹫'),
      fc.string({ unit: 'grapheme' }),
      (before, sign, after) => {
        const line = csvLine([`${before}${sign}${after}`, 'next']);
        expect(line).toMatch(/^"?'/);
      },
    ),
    { numRuns: 500 },
  );
});

test('leaves other texts as they are', () => {
  for (const text of ['', ' a = b', '1-1', 'a@b.c', ' ', 'ação', "'", '–', '→']) {
    expect(csvLine([text])).toBe(`${text}\r\n`);
  }
});
