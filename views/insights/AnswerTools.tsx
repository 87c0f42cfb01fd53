/** Above a chart: its intervals, how it is drawn, how old the answer is, and its rows as a file. */
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Interval, ResolvedRange } from '#src/insights/contract.ts';
import { intervals } from '#src/insights/query/values.ts';
import { useTableFileName } from '#views/frame/queries.ts';
import { Button, smallButtonClass } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { showToast } from '#views/kit/toast.tsx';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './Answer.module.css';
import { imageOf, saveFile } from './chart-image.ts';
import type { ChartName } from './display.ts';
import { type Insight, inputOf } from './insight.ts';
import { OutsideTile } from './tile.tsx';

export interface AnswerToolsProps {
  reference: string;
  insight: Insight;
  hrefOf(insight: Insight): string;
  /** Absent: it has no intervals to choose. */
  result: { timeZone: string; range: ResolvedRange; interval?: Interval };
  withIntervals?: boolean;
  charts: readonly ChartName[];
  /** When the answer came, ms. */
  updatedAt: number;
  queryKey: readonly unknown[];
  /** Further choices of how it is drawn. */
  children?: ReactNode;
}

/** Longer tables are left to files, px. */
const MAX_TABLE_HEIGHT = 1_000;
/** The server draws no more intervals than that. */
const MAX_INTERVALS = 1000;
const lengths: Readonly<Record<Interval, number>> = {
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
  const { reference, insight, hrefOf, result, withIntervals = true, charts } = props;
  const own = usePart(insightWords);
  const { words } = useWords();
  const fileName = useTableFileName();
  const { interval: current, range } = result;
  const offered = intervals.filter(
    (each) => each === current || (range.to - range.from) / lengths[each] <= MAX_INTERVALS,
  );
  return (
    <div className={`${css['tools']} no-print`}>
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
      {charts.length > 1 && <ChartChoice insight={insight} hrefOf={hrefOf} charts={charts} />}
      <a
        href={fileAddress(reference, insight)}
        download
        className={smallButtonClass}
        aria-label={own.file(fileName)}
        title={own.file(fileName)}
      >
        <Icon name="intake" />
        {fileName}
      </a>
      <ImageButton {...props} />
      <Age {...props} />
    </div>
  );
}

/** What stands below the tools, as an image: the chart, and its table unless that is long. */
function ImageButton({ insight, result }: Pick<AnswerToolsProps, 'insight' | 'result'>) {
  const own = usePart(insightWords);
  const { format } = useWords();
  const [isBusy, setIsBusy] = useState(false);
  const dates = [result.range.fromDate, result.range.toDate].map((date) => format.day(date));
  async function save(tools: Element | null): Promise<void> {
    const elements: HTMLElement[] = [];
    for (let next = tools?.nextElementSibling; next; next = next.nextElementSibling) {
      if (!(next instanceof HTMLElement) || next.matches('[data-foot], details')) continue;
      if (elements.length === 0 || next.offsetHeight <= MAX_TABLE_HEIGHT) elements.push(next);
    }
    setIsBusy(true);
    try {
      const title = `${own.kinds[insight.kind]}, ${[...new Set(dates)].join(' – ')}`;
      saveFile(await imageOf(elements, title), `${insight.kind}.png`);
    } catch {
      showToast(own.imageFailed);
    } finally {
      setIsBusy(false);
    }
  }
  return (
    <Button
      small
      icon="intake"
      className="script-only"
      busy={isBusy && 'PNG'}
      aria-label={own.image}
      title={own.image}
      onClick={({ currentTarget }) => void save(currentTarget.parentElement)}
    >
      PNG
    </Button>
  );
}

function ChartChoice({ insight, hrefOf, charts }: Pick<AnswerToolsProps, 'insight' | 'hrefOf' | 'charts'>) {
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
              href={hrefOf({ ...insight, display: { ...insight.display, chart } })}
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

/** The rows of the answer as a file. */
export function fileAddress(reference: string, insight: Insight): string {
  const input = encodeURIComponent(JSON.stringify(inputOf(insight)));
  return `/project/${encodeURIComponent(reference)}/query/${insight.kind}.csv?input=${input}`;
}
