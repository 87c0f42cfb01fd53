/** A number behind which people can be shown. */
import type { ReactNode } from 'react';
import css from './Answer.module.css';

export function PointButton({ onPress, children }: { onPress: (() => void) | undefined; children: ReactNode }) {
  if (onPress === undefined) return children;
  return (
    <button type="button" className={css['point']} onClick={onPress}>
      {children}
    </button>
  );
}
