import { clickhouseText, numberSet } from '#src/clickhouse/text.ts';
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
});
