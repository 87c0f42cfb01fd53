/** Visitors by weekday and hour, and web vitals, as parts of a mail. Pure. */
import type { HeatmapResult } from '#src/insights/kinds/heatmap/contract.ts';
import type { Vitals } from '#src/insights/kinds/vitals/contract.ts';
import { vitalNames } from '#src/insights/kinds/vitals/values.ts';
import { vitalText } from '#views/question/vital-text.ts';
import type { ReportTexts } from './report-words.ts';
import { type BarRow, GRID_STEPS, type GridRow, type Section } from './sections.ts';

/** Hours that are named below the grid. */
const BUSIEST = 3;

export function hoursGrid(data: HeatmapResult, texts: ReportTexts): Section {
  const { format, hours: own, words } = texts;
  const counts = data.visitors.flat();
  const most = Math.max(...counts);
  if (most === 0) return { kind: 'table', title: own.title, rows: [], note: own.empty };
  const days = Array.from({ length: 7 }, (_, at) => (at + data.weekStart) % 7);
  const rows = days.map((day): GridRow => {
    const cells = (data.visitors[day] ?? []).map((count, hour) =>
      (data.datesByHour[day]?.[hour] ?? 0) === 0 ? null : Math.ceil((count / most) * GRID_STEPS),
    );
    return { label: words.writing.weekdays[day] ?? '', cells };
  });
  const busiest = days
    .flatMap((day) => (data.visitors[day] ?? []).map((count, hour) => ({ day, hour, count })))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, BUSIEST)
    .filter(({ count }) => count > 0)
    .map(({ day, hour, count }) => {
      const name = own.hour(own.days[day] ?? '', clock(hour), clock((hour + 1) % 24));
      return `${name}: ${own.visitors(count, format.number(count))}`;
    });
  const notes = [...busiest, own.zone(format.zone(data.range.from, data.timeZone))];
  return { kind: 'grid', title: own.title, labels: Array.from({ length: 24 }, (_, hour) => String(hour)), rows, notes };
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Values at the 75th percentile, with their ratings. */
export function vitalsTable({ vitals }: Vitals, { format, vitals: own }: ReportTexts): Section {
  const rows = vitalNames
    .filter((name) => vitals[name].samples > 0)
    .map((name): BarRow => {
      const { value, rating } = vitals[name];
      const side = rating === null ? '' : own.rating[rating];
      return { name: own.vitals[name], value: vitalText(name, value, format), side, moved: null, bar: null };
    });
  return { kind: 'table', title: own.title, rows, note: rows.length === 0 ? own.empty : own.percentiles[75] };
}
