/** A chart's figures as a table: the same periods, values and changes. */
import { Change } from '#views/kit/Change.tsx';
import { useWords } from '#views/words/words.tsx';
import css from './ChartTable.module.css';
import type { ChartNote, LineChartProps } from './line-chart.ts';
import { periodName } from './time-rule.ts';
import { valueText } from './values.ts';

export function ChartTable(props: LineChartProps) {
  const { name, label, kind, good, interval, timeZone, series, comparison, running, until, events, notes = [] } = props;
  const { words, format } = useWords();
  const named = { interval, timeZone, words };
  return (
    <table className={css['table']}>
      <caption className="visually-hidden">{name}</caption>
      <thead>
        <tr>
          <th scope="col">{words.chart.period[interval]}</th>
          <th scope="col">{label}</th>
          {comparison && (
            <th scope="col" className="wide-only">
              {words.chart.before}
            </th>
          )}
          {comparison && <th scope="col">{words.change.label}</th>}
        </tr>
      </thead>
      <tbody>
        {series.starts.map((start, index) => {
          const value = series.values[index] ?? null;
          const before = comparison?.values[index] ?? null;
          return (
            <tr key={start}>
              <th scope="row">
                {periodName(index, { ...named, ...series })}
                {index === running && until !== null && (
                  <span className="dim"> {words.chart.until(format.time(until, timeZone))}</span>
                )}
                {textsAt(notes, index).map((text) => (
                  <span key={text} className={css['note']}>
                    {text}
                  </span>
                ))}
              </th>
              <td className="num">{valueText(value, kind, format)}</td>
              {comparison && (
                <td className="num dim wide-only" title={periodName(index, { ...named, ...comparison })}>
                  {valueText(before, kind, format)}
                </td>
              )}
              {comparison && (
                <td>
                  <Change value={value} before={before} kind={kind} good={good} events={events?.[index]} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function textsAt(notes: readonly ChartNote[], index: number): string[] {
  return [...new Set(notes.filter((note) => note.index === index).map(({ text }) => text))];
}
