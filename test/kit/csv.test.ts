import { csvLine } from '#src/kit/csv.ts';

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
