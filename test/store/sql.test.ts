import { sql } from '#src/store/sql.ts';

describe('sql', () => {
  const inRange = (from: number, to: number) => sql`ts >= ${from} and ts < ${to}`;

  it.each([
    ['no value', sql`select 1`, 'select 1', []],
    ['one value', sql`select ${5}`, 'select $1', [5]],
    ['null', sql`select ${null}::int`, 'select $1::int', [null]],
    [
      'a fragment in the middle',
      sql`where a = ${1} and ${inRange(2, 3)} and b = ${4}`,
      'where a = $1 and ts >= $2 and ts < $3 and b = $4',
      [1, 2, 3, 4],
    ],
    ['a fragment without values', sql`select ${sql`now`} as x, ${1}`, 'select now as x, $1', [1]],
    ['a fragment of a fragment', sql`${sql`(${sql`${1}`})`}${sql`${2}`}`, '($1)$2', [1, 2]],
    ['an identifier', sql`select ${sql.id('e.weird"name')}`, 'select "e"."weird""name"', []],
    ['a list of values', sql`in (${sql.join([1, 'b', null])})`, 'in ($1, $2, $3)', [1, 'b', null]],
    ['a list of conditions', sql.join([sql`a = ${1}`, sql`b`], sql` and `), 'a = $1 and b', [1]],
    ['json', sql`select ${sql.json([1])}`, 'select $1::jsonb', ['[1]']],
    ['nothing', sql`select 1${sql.empty}`, 'select 1', []],
    ['an array as one value', sql`any(${[1, 2]})`, 'any($1)', [[1, 2]]],
  ] as const)('binds %s', (_, fragment, text, values) => {
    expect(fragment.toPg()).toEqual({ text, values });
  });

  it('escapes the question marks of jsonb operators for knex', () => {
    expect(sql`properties ? ${'plan'} and a ?| b`.toKnex()).toEqual({
      text: 'properties \\? ? and a \\?| b',
      values: ['plan'],
    });
  });

  it('refuses undefined and empty lists', () => {
    expect(() => sql`select ${undefined}`).toThrow('value 1 is undefined');
    expect(() => sql.join([])).toThrow('nothing to join');
  });
});
