/** Scrolls content that is wider than its place, also by keyboard. */
import type { ReactNode } from 'react';
import css from './Answer.module.css';

export function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it from here
    <section className={css['scroll']} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
