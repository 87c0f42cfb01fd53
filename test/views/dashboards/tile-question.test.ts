/** An address of a dashboard differs from what is saved in every part that changes a number, and only what dashboards keep can be saved. */
import { canBeSaved, customPath, differs, isCustom, questionOf } from '#views/dashboards/tile-question.ts';

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
