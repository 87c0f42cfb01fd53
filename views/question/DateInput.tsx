/** A date, typed in the language's format, or chosen in a calendar. Unreadable text is shown as an error. */
import { type InputHTMLAttributes, useEffect, useRef, useState } from 'react';
import { useProjects } from '#views/frame/queries.ts';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Popover } from '#views/kit/Popover.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { dateWords } from '#views/words/dates.ts';
import { usePart } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { Calendar } from './Calendar.tsx';
import css from './DateInput.module.css';
import { isDate } from './question.ts';
import { readDay, writtenDay } from './typed-range.ts';

export interface DateInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type'> {
  /** `YYYY-MM-DD`, or '' for none. */
  value: string;
  onChange(date: string): void;
}

/** Later than any date that someone asks about. */
const LAST_DATE = '2999-12-31';

export function DateInput({ value, onChange, className, ...input }: DateInputProps) {
  const text = usePart(dateWords);
  const project = useProjects()?.current;
  const today = dateIn(useServerTime(), project?.timeZone ?? 'UTC');
  /** Null: the date stands there as it is written. */
  const [typed, setTyped] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const isUnread = typed !== null && typed.trim() !== '' && readDay(typed, text.order) === null;

  useEffect(() => field.current?.setCustomValidity(isUnread ? text.unread : ''), [isUnread, text]);

  return (
    <span className={css['date']}>
      <input
        {...input}
        ref={field}
        type="text"
        className={classNames('input', className)}
        placeholder={text.placeholder}
        autoComplete="off"
        value={typed ?? (isDate(value) ? writtenDay(value, text.order) : value)}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(readDay(target.value, text.order) ?? '');
        }}
        onBlur={() => !isUnread && setTyped(null)}
      />
      <Popover
        align="end"
        label={text.calendar}
        triggerClass={css['open']}
        className={css['calendar']}
        trigger={
          <>
            <Icon name="calendar" />
            <span className="visually-hidden">{text.calendar}</span>
          </>
        }
        onOpen={() => setTurn((last) => last + 1)}
      >
        {turn > 0 && (
          <Calendar
            key={turn}
            chosen={isDate(value) ? { from: value, to: value } : null}
            latest={LAST_DATE}
            now={{ today, weekStart: project?.weekStart ?? 1 }}
            onChoose={(date) => {
              setTyped(null);
              onChange(date);
              // It gives the focus back.
              field.current?.parentElement?.querySelector<HTMLElement>('[popover]')?.hidePopover();
            }}
          />
        )}
      </Popover>
    </span>
  );
}
