import type { Filters } from '#src/columns/contract.ts';
import { type Goal, type GoalRule, goalDraft } from '#src/insights/goals/contract.ts';
import { comparedBy, type Draft, draftOf, missingIn, newCondition, newMatch, sentOf } from '#views/goal/goal-draft.ts';

const none: Filters = { match: 'all', of: [] };
const isPro: Filters = { match: 'all', of: [{ about: 'event', name: 'plan', operator: 'equals', values: ['pro'] }] };
const inTime: Filters = {
  match: 'all',
  of: ['2026-11-30', '2026-11-30T14:00:05.1257', '2026-11-30 14:00-0300'].map((date) => ({
    ...{ about: 'event', name: 'ends', operator: 'before', values: [date] },
  })),
};
const isThere: Filters = { match: 'all', of: [{ about: 'event', name: 'plan', operator: 'isSet', values: [] }] };

function goal(rule: GoalRule, amount: Goal['amount'] = null): Goal {
  return { id: 1, name: 'Goal', rule, amount, createdAt: 0, changedAt: 0 };
}

it.each<[string, Goal]>([
  ['an event', goal({ kind: 'event', event: 'paid', filters: none })],
  ['an event with conditions', goal({ kind: 'event', event: 'paid', filters: isPro })],
  ['an event with times', goal({ kind: 'event', event: 'paid', filters: inTime })],
  ['an event with something there', goal({ kind: 'event', event: 'paid', filters: isThere })],
  ['pages', goal({ kind: 'page', pages: ['/a', '/b/*'] })],
  [
    'an action',
    goal({
      kind: 'action',
      any: [
        { of: 'event', event: 'paid', page: null, filters: isPro },
        { of: 'page', page: '/a', filters: none },
        { of: 'element', text: 'Buy', href: null, selector: 'button.cta', page: '/cart', filters: none },
      ],
    }),
  ],
  [
    'an amount',
    goal(
      { kind: 'event', event: 'paid', filters: none },
      { property: 'total', currencyProperty: null, currency: 'BRL' },
    ),
  ],
])('%s is sent as it was', (_, stored) => {
  const draft = draftOf(stored);
  expect(missingIn(draft)).toEqual([]);
  expect(sentOf(draft)).toEqual({ rule: stored.rule, amount: stored.amount });
  expect(goalDraft.parse(sentOf(draft))).toEqual(sentOf(draft));
});

it('says what is missing', () => {
  const draft = draftOf(null);
  const missing = (over: Partial<Draft>) => missingIn({ ...draft, name: 'Goal', ...over });
  expect(missingIn(draft)).toEqual(['name', 'event']);
  expect(missing({ kind: 'page', pages: ' \n ' })).toEqual(['pages']);
  const condition = newCondition();
  expect(missing({ event: 'paid', conditions: [condition] })).toEqual([
    `property ${condition.key}`,
    `value ${condition.key}`,
  ]);
  expect(missing({ event: 'paid', conditions: [{ ...condition, name: 'plan', operator: 'isSet' }] })).toEqual([]);
  const way = newMatch();
  expect(missing({ kind: 'action', ways: [way] })).toEqual([`text ${way.key}`]);
  expect(missing({ kind: 'action', ways: [{ ...way, of: 'event' }] })).toEqual([`event ${way.key}`]);
  expect(missing({ kind: 'action', ways: [{ ...way, of: 'page' }] })).toEqual([`page ${way.key}`]);
  expect(missing({ kind: 'action', ways: [{ ...way, href: '/cart*' }] })).toEqual([]);
  expect(missing({ event: 'paid', hasAmount: true, property: ' ' })).toEqual(['property']);
});

it('wants a date where dates are compared', () => {
  const condition = { ...newCondition(), name: 'trial_ends', operator: 'before' as const };
  const place = `value ${condition.key}`;
  const found = (value: string) => {
    return missingIn({ ...draftOf(null), name: 'Goal', event: 'paid', conditions: [{ ...condition, value }] });
  };
  for (const none of ['', 'tomorrow', '2026-02-29', 'T14:00']) expect(found(none)).toEqual([place]);
  for (const date of ['2026-11-30', '2026-11-30T14:00', '2026-11-30T14:00Z']) expect(found(date)).toEqual([]);
  const way = { ...newMatch(), href: '/cart*', conditions: [{ ...condition, value: 'tomorrow' }] };
  expect(missingIn({ ...draftOf(null), name: 'Goal', kind: 'action', ways: [way] })).toEqual([place]);
  expect(comparedBy({ ...condition, operator: 'equals', value: 'pro' }, 'after')).toEqual({
    operator: 'after',
    value: '',
  });
  const kept = { operator: 'contains', value: '2026-11-30' };
  expect(comparedBy({ ...condition, value: '2026-11-30' }, 'contains')).toEqual(kept);
});

it('reads letters in paths, and sends what browsers send', () => {
  const drafted = draftOf(goal({ kind: 'page', pages: ['/busca/caf%C3%A9', '/a%20b*'] }));
  expect(drafted.pages).toBe('/busca/café\n/a%20b*');
  expect(sentOf(drafted).rule).toEqual({ kind: 'page', pages: ['/busca/caf%C3%A9', '/a%20b*'] });
  const way = { ...newMatch(), of: 'page' as const, page: ' /pão* ' };
  const rule = { kind: 'action', any: [{ of: 'page', page: '/p%C3%A3o*', filters: none }] };
  expect(sentOf({ ...draftOf(null), kind: 'action', ways: [way] }).rule).toEqual(rule);
});

it('takes pages line by line, and a currency in capitals', () => {
  const draft = { ...draftOf(null), kind: 'page' as const, pages: ' /a \n\n/b*\n', hasAmount: true, currency: ' brl ' };
  expect(sentOf(draft)).toEqual({
    rule: { kind: 'page', pages: ['/a', '/b*'] },
    amount: { property: 'revenue', currencyProperty: 'currency', currency: 'BRL' },
  });
});
