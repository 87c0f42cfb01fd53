/** The date that a property is compared with, or the time that an address brought. */
import { useId } from 'react';
import { filterWords } from '#views/words/filters.ts';
import { usePart } from '#views/words/words.tsx';
import comboboxCss from './Combobox.module.css';
import { saysWhere, useDateType } from './date-field.ts';
import css from './FilterEditor.module.css';

export interface DateChoiceProps {
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

export function DateChoice({ value, error, onChange }: DateChoiceProps) {
  const text = usePart(filterWords);
  const id = useId();
  const type = useDateType(value);
  const isHere = !saysWhere(value);
  return (
    <div data-value="" className={css['value']}>
      <input
        type={type}
        className="input"
        aria-label={text.value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error !== undefined ? `${id}-error` : isHere ? `${id}-hint` : undefined}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={comboboxCss['error']}>
          {error}
        </p>
      )}
      {isHere && (
        <p id={`${id}-hint`} className={comboboxCss['note']}>
          {text.dateHint}
        </p>
      )}
    </div>
  );
}
