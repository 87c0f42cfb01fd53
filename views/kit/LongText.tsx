/** A captured text of any length: long ones scroll in their own box, also by keyboard. */
import { classNames } from './class-names.ts';
import css from './LongText.module.css';

const LONG = 400;

/** @param label what it is, for a screen reader */
export function LongText({ label, text, code = false }: { label: string; text: string; code?: boolean }) {
  const shown = code ? <code className={classNames('mono', css['code'])}>{text}</code> : text;
  if (text.length <= LONG) return shown;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section className={css['long']} tabIndex={0} aria-label={label}>
      {shown}
    </section>
  );
}
