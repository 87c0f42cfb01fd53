/** A goal while it is being written: plain texts, from a goal and to what is sent. Pure. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { takesOf } from '#src/columns/filters/operators.ts';
import { asSent, readable } from '#src/events/values.ts';
import type { Goal, GoalDraft, GoalKind, GoalRule, Matcher } from '#src/insights/goals/contract.ts';
import { isDateTime } from '#views/question/filters/address.ts';

export interface DraftCondition {
  key: number;
  name: string;
  operator: FilterCondition['operator'];
  value: string;
}

/** One way of an action; every field of all kinds, so that nothing written is lost. */
export interface DraftMatch {
  key: number;
  of: Matcher['of'];
  event: string;
  text: string;
  href: string;
  selector: string;
  page: string;
  conditions: DraftCondition[];
}

export interface Draft {
  name: string;
  kind: GoalKind;
  event: string;
  conditions: DraftCondition[];
  /** One to a line. */
  pages: string;
  ways: DraftMatch[];
  hasAmount: boolean;
  property: string;
  currencyProperty: string;
  currency: string;
}

/** New with each draft: fields are named by them, on the server as in the browser. */
let keys = 0;

export function newCondition(): DraftCondition {
  return { key: ++keys, name: '', operator: 'equals', value: '' };
}

export function newMatch(): DraftMatch {
  return { key: ++keys, of: 'element', event: '', text: '', href: '', selector: '', page: '', conditions: [] };
}

export function draftOf(goal: Goal | null): Draft {
  keys = 0;
  const empty: Draft = {
    name: goal?.name ?? '',
    kind: goal?.rule.kind ?? 'event',
    event: '',
    conditions: [],
    pages: '',
    ways: [newMatch()],
    hasAmount: false,
    property: 'revenue',
    currencyProperty: 'currency',
    currency: '',
  };
  if (goal === null) return empty;
  const { rule, amount } = goal;
  const worth =
    amount === null
      ? {}
      : {
          hasAmount: true,
          property: amount.property,
          currencyProperty: amount.currencyProperty ?? '',
          currency: amount.currency ?? '',
        };
  if (rule.kind === 'event') return { ...empty, ...worth, event: rule.event, conditions: conditionsOf(rule.filters) };
  if (rule.kind === 'page') return { ...empty, ...worth, pages: rule.pages.map(readable).join('\n') };
  return { ...empty, ...worth, ways: rule.any.map(wayOf) };
}

function wayOf(matcher: Matcher): DraftMatch {
  const texts = matcher.of === 'element' ? matcher : { text: null, href: null, selector: null };
  return {
    key: ++keys,
    of: matcher.of,
    event: matcher.of === 'event' ? matcher.event : '',
    text: texts.text ?? '',
    href: texts.href ?? '',
    selector: texts.selector ?? '',
    page: readable(matcher.page ?? ''),
    conditions: conditionsOf(matcher.filters),
  };
}

function conditionsOf({ of }: Filters): DraftCondition[] {
  const leaves = of.flatMap((item) => ('of' in item ? item.of : [item]));
  return leaves.map(({ name, operator, values }) => ({ key: ++keys, name, operator, value: values.join(', ') }));
}

/** Names of the fields that are still missing. */
export function missingIn(draft: Draft): string[] {
  const missing: string[] = draft.name.trim() === '' ? ['name'] : [];
  const conditions = (of: readonly DraftCondition[]) =>
    of.flatMap(({ key, name, operator, value }) => [
      ...(name.trim() === '' ? [`property ${key}`] : []),
      ...(takesOf(operator) !== 'nothing' && (value.trim() === '' || isUndated({ operator, value }))
        ? [`value ${key}`]
        : []),
    ]);
  if (draft.kind === 'event')
    missing.push(...(draft.event.trim() === '' ? ['event'] : []), ...conditions(draft.conditions));
  if (draft.kind === 'page' && pagesOf(draft).length === 0) missing.push('pages');
  if (draft.kind === 'action') {
    for (const way of draft.ways) {
      const { key, of, event, text, href, selector, page } = way;
      if (of === 'event' && event.trim() === '') missing.push(`event ${key}`);
      if (of === 'page' && page.trim() === '') missing.push(`page ${key}`);
      if (of === 'element' && `${text}${href}${selector}`.trim() === '') missing.push(`text ${key}`);
      missing.push(...conditions(way.conditions));
    }
  }
  if (draft.hasAmount && draft.property.trim() === '') missing.push('property');
  return missing;
}

/** Only a date makes sense, and there is none. */
function isUndated({ operator, value }: Pick<DraftCondition, 'operator' | 'value'>): boolean {
  return takesOf(operator) === 'date' && !isDateTime(value.trim());
}

/** The same condition, compared otherwise; what was written stays where it can be compared so. */
export function comparedBy({ value }: DraftCondition, operator: DraftCondition['operator']): Partial<DraftCondition> {
  return { operator, value: isUndated({ operator, value }) ? '' : value };
}

/** The rule as it is sent. @param draft one in which nothing is missing */
export function sentOf(draft: Draft): GoalDraft {
  const { hasAmount, property, currencyProperty, currency } = draft;
  return {
    rule: ruleOf(draft),
    amount: hasAmount
      ? { property, currencyProperty: orNull(currencyProperty), currency: orNull(currency)?.toUpperCase() ?? null }
      : null,
  };
}

function ruleOf(draft: Draft): GoalRule {
  if (draft.kind === 'page') return { kind: 'page', pages: pagesOf(draft) };
  if (draft.kind === 'event') return { kind: 'event', event: draft.event, filters: filtersOf(draft.conditions) };
  return {
    kind: 'action',
    any: draft.ways.map(({ of, event, text, href, selector, page: typed, conditions }): Matcher => {
      const page = orNull(asSent(typed));
      const filters = filtersOf(conditions);
      if (of === 'event') return { of, event, page, filters };
      if (of === 'page') return { of, page: page ?? '', filters };
      return { of, text: orNull(text), href: orNull(href), selector: orNull(selector), page, filters };
    }),
  };
}

function filtersOf(conditions: readonly DraftCondition[]): Filters {
  return {
    match: 'all',
    of: conditions.map(({ name, operator, value }) => ({
      about: 'event' as const,
      name: name.trim(),
      operator,
      values: takesOf(operator) === 'nothing' ? [] : [value.trim()],
    })),
  };
}

function pagesOf({ pages }: Draft): string[] {
  return pages
    .split('\n')
    .map((line) => asSent(line.trim()))
    .filter((line) => line !== '');
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
