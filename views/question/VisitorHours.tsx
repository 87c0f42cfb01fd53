/** Visitors by weekday and hour. */
import type { HeatmapResult } from '#src/insights/kinds/heatmap/contract.ts';
import { HourGrid, type HourOfWeek, hourOfWeek, isUneven } from '#views/charts/HourGrid.tsx';
import type { Format } from '#views/words/format.ts';
import { hoursWords } from '#views/words/hours.ts';
import { usePart, useWords } from '#views/words/words.tsx';

export function VisitorHours({ data }: { data: HeatmapResult }) {
  const { format } = useWords();
  const own = usePart(hoursWords);
  if (Math.max(...data.visitors.flat()) === 0) return <p className="dim">{own.empty}</p>;
  const running = hourOfWeek(data.range.until, data.timeZone);
  // Hours that are still to come, and weekdays that are not in the period, are not hours in which nobody came.
  const values = data.visitors.map((hours, day) =>
    hours.map((count, hour) => ((data.datesByHour[day]?.[hour] ?? 0) > 0 ? count : null)),
  );
  return (
    <HourGrid
      name={own.table}
      weekStart={data.weekStart}
      values={values}
      textOf={format.short}
      mostText={format.number}
      running={running}
      readOf={(place) => sentenceOf(data, place, running, own, format)}
      foot={`${own.what} ${isUneven(data.dates) ? own.uneven : ''}`}
      zone={format.zone(data.range.until ?? data.range.to, data.timeZone)}
    />
  );
}

/** "35 visitors, 80 page views, on 4 days". */
function sentenceOf(
  data: HeatmapResult,
  { day, hour }: HourOfWeek,
  now: HourOfWeek | null,
  own: (typeof hoursWords)['en'],
  format: Format,
): string {
  const count = (numbers: number[][]) => numbers[day]?.[hour] ?? 0;
  const [visitors, views, dates] = [count(data.visitors), count(data.views), count(data.datesByHour)];
  if (dates === 0) return own.notYet;
  const parts = [
    own.visitors(visitors, format.number(visitors)),
    own.views(views, format.number(views)),
    own.dates(dates, format.number(dates)),
    ...(now?.day === day && now.hour === hour ? [own.running] : []),
  ];
  return parts.join(', ');
}
