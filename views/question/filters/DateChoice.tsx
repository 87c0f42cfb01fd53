/**
 * Date, and optionally time, of a condition; values that such fields cannot show are edited as text. For an incomplete
 * date the browser reports only its validity.
 */
import { useId, useState } from 'react';
import { Field } from '#views/kit/Field.tsx';
import { filterFormWords } from '#views/words/filter-form.ts';
import { usePart } from '#views/words/words.tsx';
import { DateInput } from '../DateInput.tsx';
import comboboxCss from './Combobox.module.css';
import { dateAndTime, saysWhere, useIsText, useTimeStep, withDate, withTime } from './date-field.ts';
import css from './FilterEditor.module.css';

export interface DateChoiceProps {
  value: string;
  /** In a form that finds its fields by their names: that of the date, and with ` time` after it that of the time. */
  name?: string;
  /** There is no date, and it is needed. */
  isMissing: boolean;
  onChange(value: string): void;
}

export function DateChoice({ value, name, isMissing, onChange }: DateChoiceProps) {
  const text = usePart(filterFormWords);
  const id = useId();
  const [half, setHalf] = useState<'needsDate' | 'needsTime' | null>(null);
  const isWritten = useIsText(value);
  const [date, time] = dateAndTime(value);
  const step = useTimeStep(value);
  const isHere = !saysWhere(value);
  const wrong = half ?? (isMissing ? 'needsDate' : null);
  /** Accessible error description of the invalid field. */
  const described = (isWrong: boolean) => ({
    'aria-invalid': isWrong ? (true as const) : undefined,
    'aria-describedby': isWrong ? `${id}-error` : isHere ? `${id}-hint` : undefined,
  });

  function change(next: string): void {
    setHalf(null);
    onChange(next);
  }

  return (
    <div data-value="" className={css['value']}>
      {isWritten ? (
        <Field label={text.value}>
          {({ id: field }) => (
            <input
              id={field}
              type="text"
              name={name}
              className="input"
              {...described(wrong !== null)}
              value={value}
              onChange={({ target }) => change(target.value)}
            />
          )}
        </Field>
      ) : (
        <div className={css['dates']}>
          <Field label={text.date}>
            {({ id: field }) => (
              <DateInput
                id={field}
                name={name}
                {...described(wrong === 'needsDate')}
                value={date}
                onInvalid={() => setHalf('needsDate')}
                onChange={(next) => change(withDate(value, next))}
              />
            )}
          </Field>
          <Field label={text.time}>
            {({ id: field }) => (
              <input
                id={field}
                type="time"
                name={name && `${name} time`}
                step={step}
                className="input"
                {...described(wrong === 'needsTime')}
                value={time}
                onInvalid={() => setHalf('needsTime')}
                onChange={({ target }) => change(withTime(value, target.value))}
              />
            )}
          </Field>
        </div>
      )}
      {wrong !== null && (
        <p id={`${id}-error`} role="alert" className={comboboxCss['error']}>
          {text[wrong]}
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
