/** A list of options to choose one from: the browser's own, with our arrow. Its look (`input`, or a field's) is the `className`. */
import type { SelectHTMLAttributes } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './Icon.tsx';
import css from './Select.module.css';

/** Options are its children. */
export function Select({ className, children, ...select }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className={css['box']}>
      <select {...select} className={classNames(className, css['select'])}>
        {children}
      </select>
      <Icon name="down" small />
    </span>
  );
}
