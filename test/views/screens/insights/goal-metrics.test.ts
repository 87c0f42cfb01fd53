import type { OverviewGoal } from '#src/insights/contract.ts';
import { goalNumbers } from '#views/screens/insights/goal-metrics.ts';
import { conversionWords } from '#views/words/conversions.ts';

const goal: OverviewGoal = {
  ...{ id: 1, name: 'Orders', per: 'visitor', visits: null },
  conversions: { value: 7, previous: 21 },
  people: { value: 6, previous: 20 },
  conversionRate: { value: 0.1, previous: 0.2 },
  revenue: [{ currency: 'BRL', sum: { value: 70, previous: 300 }, count: 7 }],
  withoutAmount: { count: 0, samples: [] },
  series: { conversions: [3, null, 4], conversionRate: [0.1, null, 0.1] },
  comparisonSeries: { conversions: [1, 20], conversionRate: [0.2, 0.2] },
  revenueSeries: [{ currency: 'BRL', series: [30, null, 40], comparisonSeries: [10, 290] }],
};

it('says of how many conversions money is, on the side with more', () => {
  const [conversions, rate, revenue] = goalNumbers(goal, conversionWords.en);
  expect(revenue).toMatchObject({ kind: 'money BRL', events: [3, 20, 4], allEvents: 21 });
  for (const other of [conversions, rate]) expect(other).not.toHaveProperty('events');
});

it('says it without a comparison', () => {
  const alone: OverviewGoal = { ...goal, conversions: { value: 7, previous: null }, comparisonSeries: null };
  expect(goalNumbers(alone, conversionWords.en)[2]).toMatchObject({ events: [3, 0, 4], allEvents: 7 });
});
