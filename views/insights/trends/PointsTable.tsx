/** The points of the chosen rows as a table: an interval in each row. */
import { Swatch } from '#views/charts/Swatch.tsx';
import { periodName } from '#views/charts/time-rule.ts';
import { valueText } from '#views/charts/values.ts';
import { classNames } from '#views/kit/class-names.ts';
import { useWords } from '#views/words/words.tsx';
import css from '../Answer.module.css';
import { PointButton } from '../PointButton.tsx';
import { ScrollBox } from '../ScrollBox.tsx';
import type { PartProps } from './part-props.ts';
import { chartKind, isAltered } from './rows.ts';

export function PointsTable({ insight, result, drawn, labelOf, dates, onPoint }: PartProps) {
  const { words, format } = useWords();
  const { starts, range, interval, timeZone, running } = result;
  const kind = chartKind(drawn, insight.display);
  return (
    <ScrollBox label={dates}>
      <table className={css['table']}>
        <caption className="visually-hidden">{dates}</caption>
        <thead>
          <tr>
            <th scope="col">{words.chart.period[interval]}</th>
            {drawn.map((row, place) => (
              <th key={row.key} scope="col" className={css['number']}>
                <Swatch index={place} round /> {labelOf(row)}
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
              {drawn.map((row) => (
                <td key={row.key} className={classNames(css['number'], 'num')}>
                  <PointButton
                    value={row.points[index] ?? null}
                    onPress={
                      onPoint && !row.isFormula && !isAltered(insight.display)
                        ? () => onPoint({ kind: 'trends', series: row.series, value: row.value, interval: index })
                        : undefined
                    }
                  >
                    {valueText(row.points[index] ?? null, row.kind === 'count' ? kind : row.kind, format)}
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
