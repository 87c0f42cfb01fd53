/** The last intervals of an alert as a chart, and those that fire as a table. */
import type { AlertPreview, AlertPreviewInput } from '#src/alerts/contract.ts';
import { type AlertUnit, unitOf } from '#src/alerts/values.ts';
import { LineChart } from '#views/charts/LineChart.tsx';
import type { ValueKind } from '#views/charts/scale.ts';
import { alertRules, intervalText, subjectText, valueText } from '#views/words/alert-rules.ts';
import { alertWords } from '#views/words/alerts.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Alerts.module.css';

const kinds: Record<AlertUnit, ValueKind> = { count: 'decimal', percent: 'share', seconds: 'seconds' };
/** Rows of the table. */
const SHOWN = 10;

export interface AlertChartProps extends AlertPreviewInput {
  preview: AlertPreview;
  subjectName?: string | null;
}

export function AlertChart({ subject, subjectName = null, interval, condition, preview }: AlertChartProps) {
  const own = usePart(alertWords);
  const rules = usePart(alertRules);
  const { words, format } = useWords();
  const { points, timeZone } = preview;
  const firing = points.flatMap((point, index) => (point.fires ? [{ ...point, index }] : []));
  const starts = points.map(({ from }) => from);
  const to = points.at(-1)?.to ?? 0;
  const unit = unitOf(subject);
  const name = subjectText({ subject, subjectName }, words, rules);
  return (
    <>
      <LineChart
        name={`${name}. ${own.previewOf[interval]}`}
        label={name}
        kind={unit === 'count' && points.every(({ value }) => Number.isInteger(value ?? 0)) ? 'count' : kinds[unit]}
        good={null}
        interval={interval}
        timeZone={timeZone}
        weekStart={1}
        series={{ starts, to, values: points.map(({ value }) => value) }}
        comparison={null}
        running={null}
        until={null}
        notes={firing.map(({ index }) => ({ index, text: own.firesHere }))}
      />
      <p className={css['fires']} role="status">
        {own.fires(firing.length, format.number(firing.length))}
      </p>
      {firing.length > 0 && (
        <table className={css['table']}>
          <caption className="visually-hidden">{own.firing}</caption>
          <thead>
            <tr>
              <th scope="col">{own.when}</th>
              <th scope="col" className={css['number']}>
                {own.value}
              </th>
              {condition.kind === 'change' && (
                <th scope="col" className={css['number']}>
                  {own.usualRange}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {firing
              .slice(-SHOWN)
              .reverse()
              .map(({ from, to: end, value, low, high }) => (
                <tr key={from}>
                  <th scope="row">{intervalText(interval, { from, to: end }, timeZone, format)}</th>
                  <td className={`${css['number']} num`}>{valueText(value, unit, format)}</td>
                  {condition.kind === 'change' && (
                    <td className={`${css['number']} num dim`}>
                      {low === null || high === null
                        ? '–'
                        : `${valueText(neat(low, unit), unit, format)} – ${valueText(neat(high, unit), unit, format)}`}
                    </td>
                  )}
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** Edges of a range are no measurements. */
function neat(value: number, unit: AlertUnit): number {
  return unit === 'percent' || Math.abs(value) < 10 ? value : Math.round(value);
}
