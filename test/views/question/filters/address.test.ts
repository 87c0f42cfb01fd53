import { type FilterCondition, type Filters, filters as filtersSchema } from '#src/columns/contract.ts';
import { filterOperators, takesOf } from '#src/columns/filters/operators.ts';
import { filterSubjects, sessionFields } from '#src/columns/values.ts';
import fc from '#test/kit/fast-check.ts';
import { aliases, readFilters, writeFilters } from '#views/question/filters/address.ts';
import { addressOf, questionKey, readQuestion } from '#views/question/question.ts';

const read = (text: string) => readFilters(new URLSearchParams(text));
const questionOf = (text: string) => readQuestion(new URLSearchParams(text));

/** Signs with a meaning, and those that trip addresses up. */
const text = fc
  .array(fc.constantFrom(...'a:|\\;()./ &=+%#?é😀"\n', 'any(', 'page', 'event.', 'person.', 'group_0.', 'toString'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const name = text.filter((each) => each !== '');

const condition: fc.Arbitrary<FilterCondition> = fc
  .record({
    about: fc.constantFrom(...filterSubjects),
    name: fc.oneof(name, fc.constantFrom(...Object.keys(aliases), ...Object.values(aliases), ...sessionFields)),
    field: fc.constantFrom(...sessionFields),
    operator: fc.constantFrom(...filterOperators),
    texts: fc.array(text, { minLength: 1, maxLength: 4 }),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
    date: fc.constantFrom('2026-11-30', '2024-02-29T14:00', '2026-11-30T14:00:05.125Z', '2026-11-30 14:00-0300'),
  })
  .map(({ about, name, field, operator, texts, number, date }) => ({
    ...{ about, name: about === 'session' ? field : name, operator },
    values:
      takesOf(operator) === 'nothing'
        ? []
        : takesOf(operator) === 'number'
          ? [String(number)]
          : takesOf(operator) === 'date'
            ? [date]
            : takesOf(operator) === 'pattern'
              ? texts.slice(0, 1)
              : texts,
  }));

const filters: fc.Arbitrary<Filters> = fc.record({
  match: fc.constantFrom('all', 'any'),
  of: fc.array(
    fc.oneof(
      condition,
      fc.record({
        match: fc.constantFrom('all' as const, 'any' as const),
        of: fc.array(condition, { minLength: 1, maxLength: 3 }),
      }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
});

describe('filters in the address', () => {
  it('are read as they were written, with any content', () => {
    fc.assert(
      fc.property(filters, (given) => {
        const search = new URLSearchParams();
        writeFilters(search, given);
        expect(read(search.toString())).toEqual(given);
        const question = { ...questionOf(''), filters: given };
        const address = addressOf('/x', question);
        expect(questionOf(new URL(address, 'http://x').search)).toEqual(question);
      }),
      { numRuns: 1000 },
    );
  });

  it('are valid for the server, with any URL', () => {
    const piece = fc.oneof(text, fc.constantFrom(':', ':equals:', ':gt:', ':isSet', ':regex:', '12', '\0', 'channel'));
    const noise = fc.array(
      fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('')),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(noise, fc.string(), (items, match) => {
        const search = new URLSearchParams({ match });
        for (const item of items) search.append('filter', item);
        const found = readFilters(search);
        if (found !== null) expect(filtersSchema.safeParse(found)).toMatchObject({ success: true });
      }),
    );
  });

  it.each<[string, FilterCondition]>([
    ['page:equals:/pricing', { about: 'event', name: '$pathname', operator: 'equals', values: ['/pricing'] }],
    ['country:notEquals:BR%7CPT', { about: 'session', name: 'country', operator: 'notEquals', values: ['BR', 'PT'] }],
    ['channel:equals:Email', { about: 'session', name: 'channel', operator: 'equals', values: ['Email'] }],
    ['seconds:gt:60', { about: 'session', name: 'seconds', operator: 'gt', values: ['60'] }],
    ['person.plan:isSet', { about: 'person', name: 'plan', operator: 'isSet', values: [] }],
    [
      'trial:onOrBefore:2026-11-30T14:00',
      { about: 'event', name: 'trial', operator: 'onOrBefore', values: ['2026-11-30T14:00'] },
    ],
    ['plan:contains:pro', { about: 'event', name: 'plan', operator: 'contains', values: ['pro'] }],
    ['$feature/new:equals:true', { about: 'event', name: '$feature/new', operator: 'equals', values: ['true'] }],
    ['event.page:equals:2', { about: 'event', name: 'page', operator: 'equals', values: ['2'] }],
    [
      'url:equals:https://a.example/b',
      { about: 'event', name: 'url', operator: 'equals', values: ['https://a.example/b'] },
    ],
    ['page:equals:', { about: 'event', name: '$pathname', operator: 'equals', values: [''] }],
  ])('%s can be read', (given, wanted) => {
    expect(read(`filter=${given}`)).toEqual({ match: 'all', of: [wanted] });
    expect(addressOf('/x', questionOf(`filter=${given}`))).toBe(`/x?filter=${given}`);
  });

  it('of old links have the former names of operators and fields', () => {
    const old =
      'filter=page:is:/&filter=system:is:iOS&filter=country:isNot:BR&filter=plan:matchesNot:a&filter=any(seats:above:1;seats:below:9)';
    const present =
      'filter=page:equals:/&filter=os:equals:iOS&filter=country:notEquals:BR&filter=plan:notRegex:a&filter=any%28seats:gt:1%3Bseats:lt:9%29';
    expect(addressOf('/x', questionOf(old))).toBe(`/x?${present}`);
  });

  it('has OR, and lists within the list', () => {
    expect(read('match=any&filter=page:equals:/a&filter=all(country:equals:BR;channel:equals:Email)')).toEqual({
      match: 'any',
      of: [
        { about: 'event', name: '$pathname', operator: 'equals', values: ['/a'] },
        {
          match: 'all',
          of: [
            { about: 'session', name: 'country', operator: 'equals', values: ['BR'] },
            { about: 'session', name: 'channel', operator: 'equals', values: ['Email'] },
          ],
        },
      ],
    });
  });

  it.each([
    '',
    'page',
    'page:',
    'page:like:/a',
    'page:toString:/a',
    'page:is',
    ':equals:a',
    'page:regex:a|b',
    'page:isSet:a',
    'seconds:gt:',
    'seconds:gt:long',
    'trial:before:',
    'trial:after:tomorrow',
    'trial:onOrAfter:2026-02-29',
    'trial:onOrBefore:2026-11-30T25:00',
    'trial:before:9999-01-01',
    'any()',
    'any(page;;any(page:isSet))',
    `page:equals:${'a'.repeat(1001)}`,
    `${'a'.repeat(401)}:isSet`,
    `page:equals:${Array.from({ length: 201 }, String).join('|')}`,
    'page:equals:%00',
  ])('%s makes no sense', (given) => {
    expect(read(`match=any&filter=${given}`)).toBeNull();
    expect(read(`filter=${given}&filter=page:equals:/a`)?.of).toHaveLength(1);
  });

  it('belongs to what a server has to answer', () => {
    expect(questionKey(questionOf('filter=page:equals:/a'))).not.toBe(questionKey(questionOf('')));
    expect(questionKey(questionOf('filter=page:equals:/a'))).not.toBe(
      questionKey(questionOf('match=any&filter=page:equals:/a')),
    );
  });
});
