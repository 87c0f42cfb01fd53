/** An address of a dashboard differs from what is saved in every part that changes a number, and only what dashboards keep can be saved. */
import type { SavedInsight } from '#src/insights/saved/contract.ts';
import { readRefresh, withRefresh } from '#views/dashboards/refresh.ts';
import { canBeSaved, customPath, differs, insightIn, isCustom, questionOf } from '#views/dashboards/tile-question.ts';

const saved = { range: 'last_7_days' as const, compare: 'none' as const };
const searchOf = (more: string) =>
  new URL(`${customPath('/x')}&range=last_7_days&compare=none${more}`, 'http://here').searchParams;

it.each<[string, boolean, boolean]>([
  ['', false, true],
  ['&interval=week', false, true],
  ['&filter=page:equals:/a', true, true],
  ['&segment=3', true, false],
  ['&who=first:last_7_days', true, false],
  ['&internal=include', true, false],
])('%s', (more, isOther, isKept) => {
  const search = searchOf(more);
  const question = questionOf(search, saved);
  expect([isCustom(search), differs(question, saved), canBeSaved(question)]).toEqual([true, isOther, isKept]);
  expect(search.get('custom')).toBe('1');
});

it('is as saved for everyone without a part of its own', () => {
  const search = new URLSearchParams();
  expect(isCustom(search)).toBe(false);
  expect(differs(questionOf(search, saved), saved)).toBe(false);
});

it('says what it changes of an insight in a tile, and nothing of one that keeps its own', () => {
  const query = { range: 'last_90_days', compare: 'previous', series: [{ event: { event: '$pageview' } }] };
  const insight = { kind: 'trends', version: 1, query, display: {}, segment: null } as unknown as SavedInsight;
  const tile = { id: 'a', kind: 'insight', insight: 1, width: 6, height: 2 } as const;
  const question = questionOf(searchOf('&filter=page:equals:/a&segment=3'), saved);
  const nothing = { range: null, compare: null, filters: 0, people: false, segment: false, traffic: false };
  const { overrides } = insightIn(tile, insight, question);
  expect(overrides).toEqual({ ...nothing, range: 'last_7_days', compare: 'none', filters: 1, segment: true });
  expect(insightIn({ ...tile, own: true }, insight, question).overrides).toEqual(nothing);
  const same = {
    ...question,
    range: 'last_90_days' as const,
    compare: 'previous' as const,
    filters: null,
    segment: null,
  };
  expect(insightIn(tile, insight, same).overrides).toEqual(nothing);
});

it('is counted again as often as its address says', () => {
  const path = '/project/2/dashboards/1';
  expect([readRefresh(new URLSearchParams()), readRefresh(new URLSearchParams('refresh=7'))]).toEqual([1, 1]);
  const five = withRefresh(path, new URLSearchParams('custom=1'), 5);
  expect(five).toBe(`${path}?custom=1&refresh=5`);
  const search = new URL(five, 'http://here').searchParams;
  expect(readRefresh(search)).toBe(5);
  expect(withRefresh(path, search, 1)).toBe(`${path}?custom=1`);
  // Another range keeps it.
  expect(customPath(path, search)).toBe(`${path}?custom=1&refresh=5`);
});
