import { isLeftOut } from '#views/question/filters/left-out.ts';
import { readQuestion } from '#views/question/question.ts';

describe('isLeftOut', () => {
  const many = (count: number, text: string): string => Array.from({ length: count }, () => text).join('&');
  it.each([
    ['', false],
    ['range=nonsense&sort=nonsense', false],
    ['filter=page:equals:/', false],
    ['filter=page:equals:/|/shop&filter=any(country:equals:BR;country:equals:PT)&match=any', false],
    ['who=did:last_7_days:1:order&who=first:last_7_days', false],
    ['segment=7', false],
    ['filter=', false],
    [many(20, 'filter=page:equals:/'), false],
    [many(21, 'filter=page:equals:/'), true],
    ['filter=garbage', true],
    ['filter=country:equals:BR&filter=page:regex:^/(a|b)', true],
    ['filter=country:equals:BR&filter=page:regex:^/(a\\|b)', false],
    ['filter=any(country:equals:BR;garbage)', true],
    ['filter=any()', true],
    ['who=garbage', true],
    ['who=did:last_7_days:1:order;garbage', true],
    ['segment=garbage', true],
  ])('%j: %j', (text, wanted) => {
    expect(isLeftOut(readQuestion(new URLSearchParams(text)))).toBe(wanted);
  });
});
