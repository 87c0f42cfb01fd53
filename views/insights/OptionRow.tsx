/** A choice of a query: what it is about on the left, what is chosen on the right. */
import { type ReactNode, useId } from 'react';
import { Select } from '#views/kit/Select.tsx';
import css from './Query.module.css';

export interface OptionRowProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; text: string }[];
  onChange(value: Value): void;
}

export function OptionRow<Value extends string>({ label, value, options, onChange }: OptionRowProps<Value>) {
  const id = useId();
  return (
    <div className={css['option']}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        className={css['select']}
        value={value}
        onChange={({ target }) => onChange(target.value as Value)}
      >
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.text}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** The same with something else to choose with. */
export function OptionLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={css['option']}>
      <span aria-hidden="true">{label}</span>
      {children}
    </div>
  );
}

/** A part of the query under a heading. */
export function QueryPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css['part']} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
