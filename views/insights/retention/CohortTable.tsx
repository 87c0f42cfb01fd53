/** Cohorts and how many of each returned, period by period. */

import type { RetentionResult } from '#src/insights/kinds/retention/contract.ts';
import { periodName } from '#views/charts/time-rule.ts';
import { classNames } from '#views/kit/class-names.ts';
import { missing } from '#views/words/format.ts';
import { insightWords } from '#views/words/insights.ts';
import { retentionWords } from '#views/words/retention.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { useCountedGroups } from '../CountedRow.tsx';
import type { AnswerProps } from '../kind-view.ts';
import { PointButton } from '../PointButton.tsx';
import { ScrollBox } from '../ScrollBox.tsx';
import css from './CohortTable.module.css';
import { type CellSort, cellsOf, type RetentionCell, shadeOf } from './cells.ts';
import { useColumnName } from './column-name.ts';

interface CohortTableProps extends Pick<AnswerProps<'retention'>, 'insight' | 'onPoint'> {
  result: RetentionResult;
  row: RetentionResult['rows'][number];
  /** Above it; null: it stands alone. */
  title: string | null;
  caption: string;
}

export function CohortTable({ insight, result, row, title, caption, onPoint }: CohortTableProps) {
  const own = usePart(retentionWords);
  const shared = usePart(insightWords);
  const groups = useCountedGroups(insight.own.per);
  const { words, format } = useWords();
  const { starts, columns, range, period, timeZone } = result;
  const columnName = useColumnName(period);
  const sort: CellSort = insight.display.cells ?? 'cohort';
  const cohorts = row.cohorts.map((cohort, index) => ({
    ...cohort,
    index,
    cells: cellsOf(cohort, index, result, sort),
  }));
  const shares = cohorts.flatMap(({ cells }) => cells.slice(1).map(({ share }) => share ?? 0));
  const largest = Math.max(0, ...shares);
  const size = cohorts.reduce((sum, cohort) => sum + cohort.size, 0);
  const means = [
    { key: 'weighted', name: own.weighted, shares: row.mean, people: format.number(size) },
    { key: 'simple', name: own.simple, shares: row.simpleMean, people: '' },
  ];
  const named = { starts, to: range.to, interval: period, timeZone, words };
  return (
    <>
      {title !== null && <h2 className={css['title']}>{title}</h2>}
      <ScrollBox label={caption}>
        <table className={css['cohorts']}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{own.cohort[period]}</th>
              <th scope="col">{groups ?? shared.people}</th>
              {columns.map((column) => (
                <th key={column.from} scope="col">
                  {columnName(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sort === 'cohort' &&
              means.map(({ key, name, shares: means, people }) => (
                <tr key={key} className={css['mean']}>
                  <th scope="row">{name}</th>
                  <td className="num">{people}</td>
                  {columns.map(({ from }, later) => (
                    <td key={from} className="num">
                      {means[later] == null ? missing : format.percent(means[later] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            {cohorts.map((cohort) => (
              <tr key={cohort.index}>
                <th scope="row">{periodName(cohort.index, named)}</th>
                <td className="num">{format.number(cohort.size)}</td>
                {cohort.cells.map((cell, later) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells are their places
                    key={later}
                    className={classNames(
                      'num',
                      cohort.size > 0 && css['cell'],
                      later > 0 && css[`shade${shadeOf(cell.share, largest)}`],
                      cell.isRunning && css['running'],
                    )}
                    title={later > 0 ? `${format.number(cell.people)} / ${format.number(cohort.size)}` : undefined}
                  >
                    <PointButton
                      value={cell.people}
                      onPress={
                        onPoint &&
                        (() => onPoint({ kind: 'retention', cohort: cohort.index, period: later, value: row.value }))
                      }
                    >
                      {textOf(cell, sort, format)}
                    </PointButton>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

function textOf(cell: RetentionCell, sort: CellSort, format: ReturnType<typeof useWords>['format']): string {
  if (sort === 'people') return format.number(cell.people);
  return cell.share === null ? missing : format.percent(cell.share);
}
