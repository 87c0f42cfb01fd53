/** The numbers of a funnel as tables: by step, and by value of the breakdown. */
import { stepBefore } from '#src/columns/values.ts';
import type { FunnelResult, FunnelResultRow } from '#src/insights/kinds/funnel/contract.ts';
import { classNames } from '#views/kit/class-names.ts';
import { missing } from '#views/words/format.ts';
import { funnelWords } from '#views/words/funnel.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from '../Answer.module.css';
import type { AnswerProps } from '../kind-view.ts';
import { PointButton } from '../PointButton.tsx';
import { ScrollBox } from '../ScrollBox.tsx';
import { useValueText } from '../use-value-text.ts';
import { usePerWords } from './use-per-words.ts';

interface TableProps extends Pick<AnswerProps<'funnel'>, 'insight' | 'onPoint'> {
  names: readonly string[];
  caption: string;
}

export function StepsTable({ insight, row, names, caption, onPoint }: TableProps & { row: FunnelResultRow }) {
  const own = usePart(funnelWords);
  const shared = usePart(insightWords);
  const { format } = useWords();
  const perWords = usePerWords(insight.own.per);
  const number = classNames(css['number'], 'num');
  const share = (value: number | null): string => (value === null ? missing : format.percent(value));
  const isCompared = row.steps.some((step) => step.previous !== null);
  return (
    <table className={css['table']}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{own.step}</th>
          <th scope="col" className={css['number']}>
            {perWords.name}
          </th>
          <th scope="col" className={css['number']}>
            {own.fromPreviousHead}
          </th>
          <th scope="col" className={classNames(css['number'], 'wide-only')}>
            {own.fromStartHead}
          </th>
          <th scope="col" className={classNames(css['number'], 'wide-only')}>
            {own.droppedHead}
          </th>
          <th scope="col" className={classNames(css['number'], 'wide-only')}>
            {own.timeHead}
          </th>
          {isCompared && (
            <th scope="col" className={classNames(css['number'], 'wide-only')}>
              {shared.previous}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {row.steps.map((step, index) => {
          const previous = row.steps[stepBefore(index + 1, insight.own.optionalSteps) - 1];
          const press = (droppedOff: boolean) =>
            onPoint && (() => onPoint({ kind: 'funnel', step: index + 1, dropped: droppedOff }));
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are their places
            <tr key={index}>
              <th scope="row">
                <span className="clip">
                  {format.number(index + 1)} {names[index]}
                </span>
              </th>
              <td className={number}>
                <PointButton value={step.count} onPress={press(false)}>
                  {format.number(step.count)}
                </PointButton>
              </td>
              <td className={number}>{index === 0 ? missing : share(step.conversionFromPrevious)}</td>
              <td className={classNames(number, 'wide-only')}>{share(step.conversionFromStart)}</td>
              <td className={classNames(number, 'wide-only')}>
                {previous === undefined ? (
                  missing
                ) : (
                  <PointButton value={previous.count - step.count} onPress={press(true)}>
                    {format.number(previous.count - step.count)}
                  </PointButton>
                )}
              </td>
              <td className={classNames(number, 'wide-only')}>
                {step.medianSecondsToConvert === null ? missing : format.duration(step.medianSecondsToConvert)}
              </td>
              {isCompared && (
                <td className={classNames(number, 'wide-only')}>
                  {step.previous === null ? missing : format.number(step.previous)}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function FunnelTable({ insight, result, names, caption, onPoint }: TableProps & { result: FunnelResult }) {
  const own = usePart(funnelWords);
  const shared = usePart(insightWords);
  const { format } = useWords();
  const valueText = useValueText(insight.own.breakdown);
  const number = classNames(css['number'], 'num');
  const all = { ...result.total, label: shared.all, isTotal: true };
  const rows = [all, ...result.rows.map((row) => ({ ...row, label: valueText(row.value), isTotal: false }))];
  return (
    <ScrollBox label={caption}>
      <table className={css['table']}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{shared.breakdown}</th>
            {names.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps are their places
              <th key={index} scope="col" className={css['number']}>
                {format.number(index + 1)} {name}
              </th>
            ))}
            <th scope="col" className={css['number']}>
              {own.conversion}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, value, steps, isTotal }) => (
            <tr key={isTotal ? 'all' : `=${value}`} className={isTotal ? css['total'] : undefined}>
              <th scope="row">
                <span className="clip">{label}</span>
              </th>
              {steps.map((step, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: steps are their places
                <td key={index} className={number}>
                  <PointButton
                    value={step.count}
                    onPress={
                      onPoint &&
                      (() => onPoint({ kind: 'funnel', step: index + 1, dropped: false, ...(!isTotal && { value }) }))
                    }
                  >
                    {format.number(step.count)}
                  </PointButton>
                  {index > 0 && step.conversionFromPrevious !== null && step.conversionFromStart !== null && (
                    <small>
                      {format.percent(step.conversionFromPrevious)}{' '}
                      {own.fromPrevious(format.number(stepBefore(index + 1, insight.own.optionalSteps)))}
                      {index > 1 && ` · ${format.percent(step.conversionFromStart)} ${own.fromStart}`}
                    </small>
                  )}
                </td>
              ))}
              <td className={number}>
                {steps.at(-1)?.conversionFromStart == null
                  ? missing
                  : format.percent(steps.at(-1)?.conversionFromStart ?? 0)}
                {steps[0]?.previous ? (
                  <small>{own.earlier(format.percent((steps.at(-1)?.previous ?? 0) / steps[0].previous))}</small>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
