/** All rows of trends with their totals; which of them the chart shows is chosen here. */
import { Swatch } from '#views/charts/Swatch.tsx';
import { valueText } from '#views/charts/values.ts';
import { Change } from '#views/kit/Change.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Sparkline } from '#views/kit/Sparkline.tsx';
import { missing } from '#views/words/format.ts';
import { insightWords } from '#views/words/insights.ts';
import { trendsWords } from '#views/words/trends.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from '../Answer.module.css';
import { PointButton } from '../PointButton.tsx';
import { useMeasuredGroups } from '../use-group-measure.ts';
import { isByCountry } from './charts.ts';
import { measureName } from './measures.ts';
import type { PartProps } from './part-props.ts';
import { isSum, mostDrawn, type TrendsRow } from './rows.ts';

export function TrendsTable(props: PartProps) {
  const { insight, result, rows, drawn, labelOf, dates, onChange, onPoint } = props;
  const own = usePart(trendsWords);
  const shared = usePart(insightWords);
  const { words, format } = useWords();
  const groupNames = useMeasuredGroups();
  const { display, own: asked } = insight;
  // A map shows all rows: none is chosen.
  const isChosen = display.chart !== 'map' || !isByCountry(asked);
  const isCompared = result.comparison !== null && rows.some(({ previous }) => previous !== null);
  const hasShares = rows.length > 1 && isSum(asked, rows);
  const sum = rows.reduce((all, { total }) => all + (total ?? 0), 0);
  const nameOf = ({ series, isFormula }: TrendsRow): string => {
    if (!isFormula) return measureName(asked.series[series] ?? { measure: 'events' }, own, groupNames);
    const formula = asked.formulas?.[series];
    return formula?.name ?? formula?.formula ?? '';
  };
  const measures = [...new Set(rows.map(nameOf))];

  function choose(row: TrendsRow, isDrawn: boolean): void {
    const keys = drawn.map(({ key }) => key);
    const next = isDrawn ? [...keys, row.key] : keys.filter((key) => key !== row.key);
    onChange({ ...insight, display: { ...display, rows: next } });
  }

  return (
    <table className={css['table']}>
      <caption className="visually-hidden">
        {measures.join(', ')}, {dates}
      </caption>
      <thead>
        <tr>
          {isChosen && (
            <th scope="col" className={css['check']}>
              <span className="visually-hidden">{own.shown}</span>
            </th>
          )}
          <th scope="col">{asked.breakdown === undefined ? own.series : shared.breakdown}</th>
          <th scope="col" className="wide-only">
            {own.trend}
          </th>
          <th scope="col" className={css['number']}>
            {measures.length === 1 ? measures[0] : shared.total}
          </th>
          {hasShares && (
            <th scope="col" className={css['number']}>
              {shared.share}
            </th>
          )}
          {isCompared && (
            <th scope="col" className={classNames(css['number'], 'wide-only')}>
              {shared.previous}
            </th>
          )}
          {isCompared && (
            <th scope="col" className={css['number']}>
              {words.change.label}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const place = drawn.indexOf(row);
          const label = labelOf(row);
          return (
            <tr key={row.key}>
              {isChosen && (
                <td className={css['check']}>
                  <input
                    type="checkbox"
                    aria-label={own.drawn(label)}
                    checked={place !== -1}
                    disabled={place === -1 && drawn.length >= mostDrawn(display)}
                    onChange={({ target }) => choose(row, target.checked)}
                  />
                </td>
              )}
              <th scope="row">
                <span className={css['label']}>
                  {isChosen && place !== -1 && <Swatch index={place} />}
                  <span className="clip">{label}</span>
                  {measures.length > 1 && !row.isFormula && <span className="dim clip">{nameOf(row)}</span>}
                </span>
              </th>
              <td className="wide-only">
                <Sparkline values={row.points.slice(0, result.running ?? undefined)} />
              </td>
              <td className={classNames(css['number'], 'num')}>
                <PointButton
                  value={row.total}
                  onPress={
                    onPoint && !row.isFormula
                      ? () => onPoint({ kind: 'trends', series: row.series, value: row.value, interval: null })
                      : undefined
                  }
                >
                  {valueText(row.total, row.kind, format)}
                </PointButton>
              </td>
              {hasShares && (
                <td className={classNames(css['number'], 'num', 'dim')}>
                  {row.total === null || sum === 0 ? missing : format.percent(row.total / sum)}
                </td>
              )}
              {isCompared && (
                <td className={classNames(css['number'], 'num', 'dim', 'wide-only')}>
                  {valueText(row.previous, row.kind, format)}
                </td>
              )}
              {isCompared && (
                <td className={css['number']}>
                  <Change value={row.total} before={row.previous} kind={row.kind} good="up" />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
