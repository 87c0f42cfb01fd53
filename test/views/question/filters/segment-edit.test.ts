import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import type { Segment } from '#src/insights/segments/contract.ts';
import { withinBoth } from '#src/insights/segments/segments.ts';
import fc from '#test/kit/fast-check.ts';
import { withAdded, withoutCondition } from '#views/question/filters/change.ts';
import { openSegment } from '#views/question/filters/segment-edit.ts';
import { addressOf, type Question, readQuestion } from '#views/question/question.ts';

const plain = readQuestion(new URLSearchParams());
const is = (name: string, value: string): FilterCondition => ({
  about: 'event',
  name,
  operator: 'equals',
  values: [value],
});
const segmentOf = (filters: Filters, more: Partial<Segment> = {}): Segment => ({
  id: 7,
  name: 'Brazil',
  shared: true,
  filters,
  isMine: true,
  ...more,
});
const brazil = segmentOf({ match: 'all', of: [is('country', 'BR')] });
const asked = (question: Partial<Question>): Question => ({ ...plain, ...question });

/** Which of the values of a and b a filter takes. */
function taken(filters: Filters | null, values: Record<string, string>): boolean {
  const fits = (item: Filters['of'][number] | Filters): boolean =>
    'of' in item
      ? item.of[item.match === 'all' ? 'every' : 'some']((each) => fits(each))
      : item.values.includes(values[item.name] ?? '');
  return filters === null || filters.of.length === 0 || fits(filters);
}

describe('a segment that is open', () => {
  it('is not changed until something is, and then says what', () => {
    const chosen = openSegment(asked({ segment: 7 }), [brazil]);
    expect(chosen).toMatchObject({ isChanged: false, question: { segment: null, edited: 7, filters: brazil.filters } });
    const added = withAdded(chosen?.question as Question, is('host', 'loja.example'));
    const open = openSegment(added, [brazil]);
    expect(open?.isChanged).toBe(true);
    expect(added.filters?.of.map((item) => open?.isNew(item))).toEqual([false, true]);
    // What is beside the segment is a change of it, too.
    expect(
      openSegment(asked({ segment: 7, filters: { match: 'all', of: [is('host', 'x')] } }), [brazil]),
    ).toMatchObject({
      isChanged: true,
      question: { filters: { match: 'all', of: [is('country', 'BR'), is('host', 'x')] } },
    });
    // Taken back by hand, it is as it was.
    expect(openSegment(withoutCondition(added, 1), [brazil])?.isChanged).toBe(false);
  });

  it('is none where it is gone, or where an address cannot say it', () => {
    expect(openSegment(asked({ segment: 8 }), [brazil])).toBeNull();
    expect(openSegment(asked({ edited: 8 }), [brazil])).toBeNull();
    const listed = segmentOf(brazil.filters, {
      people: { match: 'all', of: [{ listed: { distinctIds: ['a'], persons: [] } }] },
    });
    expect(openSegment(asked({ segment: 7 }), [listed])).toBeNull();
  });

  it('means what the segment and the filters beside it mean together, in an address as well', () => {
    const condition = fc
      .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'))
      .map(([name, value]) => is(name, value));
    const list = fc.record({
      match: fc.constantFrom('all' as const, 'any' as const),
      of: fc.array(condition, { minLength: 2, maxLength: 3 }),
    });
    const filters = fc.record({
      match: fc.constantFrom('all' as const, 'any' as const),
      of: fc.array(fc.oneof({ weight: 3, arbitrary: condition }, list), { minLength: 1, maxLength: 3 }),
    });
    let opened = 0;
    fc.assert(
      fc.property(filters, fc.option(filters), (own, beside) => {
        const segment = segmentOf(own);
        const open = openSegment(asked({ segment: 7, filters: beside }), [segment]);
        if (open === null) return;
        opened++;
        const both = withinBoth(segment, { filters: beside ?? undefined }).filters ?? null;
        const read = readQuestion(new URL(addressOf('/', open.question), 'http://x').searchParams);
        for (const a of ['1', '2', '3']) {
          for (const b of ['1', '2', '3']) expect(taken(read.filters, { a, b })).toBe(taken(both, { a, b }));
        }
        expect(read.edited).toBe(7);
        if (beside === null) expect(openSegment(read, [segment])?.isChanged).toBe(false);
      }),
      { numRuns: 300 },
    );
    expect(opened).toBeGreaterThan(200);
  });
});
