import { clickhouseText, mappingRows, numberSet, querySet } from '#src/clickhouse/text.ts';
import { sql } from '#src/store/sql.ts';

describe('clickhouseText', () => {
  it('writes values as literals that nothing can leave', () => {
    const evil = `it's \\' or 1 -- \0`;
    expect(clickhouseText(sql`select ${evil}, ${[evil]}, ${-1}, ${true}`)).toBe(
      `select 'it\\'s \\\\\\' or 1 -- \\0', ['it\\'s \\\\\\' or 1 -- \\0'], (-1), 1`,
    );
  });

  it('refuses what has no literal', () => {
    for (const value of [null, Number.NaN, {}]) expect(() => clickhouseText(sql`select ${value}`)).toThrow(TypeError);
  });

  it('writes sets of numbers, also empty ones', () => {
    expect(clickhouseText(sql`page in ${numberSet([3, 1])} or page in ${numberSet([])}`)).toBe(
      'page in (3,1) or page in (-1)',
    );
    expect(() => numberSet([1.5])).toThrow(TypeError);
  });

  it('writes many numbers as a text', () => {
    const many = Array.from({ length: 1_001 }, (_, at) => at);
    expect(clickhouseText(querySet(many.slice(1)))).toMatch(/^\(1,2,.*,1000\)$/);
    expect(clickhouseText(querySet(many))).toMatch(
      /^\(select toInt64\(arrayJoin\(splitByChar\(',', materialize\('0,1,2,.*,1000'\)\)\)\)\)$/,
    );
    expect(clickhouseText(mappingRows([7, 8], [1, 2]))).toContain("materialize('1,2')");
    expect(() => querySet([...many, 1.5])).toThrow(TypeError);
  });
});
