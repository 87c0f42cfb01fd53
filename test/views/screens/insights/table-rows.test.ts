import { type BreakdownRow, matching, sorted } from '#views/screens/insights/table-rows.ts';

const rows: BreakdownRow[] = [
  ['/b', 5, 100, 90],
  ['/C', 50, 60, 80],
  ['/a', 20, 10, 0],
];
const values = (list: readonly BreakdownRow[]): string[] => list.map(([value]) => value);

describe('table rows', () => {
  it.each([
    ['count', ['/b', '/C', '/a']],
    ['visitors', ['/C', '/a', '/b']],
    ['value', ['/C', '/a', '/b']],
    ['change', ['/b', '/a', '/C']],
  ] as const)('sorted by %s', (column, wanted) => {
    expect(values(sorted(rows, column))).toEqual(wanted);
    expect(values(rows)).toEqual(['/b', '/C', '/a']);
  });

  it('found without regard to case', () => {
    expect(values(matching(rows, ' c'))).toEqual(['/C']);
    expect(matching(rows, '')).toBe(rows);
    expect(values(matching(rows, 'nothing'))).toEqual([]);
  });
});
