/** The text of a button with an icon. On a phone the icon stands alone, and screen readers have the text. */
import type { ReactNode } from 'react';
import css from './WideLabel.module.css';

export function WideLabel({ children }: { children: ReactNode }) {
  return <span className={css['label']}>{children}</span>;
}
