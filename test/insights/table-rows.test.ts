import type { Breakdown } from '#src/insights/contract.ts';
import { type BreakdownRow, figureOf, figuresOf, matching, sorted } from '#src/insights/kinds/breakdown/values.ts';

const rows: BreakdownRow[] = [
  ['/b', 5, 100, 90],
  ['/C', 50, 60, 80],
  ['/a', 20, 10, 0],
];
const values = (list: readonly BreakdownRow[]): string[] => list.map(([value]) => value);
const plain: Pick<Breakdown, 'cols'> = { cols: ['value', 'visitors', 'count', 'previous'] };

describe('table rows', () => {
  it.each([
    ['count', ['/b', '/C', '/a']],
    ['visitors', ['/C', '/a', '/b']],
    ['value', ['/C', '/a', '/b']],
    ['previous', ['/b', '/C', '/a']],
    ['change', ['/a', '/b', '/C']],
  ] as const)('sorted by %s', (column, wanted) => {
    const by = (reversed: boolean) => values(sorted(rows, { sort: column, reversed }, { cols: [...plain.cols] }));
    expect(by(false)).toEqual(wanted);
    expect(by(true)).toEqual(wanted.toReversed());
    expect(values(rows)).toEqual(['/b', '/C', '/a']);
  });

  it('found without regard to case, by what is sent and by what is read', () => {
    expect(values(matching(rows, ' c', plain))).toEqual(['/C']);
    expect(matching(rows, '', plain)).toBe(rows);
    expect(values(matching(rows, 'nothing', plain))).toEqual([]);
    expect(values(matching(rows, 'brazil', plain, (value) => (value === '/a' ? 'Brazil' : value)))).toEqual(['/a']);
  });
});

describe('figures of a table in full', () => {
  const pages = {
    cols: ['value', 'visitors', 'count', 'previous', 'entries', 'bounced', 'exits'] as const,
    rows: [
      ['/a', 9, 20, null, 8, 2, 5],
      ['/b', 9, 10, null, 0, 0, 1],
      ['/c', 9, 5, null, 4, 3, 0],
    ] satisfies [BreakdownRow, BreakdownRow, BreakdownRow],
  };
  const table = { cols: [...pages.cols] };

  it('of a page: bounces of the visits that were entered there, and ends by its views', () => {
    expect(figuresOf(table)).toEqual(['bounceRate', 'exitRate']);
    const [first, second] = pages.rows;
    expect(figureOf(table, first, 'bounceRate')).toEqual({ value: 0.25, parts: { numerator: 2, denominator: 8 } });
    expect(figureOf(table, first, 'exitRate').value).toBe(0.25);
    expect(figureOf(table, second, 'bounceRate')).toEqual({ value: null, parts: { numerator: 0, denominator: 0 } });
  });

  it('sorted, with what is not known last', () => {
    expect(values(sorted(pages.rows, { sort: 'bounceRate', reversed: false }, table))).toEqual(['/c', '/a', '/b']);
    expect(values(sorted(pages.rows, { sort: 'bounceRate', reversed: true }, table))).toEqual(['/a', '/c', '/b']);
    expect(values(sorted(pages.rows, { sort: 'exitRate', reversed: false }, table))).toEqual(['/a', '/b', '/c']);
    expect(values(sorted(pages.rows, { sort: 'duration', reversed: false }, table))).toEqual(['/a', '/b', '/c']);
  });

  it('of visits: by all of them', () => {
    const visits = { cols: ['value', 'visitors', 'count', 'previous', 'bounced', 'seconds'] as const };
    const row: BreakdownRow = ['BR', 3, 4, 2, 1, 50];
    expect(figuresOf({ cols: [...visits.cols] })).toEqual(['bounceRate', 'duration']);
    expect(figureOf({ cols: [...visits.cols] }, row, 'bounceRate').value).toBe(0.25);
    expect(figureOf({ cols: [...visits.cols] }, row, 'duration').value).toBe(12.5);
  });
});
