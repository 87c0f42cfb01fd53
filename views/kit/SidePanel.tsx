/**
 * What stands beside the page, which stays as it is and can be used: on wide screens at the right edge, on a phone a sheet from the bottom. Focus
 * goes in when it is opened by hand, and back when it is closed; Esc closes it. Without JavaScript its link does, where an address has it open.
 */
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { Boundary } from '#views/boundary.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { explainLinkWords } from '#views/words/explain-link.ts';
import { usePart } from '#views/words/words.tsx';
import css from './SidePanel.module.css';

export type SidePanelProps = { label: string; children: ReactNode } & (
  | {
      /** The address of the page without it. */
      closeHref: string;
    }
  | {
      /** Of one that no address has open. */
      onClose(): void;
    }
);

export function SidePanel({ label, children, ...closing }: SidePanelProps) {
  const text = usePart(explainLinkWords);
  const { navigate } = useNavigate();
  const onEscape = useEffectEvent(() => {
    if ('onClose' in closing) closing.onClose();
    else navigate(closing.closeHref);
  });
  const panel = useRef<HTMLDialogElement>(null);

  // A layout effect, so that the focus goes back while it is still in the page.
  useLayoutEffect(() => {
    const element = panel.current;
    const opener = document.activeElement;
    // A page that came with it open is read from its beginning.
    if (opener !== document.body) element?.focus();
    return () => {
      if (opener instanceof HTMLElement && element?.contains(document.activeElement)) opener.focus();
    };
  }, []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // Popovers above it close first.
      const isCovered = document.querySelector(':popover-open, dialog:modal') !== null;
      if (event.key === 'Escape' && !event.defaultPrevented && !isCovered) onEscape();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <dialog ref={panel} open aria-label={label} tabIndex={-1} className={css['side']}>
      {'onClose' in closing ? (
        <button type="button" onClick={closing.onClose} className={`${css['close']} no-print`} aria-label={text.close}>
          <Icon name="x" />
        </button>
      ) : (
        <Link href={closing.closeHref} ahead={false} className={`${css['close']} no-print`} aria-label={text.close}>
          <Icon name="x" />
        </Link>
      )}
      <div className={css['body']}>
        <Boundary fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
          <Late fallback={<BarTableSkeleton rows={4} />}>{children}</Late>
        </Boundary>
      </div>
    </dialog>
  );
}
