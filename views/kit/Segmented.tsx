/** Two to five choices that redraw the same thing. Links, since the choice is in the address; arrow keys move between them. */
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Link } from './Link.tsx';
import { moveFocus } from './move-focus.ts';
import css from './Segmented.module.css';

export interface Segment {
  key: string;
  label: string;
  /** Drawn instead of the label, which then is its name. */
  icon?: ReactNode;
  href: string;
  current: boolean;
}

export function Segmented({
  label,
  segments,
  className,
}: {
  label: string;
  segments: Segment[];
  className?: string | undefined;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, and these are links
    <div
      role="group"
      aria-label={label}
      className={classNames(css['segmented'], className)}
      onKeyDown={(event) => moveFocus(event, 'a', 'horizontal')}
    >
      {segments.map(({ key, label: text, icon, href, current }) => (
        <Link
          key={key}
          href={href}
          aria-current={current ? 'true' : undefined}
          aria-label={icon ? text : undefined}
          title={icon ? text : undefined}
        >
          {icon ?? text}
        </Link>
      ))}
    </div>
  );
}
