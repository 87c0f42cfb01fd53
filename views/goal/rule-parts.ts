/** Conditions of a goal as short texts. Pure. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { readable } from '#src/events/values.ts';
import type { GoalRule, Matcher } from '#src/insights/goals/contract.ts';
import { shownValues, wordOf } from '#views/question/filters/wording.ts';
import type { FilterWords } from '#views/words/filters.ts';
import type { goalWords } from '#views/words/goals.ts';
import type { Reading } from '#views/words/value-text.ts';

/** "Event equals order": `of` and `operator` are words, `value` is data. */
export interface RulePart {
  of: string;
  operator: string;
  value: string;
}

export interface RuleTexts {
  own: (typeof goalWords)['en'];
  filters: FilterWords;
  reading: Reading;
}

/** Ways of reaching the goal; of each, the conditions that hold together. */
export function partsOfRule(rule: GoalRule, texts: RuleTexts): RulePart[][] {
  if (rule.kind === 'page') return rule.pages.map((page) => [pagePart(page, texts)]);
  if (rule.kind === 'event') return [[eventPart(rule.event, texts), ...conditionParts(rule.filters, texts)]];
  return rule.any.map((matcher) => partsOfMatcher(matcher, texts));
}

function partsOfMatcher(matcher: Matcher, texts: RuleTexts): RulePart[] {
  const { own } = texts;
  const conditions = conditionParts(matcher.filters, texts);
  if (matcher.of === 'page') return [pagePart(matcher.page, texts), ...conditions];
  const onPage = matcher.page === null ? [] : [{ of: own.onPage, operator: '', value: readable(matcher.page) }];
  if (matcher.of === 'event') return [eventPart(matcher.event, texts), ...onPage, ...conditions];
  const clicked = [
    [own.elementText, matcher.text],
    [own.elementHref, matcher.href],
    [own.selector, matcher.selector],
  ] as const;
  return [
    { of: own.ways.element, operator: '', value: '' },
    ...clicked.flatMap(([of, value]) => (value === null ? [] : [{ of, operator: '', value }])),
    ...onPage,
    ...conditions,
  ];
}

function eventPart(event: string, { own, filters }: RuleTexts): RulePart {
  return { of: own.ways.event, operator: filters.operators.equals, value: event };
}

function pagePart(page: string, { own }: RuleTexts): RulePart {
  return { of: own.ways.page, operator: '', value: readable(page) };
}

function conditionParts({ of }: Filters, { filters, reading }: RuleTexts): RulePart[] {
  const leaves = of.flatMap((item): FilterCondition[] => ('of' in item ? item.of : [item]));
  return leaves.map((condition) => ({
    of: wordOf(condition, filters, reading.groups) ?? condition.name,
    operator: filters.operators[condition.operator],
    value: shownValues(condition, filters, reading),
  }));
}
