/** The sample shop's weekdays by hours, its web vitals and goals, and how its numbers are counted. */
import type { GoalFigures, GoalFiguresInput } from '#src/insights/contract.ts';
import { type Explanation, explainInput, type ScreenExplanation } from '#src/insights/explain/contract.ts';
import type { Goal } from '#src/insights/goals/contract.ts';
import { type HeatmapInput, type HeatmapResult, heatmapInput } from '#src/insights/kinds/heatmap/contract.ts';
import {
  type Vital,
  type Vitals,
  type VitalsInput,
  vitalNames,
  vitalsInput,
} from '#src/insights/kinds/vitals/contract.ts';
import { resolveRange } from '#src/insights/query/ranges.ts';
import { type UnknownEvent, unknownEventsInput } from '#src/insights/unknown-events/contract.ts';
import { zoneOf } from '#src/kit/zone.ts';
import { projectProcedure, publicProcedure } from '#src/trpc/procedure.ts';

const days = [0, 1, 2, 3, 4, 5, 6];

/** One of each kind. */
export const sampleGoals: Goal[] = [
  {
    ...{ id: 1, name: 'Pedido', createdAt: 0, changedAt: 0 },
    rule: { kind: 'event', event: 'pedido_concluido', filters: { match: 'all', of: [] } },
    amount: { property: 'valor', currencyProperty: null, currency: 'BRL' },
  },
  {
    ...{ id: 2, name: 'Viu a assinatura', createdAt: 0, changedAt: 0, amount: null },
    rule: { kind: 'page', pages: ['/assinatura*'] },
  },
];

export function goalFiguresOf({ compare, per = 'visitor' }: Pick<GoalFiguresInput, 'compare' | 'per'>): GoalFigures {
  const range = { from: 0, to: 1, fromDate: '2026-11-01', toDate: '2026-11-20', until: null };
  const value = (now: number) => ({ value: now, previous: compare === 'none' ? null : now * 0.9 });
  return {
    ...{ range, comparison: compare === 'none' ? null : range, per, visitors: value(18_400) },
    visits: per === 'visit' ? value(24_100) : null,
    goals: sampleGoals.map(({ id, name, rule, amount }) => ({
      ...{ id, name, kind: rule.kind, conversions: value(900 / id), people: value(700 / id) },
      visits: per === 'visit' ? value(750 / id) : null,
      conversionRate: { ...value(0.038 / id), parts: { numerator: 700 / id, denominator: 18_400 } },
      revenue: amount === null ? [] : [{ currency: 'BRL', sum: value(70_312.4), count: 880 }],
      withoutAmount: amount === null ? null : { count: 20, samples: [{ text: 'free', count: 20 }] },
    })),
  };
}

/** @param shop its zone and the moment of the sample */
export function valueProcedures({ timeZone, now }: { timeZone: string; now: number }) {
  const rangeOf = ({ range }: HeatmapInput | VitalsInput) =>
    resolveRange(range, { zone: zoneOf(timeZone), weekStart: 1, now, firstEvent: now }).range;
  return {
    explain: projectProcedure.input(explainInput).query(
      ({ input: { of, per = 'visitor', filters, compare } }): Explanation => ({
        ...{
          of,
          per,
          bounceSeconds: 10,
          sql: 'select count(*) as value\nfrom events;',
          events: of === 'views' ? ['$pageview', '$screen'] : null,
        },
        sqlBefore: compare === undefined || compare === 'none' ? null : 'select count(*) as value\nfrom events;',
        excluded: { of: 'views', bots: 1_204, internal: 12, filters: filters ? 40 : null, withoutVisit: null },
        elsewhere: [
          { product: 'plausible', value: of === 'bounceRate' ? 0.521 : 40_120 },
          { product: 'ga4', value: of === 'bounceRate' ? 0.384 : null },
        ],
        caveats: [],
      }),
    ),
    explainHome: publicProcedure.query(
      (): ScreenExplanation<'home'> => ({
        at: now,
        parts: [{ of: 'week', sql: 'select 1 as visitors;' }],
        left: [{ what: 'botViews', count: 1 }],
        elsewhere: [],
      }),
    ),
    unknownEvents: projectProcedure.input(unknownEventsInput).query((): UnknownEvent[] => []),
    explainNow: projectProcedure.query(
      (): ScreenExplanation<'live'> => ({
        at: now,
        parts: [{ of: 'now', sql: 'select 1 as people;' }],
        left: [{ what: 'bots', count: 12 }],
        elsewhere: [{ product: 'ga4', value: 31 }],
      }),
    ),
    heatmap: projectProcedure.input(heatmapInput).query(({ input }): HeatmapResult => {
      const table = (factor: number) =>
        days.map((day) =>
          Array.from({ length: 24 }, (_, hour) =>
            Math.round(factor * (day % 6 === 0 ? 40 : 60) * Math.max(0, Math.sin(((hour - 5) / 19) * Math.PI))),
          ),
        );
      return {
        ...{ timeZone, weekStart: 1, range: rangeOf(input), visitors: table(1), views: table(2.6) },
        dates: days.map(() => 4),
        datesByHour: days.map(() => Array.from({ length: 24 }, () => 4)),
      };
    }),
    vitals: projectProcedure.input(vitalsInput).query(({ input }): Vitals => {
      const vital = (value: number, samples: number): Vital => ({
        ...{ value, samples, good: Math.round(samples * 0.8), poor: Math.round(samples * 0.05), rating: 'good' },
      });
      const all = {
        LCP: vital(1_912, 4_120),
        INP: vital(96, 3_980),
        CLS: vital(0.061, 4_120),
        FCP: vital(1_204, 4_120),
      };
      return {
        ...{ range: rangeOf(input), percentile: input.percentile },
        vitals: Object.fromEntries(vitalNames.map((name) => [name, all[name]])) as Vitals['vitals'],
        pages: [
          { page: '/', ...all[input.vital] },
          { page: '/produtos', ...vital(2_204, 310) },
          { page: '/sobre', ...vital(900, 4) },
        ],
        total: 15,
        other: { pages: 12, samples: 840 },
      };
    }),
  };
}
