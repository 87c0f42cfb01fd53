/** The date that a property is compared with, and if it matters the time; what such fields cannot show is changed as it was written. */
import { useId } from 'react';
import { Field } from '#views/kit/Field.tsx';
import { filterFormWords } from '#views/words/filter-form.ts';
import { usePart } from '#views/words/words.tsx';
import comboboxCss from './Combobox.module.css';
import { dateAndTime, saysWhere, useDateType, useTimeStep, withDate, withTime } from './date-field.ts';
import css from './FilterEditor.module.css';

export interface DateChoiceProps {
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

export function DateChoice({ value, error, onChange }: DateChoiceProps) {
  const text = usePart(filterFormWords);
  const id = useId();
  const isWritten = useDateType(value) === 'text';
  const [date, time] = dateAndTime(value);
  const step = useTimeStep(value);
  const isHere = !saysWhere(value);
  const described = {
    'aria-invalid': error === undefined ? undefined : (true as const),
    'aria-describedby': error !== undefined ? `${id}-error` : isHere ? `${id}-hint` : undefined,
  };
  return (
    <div data-value="" className={css['value']}>
      {isWritten ? (
        <input
          type="text"
          className="input"
          aria-label={text.value}
          {...described}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <div className={css['dates']}>
          <Field label={text.date}>
            {({ id: field }) => (
              <input
                id={field}
                type="date"
                className="input"
                {...described}
                value={date}
                onChange={({ target }) => onChange(withDate(value, target.value))}
              />
            )}
          </Field>
          <Field label={text.time}>
            {({ id: field }) => (
              <input
                id={field}
                type="time"
                step={step}
                className="input"
                {...described}
                value={time}
                onChange={({ target }) => onChange(withTime(value, target.value))}
              />
            )}
          </Field>
        </div>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={comboboxCss['error']}>
          {error}
        </p>
      )}
      {isHere && (
        <p id={`${id}-hint`} className={comboboxCss['note']}>
          {time === '' ? text.dateHint : text.timeHint}
        </p>
      )}
    </div>
  );
}
