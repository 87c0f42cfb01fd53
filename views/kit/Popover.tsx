/**
 * A button and what opens under it: the browser's own popover, so it works without JavaScript, closes with Esc and a press
 * outside, and gives focus back. On a phone it is a sheet from the bottom.
 */
import { type ReactNode, type ToggleEvent, useEffect, useId, useRef } from 'react';
import { classNames } from './class-names.ts';
import { moveFocus } from './move-focus.ts';
import css from './Popover.module.css';

export interface PopoverBoxProps {
  /** The `popoverTarget` of the buttons that open it. */
  id: string;
  /** Accessible name of the content. */
  label: string;
  /** The edge aligned with its button. */
  align?: 'start' | 'end';
  /** Above the button instead of below. */
  above?: boolean;
  className?: string | undefined;
  /** Lets arrow keys move between the links and buttons in it. */
  list?: boolean;
  onOpen?: () => void;
  children: ReactNode;
}

/** The popup, for separate buttons; `Popover` includes a button. */
export function PopoverBox({ id, label, align = 'start', above, className, list, onOpen, children }: PopoverBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const hasOpened = useRef(false);

  // The browser opens it before this code is there, too.
  useEffect(() => {
    if (hasOpened.current || !box.current?.matches(':popover-open')) return;
    hasOpened.current = true;
    onOpen?.();
    focusIn(box.current);
  }, [onOpen]);

  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState !== 'open') return;
    hasOpened.current = true;
    onOpen?.();
    focusIn(event.currentTarget);
  };

  return (
    <div
      ref={box}
      id={id}
      popover="auto"
      role="dialog"
      aria-label={label}
      className={classNames(css['box'], css[align], above && css['above'], className)}
      onToggle={onToggle}
      onKeyDown={list ? (event) => moveFocus(event, 'a, button', 'vertical') : undefined}
      onClick={(event) => {
        // A choice has been made: the link goes where it goes, and the popover is done.
        if ((event.target as Element).closest('a')) box.current?.hidePopover();
      }}
    >
      {children}
    </div>
  );
}

/** Moves the focus to what is chosen or looked for, unless it is inside already. */
function focusIn(box: HTMLElement): void {
  if (box.contains(document.activeElement)) return;
  const chosen = box.querySelector<HTMLElement>('[type=search], [aria-current], [aria-pressed=true]');
  (chosen ?? box.querySelector<HTMLElement>('a, button, input'))?.focus();
}

export interface PopoverProps extends Omit<PopoverBoxProps, 'id'> {
  trigger: ReactNode;
  triggerClass?: string | undefined;
  /** Presses the button from anywhere (views/frame/key-listener.ts). */
  hotkey?: string;
}

export function Popover({ trigger, triggerClass, hotkey, ...box }: PopoverProps) {
  const id = useId();
  return (
    <span className={css['around']}>
      <button
        type="button"
        popoverTarget={id}
        className={classNames(css['trigger'], triggerClass)}
        data-hotkey={hotkey}
      >
        {trigger}
      </button>
      <PopoverBox id={id} {...box} />
    </span>
  );
}

/** A row of a popover's list. */
export function optionClass(current = false): string | undefined {
  return classNames(css['option'], current && css['current']);
}

/** The small label of a group of rows. No heading: a popover has none above it. */
export const headingClass = css['heading'];

/** Rows under a label. */
export function OptionGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-labelledby={id} className={css['group']}>
      <p id={id} className={css['heading']}>
        {title}
      </p>
      {children}
    </div>
  );
}
