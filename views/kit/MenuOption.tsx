/** A row of a menu, which closes it. */
import type { ReactNode } from 'react';
import { optionClass } from './Popover.tsx';

interface MenuOptionProps {
  run(): unknown;
  pressed?: boolean | undefined;
  children: ReactNode;
}

export function MenuOption({ run, pressed, children }: MenuOptionProps) {
  return (
    <li>
      <button
        type="button"
        className={optionClass(pressed)}
        aria-pressed={pressed}
        onClick={(event) => {
          event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
          run();
        }}
      >
        {children}
      </button>
    </li>
  );
}
