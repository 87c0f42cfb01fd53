/** A link to share: a read-only field, and a copy button. */
import { CopyButton } from './CodeBlock.tsx';
import css from './CopyLink.module.css';

export interface CopyLinkProps {
  /** Accessible name of the field. */
  label: string;
  link: string;
  /** On the button, when "Copy" does not say enough. */
  copy?: string;
  /** Takes the focus when it appears, so that the keyboard goes on from there. */
  autoFocus?: boolean;
}

export function CopyLink({ label, link, copy, autoFocus = false }: CopyLinkProps) {
  return (
    <div className={`${css['row']} ph-no-capture`}>
      <input
        className={`${css['link']} mono`}
        readOnly
        value={link}
        aria-label={label}
        ref={autoFocus ? focusOnce : undefined}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={link} {...(copy === undefined ? {} : { label: copy })} />
    </div>
  );
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}
