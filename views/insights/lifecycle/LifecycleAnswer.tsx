/** The answer to lifecycle: who is new, stays or comes back above zero, who went dormant below. */

import { useSuspenseQuery } from '@tanstack/react-query';
import type { LifecycleResult } from '#src/insights/kinds/lifecycle/contract.ts';
import { SeriesChart } from '#views/charts/SeriesChart.tsx';
import { Swatch } from '#views/charts/Swatch.tsx';
import { periodName } from '#views/charts/time-rule.ts';
import { Change } from '#views/kit/Change.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Sparkline } from '#views/kit/Sparkline.tsx';
import { State } from '#views/kit/State.tsx';
import { datesText } from '#views/question/range-text.ts';
import { countedGroupWords } from '#views/words/counted-groups.ts';
import { missing } from '#views/words/format.ts';
import { insightWords } from '#views/words/insights.ts';
import { retentionWords } from '#views/words/retention.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from '../Answer.module.css';
import { AnswerTools } from '../AnswerTools.tsx';
import { ChartFoot } from '../ChartFoot.tsx';
import { useCountedGroups } from '../CountedRow.tsx';
import { fewest } from '../few.ts';
import type { AnswerProps } from '../kind-view.ts';
import { PointButton } from '../PointButton.tsx';
import { ScrollBox } from '../ScrollBox.tsx';
import { OutsideTile } from '../tile.tsx';
import { useAnswerOptions } from '../use-answer.ts';

const statuses = ['new', 'returning', 'resurrecting', 'dormant'] as const;
type Status = (typeof statuses)[number];

const lifecycleCharts = ['stacked', 'line', 'table'] as const;

export function LifecycleAnswer(props: AnswerProps<'lifecycle'>) {
  const { reference, insight, project, now, onPoint } = props;
  const own = usePart(retentionWords);
  const shared = usePart(insightWords);
  const groupWords = usePart(countedGroupWords);
  const groups = useCountedGroups(insight.own.per);
  const { words, format } = useWords();
  const options = useAnswerOptions(insight, reference);
  const { data, dataUpdatedAt } = useSuspenseQuery(options);
  const result = data as LifecycleResult;
  const { range, interval, timeZone, starts, running } = result;
  const dates = datesText({ from: range.fromDate, to: range.toDate }, now, format);
  const chart = insight.display.chart ?? 'stacked';
  const isEmpty = statuses.every((status) => result[status].every((people) => !people));
  const parts = { ...props, result };
  // Changes and the ratio below are of the last interval that is over.
  const { value, before } = activeRow(result, (running ?? starts.length) - 1);
  const few = fewest([value, before]);
  return (
    <>
      <AnswerTools
        {...props}
        result={result}
        charts={lifecycleCharts}
        updatedAt={dataUpdatedAt}
        queryKey={options.queryKey}
      />
      {isEmpty ? (
        <State icon="chart" title={shared.empty}>
          {shared.emptyText}
        </State>
      ) : chart === 'table' ? (
        <PointsTable {...parts} />
      ) : (
        <SeriesChart
          name={words.chart.name(shared.kinds.lifecycle, interval, dates, null)}
          look={chart === 'line' ? 'line' : 'stacked'}
          kind="count"
          interval={interval}
          timeZone={timeZone}
          weekStart={project.weekStart}
          starts={starts}
          to={range.to}
          series={statuses.map((status) => ({
            key: status,
            label: own.statuses[status],
            values: result[status],
            isBelow: status === 'dormant' && chart !== 'line',
          }))}
          running={running}
          until={range.until}
          onPoint={
            onPoint &&
            ((series, index) => {
              const state = statuses[series] ?? 'new';
              if (result[state][index]) onPoint({ kind: 'lifecycle', state, interval: index });
            })
          }
        />
      )}
      <ChartFoot
        result={result}
        running={isEmpty || chart !== 'stacked' ? null : groups === null ? own.below : groupWords.below(groups)}
        notes={
          few === null
            ? []
            : [
                groups === null
                  ? shared.fewest.persons(few, format.number(few))
                  : groupWords.few(format.number(few), groups),
              ]
        }
      />
      <OutsideTile>{!isEmpty && <LastInterval {...parts} />}</OutsideTile>
    </>
  );
}

type PartProps = AnswerProps<'lifecycle'> & { result: LifecycleResult };

/** The last interval that is over, beside the one before. */
function LastInterval({ insight, result, onPoint }: PartProps) {
  const own = usePart(retentionWords);
  const shared = usePart(insightWords);
  const { words, format } = useWords();
  const { starts, range, interval, timeZone, running } = result;
  const last = (running ?? starts.length) - 1;
  if (last < 0) return null;
  const rows = [...statuses.map((status) => rowOf(result, status, last)), activeRow(result, last)];
  const period = periodName(last, { starts, to: range.to, interval, timeZone, words });
  const gone = result.dormant[last] ?? 0;
  const come = (result.new[last] ?? 0) + (result.resurrecting[last] ?? 0);
  return (
    <>
      <table className={css['table']}>
        <caption className={css['caption']}>
          <b>{period}</b> <span className="dim">{own.last}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">{own.status}</th>
            <th scope="col" className="wide-only">
              {own.definition}
            </th>
            <th scope="col" className="wide-only">
              <span className="visually-hidden">{shared.answer}</span>
            </th>
            <th scope="col" className={css['number']}>
              {shared.people}
            </th>
            <th scope="col" className={css['number']}>
              {shared.previous}
            </th>
            <th scope="col" className={css['number']}>
              {words.change.label}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ status, values, value, before }, place) => (
            <tr key={status} className={status === 'active' ? css['total'] : undefined}>
              <th scope="row">
                <span className={css['label']}>
                  {status !== 'active' && <Swatch index={place} round />}
                  {status === 'active' ? own.active : own.statuses[status]}
                </span>
              </th>
              <td className="wide-only dim">{status === 'active' ? '' : own.meanings[status]}</td>
              <td className="wide-only">
                <Sparkline values={values.slice(0, last + 1)} />
              </td>
              <td className={classNames(css['number'], 'num')}>
                <PointButton
                  value={value}
                  onPress={
                    onPoint && status !== 'active'
                      ? () => onPoint({ kind: 'lifecycle', state: status, interval: last })
                      : undefined
                  }
                >
                  {value === null ? missing : format.number(value)}
                </PointButton>
              </td>
              <td className={classNames(css['number'], 'num', 'dim')}>
                {before === null ? missing : format.number(before)}
              </td>
              <td className={css['number']}>
                <Change value={value} before={before} kind="count" good={status === 'dormant' ? 'down' : 'up'} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {gone > 0 && insight.own.per === undefined && (
        <p className="dim">{own.ratio(format.decimal(Math.round((come / gone) * 100) / 100))}</p>
      )}
    </>
  );
}

interface Row {
  status: Status | 'active';
  values: readonly (number | null)[];
  value: number | null;
  before: number | null;
}

function rowOf(result: LifecycleResult, status: Status, last: number): Row {
  const values = result[status];
  return { status, values, value: values[last] ?? null, before: values[last - 1] ?? null };
}

/** All that were active: new, returning or resurrecting. */
function activeRow(result: LifecycleResult, last: number): Row {
  const values = result.new.map((people, at) => people + (result.returning[at] ?? 0) + (result.resurrecting[at] ?? 0));
  return { status: 'active', values, value: values[last] ?? null, before: values[last - 1] ?? null };
}

function PointsTable({ result, onPoint }: PartProps) {
  const own = usePart(retentionWords);
  const shared = usePart(insightWords);
  const { words, format } = useWords();
  const { starts, range, interval, timeZone, running } = result;
  return (
    <ScrollBox label={shared.answer}>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">{words.chart.period[interval]}</th>
            {statuses.map((status) => (
              <th key={status} scope="col" className={css['number']}>
                {own.statuses[status]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {starts.map((start, index) => (
            <tr key={start}>
              <th scope="row">
                {periodName(index, { starts, to: range.to, interval, timeZone, words })}
                {index === running && range.until !== null && (
                  <span className="dim"> {words.chart.until(format.time(range.until, timeZone))}</span>
                )}
              </th>
              {statuses.map((status) => (
                <td key={status} className={classNames(css['number'], 'num')}>
                  <PointButton
                    value={result[status][index] ?? null}
                    onPress={onPoint && (() => onPoint({ kind: 'lifecycle', state: status, interval: index }))}
                  >
                    {result[status][index] == null ? missing : format.number(result[status][index] ?? 0)}
                  </PointButton>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
