/** One filter in words, with a way to take it off. */
import type { ReactNode } from 'react';
import css from './Chip.module.css';
import { Icon } from './Icon.tsx';
import { Link } from './Link.tsx';

export interface ChipProps {
  name: string;
  operator: string;
  value: ReactNode;
  /** The address without this filter. */
  removeHref: string;
  removeLabel: string;
}

export function Chip({ name, operator, value, removeHref, removeLabel }: ChipProps) {
  return (
    <span className={css['chip']}>
      <span className={css['words']}>
        <span className="dim">
          {name} {operator}
        </span>{' '}
        <span className={css['value']}>{value}</span>
      </span>
      <Link href={removeHref} className={css['remove']} aria-label={removeLabel}>
        <Icon name="x" small />
      </Link>
    </span>
  );
}
