/** A notice inside the page: a left rule, a sentence, perhaps a link. */
import type { ReactNode } from 'react';
import css from './Callout.module.css';
import { classNames } from './class-names.ts';
import { Icon } from './Icon.tsx';

export function Callout({ tone, children }: { tone: 'warn' | 'neg'; children: ReactNode }) {
  return (
    <div className={classNames(css['callout'], css[tone])}>
      <Icon name="error" />
      <div>{children}</div>
    </div>
  );
}
