/** A section of a settings screen: what it is about on one side, its controls on the other. */
import { type ReactNode, useId } from 'react';
import css from './Section.module.css';

export interface SectionProps {
  title: ReactNode;
  text?: ReactNode;
  children: ReactNode;
}

export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section className={css['section']} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {text && <p className={css['text']}>{text}</p>}
      </div>
      <div className={css['controls']}>{children}</div>
    </section>
  );
}

/** Buttons beside each other. */
export function Buttons({ children }: { children: ReactNode }) {
  return <div className={css['buttons']}>{children}</div>;
}
