/** Tabs: an ink underline under the chosen one. As links when the choice is in the address, else as buttons with a panel. */
import type { ReactNode } from 'react';
import { Link } from './Link.tsx';
import { moveFocus } from './move-focus.ts';
import css from './Tabs.module.css';

export interface LinkTab {
  key: string;
  label: ReactNode;
  href: string;
  current: boolean;
}

/** A row of links, one of them current. `back`: going back leads to the tab before. */
export function LinkTabs({ label, tabs, back = false }: { label: string; tabs: LinkTab[]; back?: boolean }) {
  return (
    <nav aria-label={label} className={css['tabs']} onKeyDown={(event) => moveFocus(event, 'a', 'horizontal')}>
      {tabs.map(({ key, label: text, href, current }) => (
        <Link key={key} href={href} replace={!back} aria-current={current ? 'true' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}

export interface PanelTab<Key extends string> {
  key: Key;
  label: ReactNode;
}

/** Tabs of a panel that stands right after them. `id` joins the two. */
export function PanelTabs<Key extends string>(props: {
  id: string;
  label: string;
  tabs: PanelTab<Key>[];
  current: Key;
  onChoose(key: Key): void;
}) {
  const { id, label, tabs, current, onChoose } = props;
  return (
    <div
      role="tablist"
      aria-label={label}
      className={css['tabs']}
      onKeyDown={(event) => moveFocus(event, '[role=tab]', 'horizontal')?.click()}
    >
      {tabs.map(({ key, label: text }) => (
        <button
          key={key}
          type="button"
          role="tab"
          id={`${id}-tab-${key}`}
          aria-controls={`${id}-panel`}
          aria-selected={key === current}
          tabIndex={key === current ? 0 : -1}
          onClick={() => onChoose(key)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** The panel of `PanelTabs`. */
export function TabPanel({ id, current, children }: { id: string; current: string; children: ReactNode }) {
  return (
    <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${current}`}>
      {children}
    </div>
  );
}
