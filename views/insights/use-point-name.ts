/** Title of the panel with the people behind a number. */
import { stepBefore } from '#src/columns/values.ts';
import type { Interval, TrendInterval } from '#src/insights/query/contract.ts';
import { hourName } from '#views/charts/HourGrid.tsx';
import { periodName } from '#views/charts/time-rule.ts';
import { valueText } from '#views/charts/values.ts';
import type { Today } from '#views/question/dates.ts';
import { datesText } from '#views/question/range-text.ts';
import { funnelWords } from '#views/words/funnel.ts';
import { hoursWords } from '#views/words/hours.ts';
import { insightWords } from '#views/words/insights.ts';
import { pathsWords } from '#views/words/paths.ts';
import { pointPeopleWords } from '#views/words/point-people.ts';
import { retentionWords } from '#views/words/retention.ts';
import { trendsWords } from '#views/words/trends.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { Insight } from './insight.ts';
import { eventName, eventsName, type GoalName } from './names.ts';
import type { AnswerFrame } from './point-query.ts';
import type { Point } from './points.ts';
import { useColumnName } from './retention/column-name.ts';
import { measureName, valueKindOf } from './trends/measures.ts';
import { useBreakdownText } from './trends/use-breakdown-text.ts';
import { useMeasuredGroups } from './use-group-measure.ts';
import { useValueText } from './use-value-text.ts';

export interface NamedPoint {
  insight: Insight;
  result: AnswerFrame;
  point: Point;
  goals: readonly GoalName[];
  now: Today;
}

/** Name of a point: what is counted, and of when or of which value. */
export function usePointName({ insight, result, point, goals, now }: NamedPoint): string {
  const shared = usePart(insightWords);
  const own = usePart(pointPeopleWords);
  const funnel = usePart(funnelWords);
  const retention = usePart(retentionWords);
  const paths = usePart(pathsWords);
  const hours = usePart(hoursWords);
  const { words, format } = useWords();
  const { own: asked } = insight;
  const textOfOne = useValueText(
    insight.kind !== 'trends' && 'breakdown' in insight.own ? insight.own.breakdown : undefined,
  );
  const textOfSeveral = useBreakdownText(insight.kind === 'trends' ? insight.own.breakdown : undefined);
  const textOf = insight.kind === 'trends' ? textOfSeveral : textOfOne;
  const { starts = [], range, timeZone } = result;
  const interval: TrendInterval = result.interval ?? result.period ?? 'day';
  /** Of kinds without minutes. */
  const period: Interval = interval === 'minute' ? 'hour' : interval;
  const columnName = useColumnName(period);
  const periodOf = (at: number) => periodName(at, { starts, to: range.to, interval, timeZone, words });
  const ofValue = (value: string | null | undefined) =>
    'breakdown' in asked && asked.breakdown !== undefined && value !== undefined ? [textOf(value)] : [];
  const stepOf = (name: string | null) => (name === null ? paths.more : eventName(name, shared));
  const timeText = (time: number | null): string => {
    const { widthSeconds, counts } = result.times ?? { widthSeconds: 1, counts: [] };
    const durationAt = (place: number) => format.duration(place * widthSeconds);
    return time === null
      ? funnel.longer(durationAt(counts.length))
      : funnel.timeRange(durationAt(time), durationAt(time + 1));
  };
  const parts = (): string[] => {
    switch (point.kind) {
      case 'trends': {
        const series = insight.kind === 'trends' ? insight.own.series[point.series] : undefined;
        const dates = datesText({ from: range.fromDate, to: range.toDate }, now, format);
        return [
          eventsName(series?.event ?? { event: null }, goals, shared),
          ...ofValue(point.value),
          ...(point.cell === undefined ? [] : [hourName({ day: point.cell.weekday, hour: point.cell.hour }, hours)]),
          point.interval === null ? dates : periodOf(point.interval),
        ];
      }
      case 'funnel': {
        const { steps = [], optionalSteps = [] } = insight.kind === 'funnel' ? insight.own : {};
        const at = point.dropped ? stepBefore(point.step, optionalSteps) : point.step;
        const step = steps[at - 1];
        const name = eventsName(step ?? { event: null }, goals, shared);
        return [
          point.dropped ? own.dropped(format.number(at), name) : own.reached(format.number(at), name),
          ...ofValue(point.value),
          ...(point.interval === undefined ? [] : [`${funnel.entryHead}: ${periodOf(point.interval)}`]),
          ...(point.time === undefined ? [] : [timeText(point.time)]),
        ];
      }
      case 'retention':
        return [
          `${retention.cohort[period]} ${periodOf(point.cohort)}`,
          ...(point.period === null
            ? []
            : [columnName(result.columns?.[point.period] ?? { from: point.period, to: point.period })]),
          ...ofValue(point.value),
        ];
      case 'paths': {
        const name = 'node' in point ? stepOf(point.node) : `${stepOf(point.from)} → ${stepOf(point.to)}`;
        return [name, paths.step(format.number(point.step))];
      }
      case 'lifecycle':
        return [retention.statuses[point.state], periodOf(point.interval)];
      case 'stickiness': {
        const orMore = insight.kind === 'stickiness' && insight.own.cumulative;
        return [`${retention.intervalHead[period]}: ${format.number(point.intervals)}${orMore ? '+' : ''}`];
      }
    }
  };
  return parts().join(', ');
}

/** The number itself, where it counts something else than people. */
export function usePointValue({ insight, point }: Pick<NamedPoint, 'insight' | 'point'>): (value: number) => string {
  const trends = usePart(trendsWords);
  const funnel = usePart(funnelWords);
  const paths = usePart(pathsWords);
  const { format } = useWords();
  const groupNames = useMeasuredGroups();
  return (value) => {
    if (insight.kind === 'trends' && point.kind === 'trends') {
      const series = insight.own.series[point.series] ?? { measure: 'events' };
      return `${measureName(series, trends, groupNames)}: ${valueText(value, valueKindOf(series.measure), format)}`;
    }
    return `${insight.kind === 'paths' ? paths.times : funnel.pers.visits}: ${format.number(value)}`;
  };
}
