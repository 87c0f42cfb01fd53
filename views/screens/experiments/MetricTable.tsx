/** Variants of an experiment by one metric: value, lift with its interval, and how likely it is better. */
import type { MetricResult, VariantResult } from '#src/experiments/contract.ts';
import { classNames } from '#views/kit/class-names.ts';
import { experimentWords } from '#views/words/experiments.ts';
import type { Format } from '#views/words/format.ts';
import { missing } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Experiments.module.css';
import { IntervalBar, scaleOf } from './IntervalBar.tsx';

type Shown = Pick<MetricResult, 'kind' | 'currency'>;

export interface MetricTableProps {
  title: string;
  metric: Shown & { variants: readonly VariantResult[] };
  good: 'more' | 'fewer';
}

export function MetricTable({ title, metric, good }: MetricTableProps) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const number = classNames(css['number'], 'num');
  const scale = scaleOf(metric.variants.flatMap(({ lift }) => lift ?? []));
  return (
    <table className={css['table']}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col" className={css['number']}>
            {own.values[metric.kind]}
          </th>
          {scale && (
            <th scope="col" className={classNames(css['interval'], 'wide-only')}>
              <span className="visually-hidden">{own.interval}</span>
              <span className={css['ends']} aria-hidden="true">
                {[scale.from, scale.to].map((end) => (
                  <span key={end}>{end === 0 ? format.percent(0) : format.relative(end)}</span>
                ))}
              </span>
            </th>
          )}
          <th scope="col" className={css['number']}>
            {own.lift}
          </th>
          <th scope="col" className={classNames(css['number'], 'wide-only')}>
            {own.chance}
          </th>
        </tr>
      </thead>
      <tbody>
        {metric.variants.map((variant, at) => {
          const { key, value, lift, better, isSignificant } = variant;
          const chance = better === null ? null : good === 'more' ? better : 1 - better;
          const isGood = (lift?.value ?? 0) > 0 === (good === 'more');
          const tone = isSignificant ? (isGood ? 'good' : 'bad') : 'open';
          return (
            <tr key={key}>
              <th scope="row">
                <span className="mono">{key}</span> {at === 0 && <span className="dim">({own.control})</span>}
                <span className={css['sub']}>{peopleText(metric, variant, own, format)}</span>
              </th>
              <td className={number}>{value === null ? missing : valueText(metric, value, format)}</td>
              {scale && (
                <td className={classNames(css['interval'], 'wide-only')}>
                  <IntervalBar scale={scale} lift={lift} tone={tone} />
                </td>
              )}
              <td className={number}>
                {lift === null ? (
                  missing
                ) : (
                  <>
                    <span className={tone === 'open' ? undefined : css[tone]}>{format.relative(lift.value)}</span>
                    <span className={css['sub']}>
                      {own.fromTo(format.relative(lift.from), format.relative(lift.to))}
                    </span>
                  </>
                )}
              </td>
              <td className={classNames(number, 'wide-only')}>
                {at === 0 || chance === null ? missing : format.percent(chance)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A share, a mean or a ratio, in the unit of the metric. */
export function valueText({ kind, currency }: Shown, value: number, format: Format): string {
  if (kind === 'conversion' || kind === 'funnel') return format.percent(value);
  return currency === null ? format.decimal(value) : format.money(value, currency);
}

function peopleText(
  { kind, currency }: Shown,
  { people, active, total }: VariantResult,
  own: (typeof experimentWords)['en'],
  format: Format,
): string {
  if (kind === 'conversion' || kind === 'funnel') return own.ofPeople(format.number(active), format.number(people));
  const sum = currency === null ? format.decimal(total) : format.money(total, currency, true);
  return own.totalOf(sum, format.number(people));
}

/** What is measured, as one line. */
export function titleOf({ kind, names }: Pick<MetricResult, 'kind' | 'names'>, own: (typeof experimentWords)['en']) {
  const [first = '', second = ''] = names.map((name) => name ?? own.goalGone);
  if (kind === 'funnel') return names.map((name) => name ?? own.goalGone).join(' → ');
  return kind === 'ratio' ? own.titles.ratio(first, second) : own.titles[kind](first);
}
