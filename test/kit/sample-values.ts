/** The sample shop's weekdays by hours, and its web vitals. */
import { type Hours, type HoursInput, hoursInput } from '#src/insights/hours/contract.ts';
import { resolveRange } from '#src/insights/ranges.ts';
import { type Vital, type Vitals, type VitalsInput, vitalNames, vitalsInput } from '#src/insights/vitals/contract.ts';
import { zoneOf } from '#src/insights/zone.ts';
import { projectProcedure } from '#src/trpc/procedure.ts';

const days = [0, 1, 2, 3, 4, 5, 6];

/** @param shop its zone and the moment of the sample */
export function valueProcedures({ timeZone, now }: { timeZone: string; now: number }) {
  const rangeOf = ({ range }: HoursInput | VitalsInput) =>
    resolveRange(range, { zone: zoneOf(timeZone), weekStart: 1, now, firstEvent: now }).range;
  return {
    hours: projectProcedure.input(hoursInput).query(({ input }): Hours => {
      const table = (factor: number) =>
        days.map((day) =>
          Array.from({ length: 24 }, (_, hour) =>
            Math.round(factor * (day % 6 === 0 ? 40 : 60) * Math.max(0, Math.sin(((hour - 5) / 19) * Math.PI))),
          ),
        );
      return {
        ...{ timeZone, weekStart: 1, range: rangeOf(input), visitors: table(1), views: table(2.6) },
        dates: days.map(() => 4),
      };
    }),
    vitals: projectProcedure.input(vitalsInput).query(({ input }): Vitals => {
      const vital = (p75: number, samples: number): Vital => ({
        ...{ p75, samples, good: Math.round(samples * 0.8), poor: Math.round(samples * 0.05), rating: 'good' },
      });
      const all = {
        LCP: vital(1_912, 4_120),
        INP: vital(96, 3_980),
        CLS: vital(0.061, 4_120),
        FCP: vital(1_204, 4_120),
      };
      return {
        range: rangeOf(input),
        vitals: Object.fromEntries(vitalNames.map((name) => [name, all[name]])) as Vitals['vitals'],
        pages: [
          { page: '/', ...all[input.vital] },
          { page: '/produtos', ...vital(2_204, 310) },
          { page: '/sobre', ...vital(900, 4) },
        ],
        others: { pages: 12, samples: 840 },
      };
    }),
  };
}
