/** A goal's rule as the columns engine takes it: names of events, and conditions on their properties. Pure. */
import type { EventRule, PageCondition, Selection } from '#src/columns/columns.ts';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { takesOf } from '#src/columns/filters/operators.ts';
import { invalid } from '#src/kit/errors.ts';
import { wholePattern } from '#src/kit/patterns/values.ts';
import { viewNames } from '../query/scope.ts';
import type { Goal, GoalDraft, GoalRule, Matcher } from './contract.ts';
import { hrefPattern, selectorPattern, textPattern } from './patterns.ts';

/** @throws AppError `invalid` for a selector that is none */
export function selectionOf({ rule, amount }: GoalDraft): Selection {
  return { rules: rulesOf(rule), amount };
}

/** Events that reach any of the goals. */
export function selectedBy(goals: readonly Goal[]): Selection {
  return { rules: goals.flatMap((goal) => selectionOf(goal).rules), amount: null };
}

/** Events that are worth something by these goals, each with where they say how much. */
export function amountsOf(goals: readonly Goal[]): { rules: EventRule[]; amount: NonNullable<Goal['amount']> }[] {
  return goals.flatMap(({ rule, amount }) => (amount === null ? [] : [{ rules: rulesOf(rule), amount }]));
}

/** Patterns that people wrote themselves, in filters: only PostgreSQL knows whether they are. */
export function ownPatterns(rule: GoalRule): string[] {
  const filters = rulesOf(rule).flatMap((each) => each.filters);
  const conditions = filters.flatMap(({ of }) => of.flatMap((item) => ('match' in item ? item.of : [item])));
  return conditions.flatMap(({ operator, values }) => (takesOf(operator) === 'pattern' ? values.map(String) : []));
}

function rulesOf(rule: GoalRule): EventRule[] {
  switch (rule.kind) {
    case 'event':
      return [{ names: [rule.event], filters: [rule.filters] }];
    case 'page':
      return [{ names: viewNames, filters: [{ match: 'any', of: rule.pages.map(onPage) }] }];
    case 'action':
      return rule.any.map(ruleOf);
  }
}

function ruleOf(matcher: Matcher): EventRule {
  const page = matcher.page === null ? [] : [all(onPage(matcher.page))];
  switch (matcher.of) {
    case 'event':
      return { names: [matcher.event], filters: [...page, matcher.filters] };
    case 'page':
      return { names: viewNames, filters: [...page, matcher.filters] };
    case 'element':
      return { names: ['$autocapture'], filters: [...elementFilters(matcher), ...page, matcher.filters] };
  }
}

function elementFilters({ text, href, selector }: Extract<Matcher, { of: 'element' }>): Filters[] {
  const filters: Filters[] = [];
  if (text !== null) {
    const own = matches('$el_text', wholePattern(text));
    filters.push({ match: 'any', of: [matches('$elements_chain', textPattern(text)), own] });
  }
  if (href !== null) filters.push(all(matches('$elements_chain', hrefPattern(href))));
  if (selector !== null) {
    const pattern = selectorPattern(selector);
    if (pattern === null)
      throw invalid(
        'selector',
        `Unsupported selector "${selector}". Use tags, classes, IDs, attributes, spaces and >.`,
      );
    filters.push(all(matches('$elements_chain', pattern)));
  }
  return filters;
}

/** As the project reads pages: its rules are for patterns as well. */
function onPage(pattern: string): PageCondition {
  const name = pattern.includes('://') ? '$current_url' : '$pathname';
  return { ...matches(name, wholePattern(pattern)), page: pattern };
}

function matches(name: string, pattern: string): FilterCondition {
  return { about: 'event', name, operator: 'regex', values: [pattern] };
}

function all(condition: FilterCondition): Filters {
  return { match: 'all', of: [condition] };
}
