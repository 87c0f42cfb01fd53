/** Above the chart: what its lines are, how it is drawn, and its figures as a file. */
import type { Overview, ResolvedRange } from '#src/insights/contract.ts';
import { intervals } from '#src/insights/query/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { useTableFileName } from '#views/frame/queries.ts';
import { smallButtonClass } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { type Segment, Segmented } from '#views/kit/Segmented.tsx';
import type { Dates, Today } from '#views/question/dates.ts';
import { GoalChoice } from '#views/question/GoalChoice.tsx';
import { AddNote } from '#views/question/notes/AddNote.tsx';
import { addressOf, type Question } from '#views/question/question.ts';
import { datesText } from '#views/question/range-text.ts';
import { chartFileWords } from '#views/words/chart-file.ts';
import type { Words } from '#views/words/en.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { isCompared } from './is-compared.ts';
import css from './OverviewChart.module.css';

export interface ChartToolsProps {
  reference: string;
  path: string;
  question: Question;
  project: ProjectSummary;
  now: Today;
  data: Overview;
}

export function ChartTools({ reference, path, question, project, now, data }: ChartToolsProps) {
  const { words } = useWords();
  const file = usePart(chartFileWords);
  const fileName = useTableFileName();
  return (
    <div className={css['tools']}>
      <Legend reference={reference} project={project} now={now} data={data} />
      <div className={classNames(css['choices'], 'no-print')}>
        <GoalChoice reference={reference} path={path} question={question} project={project} />
        <Segmented label={words.interval.label} segments={intervalsOf(data, question, path, words)} />
        <Segmented label={words.chart.view} segments={viewsOf(question, path, words)} className={css['views']} />
        <a
          href={addressOf(`${path}/figures.csv`, question)}
          download
          className={classNames(smallButtonClass, 'wide-only')}
          aria-label={file.download(fileName)}
          title={file.download(fileName)}
        >
          <Icon name="intake" />
          {fileName}
        </a>
      </div>
    </div>
  );
}

/** The dates that the chart shows: of a project's first day not all of the range. */
export function drawnDates({ range, starts: [start = range.from], timeZone }: Overview): Dates {
  return { ...datesIn(range), ...(start > range.from && { from: dateIn(start, timeZone) }) };
}

export function datesIn({ fromDate, toDate }: ResolvedRange): Dates {
  return { from: fromDate, to: toDate };
}

function Legend({ reference, project, data, now }: Omit<ChartToolsProps, 'path' | 'question'>) {
  const { words, format } = useWords();
  return (
    <ul className={css['legend']}>
      <li className="num">
        <Line kind="main" />
        {datesText(drawnDates(data), now, format)}
      </li>
      {data.comparison && isCompared(data) && (
        <li className="num">
          <Line kind="before" />
          {datesText(datesIn(data.comparison), now, format)}
        </li>
      )}
      {data.running !== null && (
        <li className="wide-only">
          <Line kind="running" />
          {words.chart.running[data.interval]}
        </li>
      )}
      <li>
        <AddNote reference={reference} project={project} days={[data.range.toDate, now.today]} />
      </li>
    </ul>
  );
}

function Line({ kind }: { kind: 'main' | 'before' | 'running' }) {
  return (
    <svg className={css[kind]} width="20" height="8" aria-hidden="true">
      <path d="M0 4h20" />
    </svg>
  );
}

/** Those that are offered, and one that only the address asks for. */
function intervalsOf(data: Overview, question: Question, path: string, words: Words): Segment[] {
  const shown = intervals.filter((each) => each === data.interval || data.allowedIntervals.includes(each));
  return shown.map((interval) => ({
    key: interval,
    label: words.interval[interval],
    href: addressOf(path, { ...question, interval }),
    current: interval === data.interval,
  }));
}

function viewsOf(question: Question, path: string, words: Words): Segment[] {
  return (['chart', 'table'] as const).map((view) => ({
    key: view,
    label: view === 'chart' ? words.chart.asChart : words.chart.asTable,
    icon: <Icon name={view} />,
    href: addressOf(path, { ...question, view }),
    current: view === question.view,
  }));
}
