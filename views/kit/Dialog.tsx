/** A modal window over the page: the browser holds the focus in it and gives it back; Esc and a press beside it close it. */
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import css from './Dialog.module.css';

export interface DialogProps {
  label: string;
  className?: string | undefined;
  onClose(): void;
  children: ReactNode;
}

export function Dialog({ label, className, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect, so that it closes while it is still in the page: only then does the focus go back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way out is Esc
    <dialog
      ref={dialog}
      aria-label={label}
      className={classNames(css['dialog'], className)}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
    >
      <div className={css['inside']}>{children}</div>
    </dialog>
  );
}
