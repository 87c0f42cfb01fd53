/** A number behind which people can be shown. */
import type { ReactNode } from 'react';
import css from './Answer.module.css';

export interface PointButtonProps {
  /** The number; behind 0 and behind none there is nobody. */
  value: number | null;
  onPress: (() => void) | undefined;
  children: ReactNode;
}

export function PointButton({ value, onPress, children }: PointButtonProps) {
  if (onPress === undefined || value === null || value === 0) return children;
  return (
    <button type="button" className={css['point']} onClick={onPress}>
      {children}
    </button>
  );
}
