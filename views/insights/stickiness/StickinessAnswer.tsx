/** The answer to stickiness: in how many intervals people were active. */

import { useSuspenseQuery } from '@tanstack/react-query';
import type { StickinessResult } from '#src/insights/kinds/stickiness/contract.ts';
import { SeriesChart } from '#views/charts/SeriesChart.tsx';
import { classNames } from '#views/kit/class-names.ts';
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
import { Headline, Headlines } from '../Headlines.tsx';
import type { AnswerProps } from '../kind-view.ts';
import { PointButton } from '../PointButton.tsx';
import { OutsideTile } from '../tile.tsx';
import { useAnswerOptions } from '../use-answer.ts';

const stickinessCharts = ['bar', 'line'] as const;

export function StickinessAnswer(props: AnswerProps<'stickiness'>) {
  const { reference, insight, project, now, onPoint } = props;
  const own = usePart(retentionWords);
  const shared = usePart(insightWords);
  const groupWords = usePart(countedGroupWords);
  const groups = useCountedGroups(insight.own.per);
  const { format } = useWords();
  const options = useAnswerOptions(insight, reference);
  const { data, dataUpdatedAt } = useSuspenseQuery(options);
  const result = data as StickinessResult;
  const { range, interval, timeZone, starts, people, total } = result;
  const dates = datesText({ from: range.fromDate, to: range.toDate }, now, format);
  const { cumulative } = insight.own;
  const counts = countsOf(people, cumulative);
  const nameOf = (index: number): string => own.intervals[interval](index + 1, format.number(index + 1));
  const active = counts.exact.reduce((sum, each, index) => sum + each * (index + 1), 0);
  const isChart = total > 0;
  const few = fewest([total]);
  return (
    <>
      <AnswerTools
        {...props}
        result={result}
        charts={stickinessCharts}
        updatedAt={dataUpdatedAt}
        queryKey={options.queryKey}
      />
      {isChart ? (
        <>
          <Headlines label={dates}>
            <Headline label={groups === null ? own.total : groupWords.active(groups)} value={format.number(total)} />
            <Headline label={own.twoOrMore} value={format.number(counts.atLeast[1] ?? 0)}>
              <span className="dim num">{format.percent((counts.atLeast[1] ?? 0) / total)}</span>
            </Headline>
            <Headline label={own.mean} value={format.oneDecimal(active / total)} />
          </Headlines>
          <SeriesChart
            name={`${shared.kinds.stickiness}, ${dates}`}
            look={insight.display.chart === 'line' ? 'line' : 'bar'}
            kind="count"
            interval={interval}
            timeZone={timeZone}
            weekStart={project.weekStart}
            starts={starts}
            to={range.to}
            labels={people.map((_, index) => nameOf(index))}
            series={[{ key: 'people', label: groups ?? shared.people, values: people }]}
            running={null}
            until={null}
            onPoint={onPoint && ((_, index) => people[index] && onPoint({ kind: 'stickiness', intervals: index + 1 }))}
          />
        </>
      ) : (
        <State icon="chart" title={shared.empty}>
          {shared.emptyText}
        </State>
      )}
      <ChartFoot
        result={result}
        running={null}
        notes={
          few === null
            ? []
            : [
                groups === null
                  ? shared.few.persons(few, format.number(few))
                  : groupWords.few(format.number(few), groups),
              ]
        }
      />
      <OutsideTile>
        {isChart && (
          <table className={css['table']}>
            <caption className="visually-hidden">{dates}</caption>
            <thead>
              <tr>
                <th scope="col">{own.intervalHead[interval]}</th>
                <th scope="col" className={css['number']}>
                  {groups ?? shared.people}
                </th>
                <th scope="col" className={css['number']}>
                  {shared.share}
                </th>
                <th scope="col" className={css['number']}>
                  {own.atLeast}
                </th>
                <th scope="col" className={classNames(css['number'], 'wide-only')}>
                  {shared.share}
                </th>
              </tr>
            </thead>
            <tbody>
              {counts.exact.map((exact, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows are their places
                <tr key={index}>
                  <th scope="row">{nameOf(index)}</th>
                  <td className={classNames(css['number'], 'num')}>
                    <PointButton
                      value={exact}
                      onPress={
                        onPoint && !cumulative ? () => onPoint({ kind: 'stickiness', intervals: index + 1 }) : undefined
                      }
                    >
                      {format.number(exact)}
                    </PointButton>
                  </td>
                  <td className={classNames(css['number'], 'num', 'dim')}>{shareText(exact, total, format)}</td>
                  <td className={classNames(css['number'], 'num')}>{format.number(counts.atLeast[index] ?? 0)}</td>
                  <td className={classNames(css['number'], 'num', 'dim', 'wide-only')}>
                    {shareText(counts.atLeast[index] ?? 0, total, format)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </OutsideTile>
    </>
  );
}

function shareText(people: number, total: number, format: ReturnType<typeof useWords>['format']): string {
  return total === 0 ? missing : format.percent(people / total);
}

/** People of exactly so many intervals, and of at least so many, whichever of both is given. */
function countsOf(people: readonly number[], isCumulative: boolean): { exact: number[]; atLeast: number[] } {
  if (isCumulative)
    return { exact: people.map((each, index) => each - (people[index + 1] ?? 0)), atLeast: [...people] };
  const atLeast = people.map((_, index) => people.slice(index).reduce((sum, each) => sum + each, 0));
  return { exact: [...people], atLeast };
}
