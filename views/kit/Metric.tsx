/** One headline value with its change and its course. A link: the chosen one is what the chart draws. */
import type { ReactNode } from 'react';
import { missing } from '#views/words/format.ts';
import type { Part } from '#views/words/format-duration.ts';
import { Change, type ChangeProps } from './Change.tsx';
import { classNames } from './class-names.ts';
import { Link } from './Link.tsx';
import css from './Metric.module.css';
import { Sparkline } from './Sparkline.tsx';

export interface MetricProps extends ChangeProps {
  label: string;
  href: string;
  chosen: boolean;
  /** The value in pieces, units set smaller; null: there is none. */
  parts: Part[] | null;
  /** Tooltip of the value: its fraction, or the previous value. */
  hint?: string | undefined;
  /** Finished intervals only. */
  course: readonly (number | null)[];
}

export function Metric({ label, href, chosen, parts, hint, course, ...change }: MetricProps) {
  return (
    <li className={css['cell']}>
      <Link href={href} className={css['metric']} aria-current={chosen ? 'true' : undefined}>
        <span className={css['label']}>{label}</span>
        <span className={classNames(css['value'], 'num')}>
          {parts === null
            ? missing
            : parts.map(({ value, unit }, index) => (
                <span key={unit}>
                  {index > 0 && ' '}
                  {value}
                  <small>{unit}</small>
                </span>
              ))}
        </span>
        <span className={css['under']}>
          <Change {...change} />
          <Sparkline values={course} />
        </span>
        {hint && <span className={css['hint']}>{hint}</span>}
      </Link>
    </li>
  );
}

/** The row of metrics. */
export function Metrics({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={css['metrics']} aria-label={label}>
      {children}
    </ul>
  );
}

/** The same geometry, before the numbers are there. */
export function MetricsSkeleton({ labels }: { labels: string[] }) {
  return (
    <ul className={css['metrics']} aria-hidden="true">
      {labels.map((label) => (
        <li key={label} className={css['cell']}>
          <span className={css['metric']}>
            <span className={css['label']}>{label}</span>
            <span className={css['value']}>
              <span className={classNames(css['bone'], 'skeleton')} />
            </span>
            <span className={css['under']}>
              <span className={classNames(css['boneSmall'], 'skeleton')} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
