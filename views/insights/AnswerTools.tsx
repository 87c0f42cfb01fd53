/** Above a chart: its intervals, how it is drawn, how old the answer is, and its rows as a file. */
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ResolvedRange, TrendInterval } from '#src/insights/contract.ts';
import { intervals, MAX_MINUTES } from '#src/insights/query/values.ts';
import { Button, smallButtonClass } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './Answer.module.css';
import { Downloads } from './Downloads.tsx';
import type { ChartName } from './display.ts';
import type { Insight } from './insight.ts';
import { OutsideTile } from './tile.tsx';

export interface AnswerToolsProps {
  reference: string;
  insight: Insight;
  hrefOf(insight: Insight): string;
  /** Absent: it has no intervals to choose. */
  result: { timeZone: string; range: ResolvedRange; interval?: TrendInterval };
  withIntervals?: boolean;
  /** Intervals that can be chosen where they are short enough; absent: from hours. */
  intervals?: readonly TrendInterval[];
  charts: readonly ChartName[];
  /** The insight drawn as another chart; absent: it asks for the same. */
  withChart?: ((chart: ChartName) => Insight) | undefined;
  /** When the answer came, ms. */
  updatedAt: number;
  queryKey: readonly unknown[];
  /** Further choices of how it is drawn. */
  children?: ReactNode;
}

/** The server draws no more intervals than that, and no more minutes than `MAX_MINUTES`. */
const MAX_INTERVALS = 1000;
const lengths: Readonly<Record<TrendInterval, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_419_200_000,
};

export function AnswerTools(props: AnswerToolsProps) {
  return (
    <OutsideTile>
      <Tools {...props} />
    </OutsideTile>
  );
}

function Tools(props: AnswerToolsProps) {
  const { insight, hrefOf, result, withIntervals = true, charts } = props;
  const { words } = useWords();
  const { interval: current, range } = result;
  const offered = (props.intervals ?? intervals).filter((each) => {
    const most = each === 'minute' ? MAX_MINUTES : MAX_INTERVALS;
    return each === current || (range.to - range.from) / lengths[each] <= most;
  });
  return (
    <div className={`${css['tools']} no-print`} data-tools>
      {withIntervals && current !== undefined && (
        <Segmented
          label={words.interval.label}
          segments={offered.map((interval) => ({
            key: interval,
            label: words.interval[interval],
            href: hrefOf({ ...insight, question: { ...insight.question, interval } }),
            current: interval === current,
          }))}
        />
      )}
      {props.children}
      {charts.length > 1 && <ChartChoice {...props} />}
      <Downloads {...props} />
      <Age {...props} />
    </div>
  );
}

function ChartChoice({ insight, hrefOf, charts, withChart }: AnswerToolsProps) {
  const own = usePart(insightWords);
  const current = charts.find((chart) => chart === insight.display.chart) ?? charts[0];
  return (
    <Popover
      list
      label={own.chart}
      triggerClass={smallButtonClass}
      trigger={
        <>
          <span className="visually-hidden">{own.chart}: </span>
          {current && own.charts[current]}
          <Icon name="down" small />
        </>
      }
    >
      <ul>
        {charts.map((chart) => (
          <li key={chart}>
            <Link
              href={hrefOf(withChart?.(chart) ?? { ...insight, display: { ...insight.display, chart } })}
              className={optionClass(chart === current)}
              aria-current={chart === current ? 'true' : undefined}
            >
              {own.charts[chart]}
            </Link>
          </li>
        ))}
      </ul>
    </Popover>
  );
}

/** Up to when the answer counts, and a way to count again. */
function Age({ result, updatedAt, queryKey }: AnswerToolsProps) {
  const own = usePart(insightWords);
  const { format } = useWords();
  const client = useQueryClient();
  const isFetching = useIsFetching({ queryKey }) > 0;
  const now = useServerTime();
  const { range, timeZone } = result;
  const at = range.until ?? updatedAt;
  const isToday = dateIn(at, timeZone) === dateIn(now, timeZone);
  return (
    <span className={css['age']}>
      <span suppressHydrationWarning>
        {own.until(isToday ? format.time(at, timeZone) : format.dayMoment(at, timeZone))}
      </span>
      <Button
        small
        kind="quiet"
        icon="refresh"
        iconOnly
        busy={isFetching && own.refresh}
        className="script-only"
        onClick={() => void client.invalidateQueries({ queryKey })}
      >
        {own.refresh}
      </Button>
    </span>
  );
}
