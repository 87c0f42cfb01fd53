/** A link to be passed on: the whole of it in a field that cannot be changed, and a button that copies it. */
import { CopyButton } from './CodeBlock.tsx';
import css from './CopyLink.module.css';

export interface CopyLinkProps {
  /** What the link is: names the field for screen readers. */
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
