/** Chosen rows by weekday and hour: a grid for each. */
import { HourGrid, hourOfWeek, isUneven } from '#views/charts/HourGrid.tsx';
import { axisText, valueText } from '#views/charts/values.ts';
import { hoursWords } from '#views/words/hours.ts';
import { trendsWords } from '#views/words/trends.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from '../Answer.module.css';
import { useMeasuredGroups } from '../use-group-measure.ts';
import { measureName } from './measures.ts';
import type { PartProps } from './part-props.ts';
import type { TrendsRow } from './rows.ts';

export function WeeklyHeatmap(props: PartProps) {
  const { drawn, labelOf } = props;
  return drawn.map((row) => (
    <section key={row.key} aria-label={labelOf(row)}>
      <h3 className={css['drawingTitle']}>{labelOf(row)}</h3>
      <Grid {...props} row={row} />
    </section>
  ));
}

function Grid({ row, labelOf, result, insight, project, onPoint }: PartProps & { row: TrendsRow }) {
  const own = usePart(trendsWords);
  const hours = usePart(hoursWords);
  const { format } = useWords();
  const { range, timeZone, weeklyHeatmap } = result;
  const { kind, isFormula, series, value, cells } = row;
  const groupNames = useMeasuredGroups();
  const measure = isFormula
    ? labelOf(row)
    : measureName(insight.own.series[series] ?? { measure: 'events' }, own, groupNames);
  const running = hourOfWeek(range.until, timeZone);
  const readOf = ({ day, hour }: { day: number; hour: number }): string => {
    const dates = weeklyHeatmap?.datesByHour[day]?.[hour] ?? 0;
    if (dates === 0) return hours.notYet;
    const isRunning = running?.day === day && running.hour === hour;
    return [
      `${measure} ${valueText(cells?.[day]?.[hour] ?? null, kind, format)}`,
      hours.dates(dates, format.number(dates)),
      ...(isRunning ? [hours.running] : []),
    ].join(', ');
  };
  return (
    <HourGrid
      name={own.byHour(labelOf(row))}
      weekStart={project.weekStart}
      values={cells ?? []}
      textOf={(figure, most) => axisText(figure, kind, most, format)}
      mostText={(most) => valueText(most, kind, format)}
      running={running}
      readOf={readOf}
      foot={`${own.perHour(measure)} ${isUneven(weeklyHeatmap?.dates ?? []) ? hours.uneven : ''}`}
      zone={format.zone(range.until ?? range.to, timeZone)}
      onPress={
        onPoint && !isFormula
          ? ({ day, hour }) => {
              if ((cells?.[day]?.[hour] ?? 0) !== 0)
                onPoint({ kind: 'trends', series, value, interval: null, cell: { weekday: day, hour } });
            }
          : undefined
      }
    />
  );
}
