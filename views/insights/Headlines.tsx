/** Large numbers above a chart. */
import type { ReactNode } from 'react';
import css from './Answer.module.css';

export function Headlines({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={css['headlines']} aria-label={label}>
      {children}
    </ul>
  );
}

export function Headline({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  return (
    <li>
      <span className={css['headLabel']}>{label}</span>
      <span className={css['headValue']}>
        <b className="num">{value}</b> {children}
      </span>
    </li>
  );
}
