/** Two dates chosen in a calendar, both included: the first press is one end, the second the other. */
import { useState } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { dateWords } from '#views/words/dates.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Calendar.module.css';
import { Calendar } from './Calendar.tsx';
import type { Dates, Today } from './dates.ts';
import { datesText } from './range-text.ts';

export interface CalendarDatesProps {
  /** The dates in force; null: none that are known. */
  dates: Dates | null;
  /** The latest that can be chosen. */
  latest: string;
  now: Today;
  onApply(dates: Dates): void;
}

export function CalendarDates({ dates, latest, now, onApply }: CalendarDatesProps) {
  const text = usePart(dateWords);
  const { format } = useWords();
  const [chosen, setChosen] = useState(dates);
  const [isHalf, setIsHalf] = useState(false);

  function choose(date: string): void {
    const isSecond = isHalf && chosen !== null;
    setIsHalf(!isSecond);
    if (!isSecond) setChosen({ from: date, to: date });
    else setChosen(date < chosen.from ? { from: date, to: chosen.from } : { from: chosen.from, to: date });
  }

  return (
    <div>
      <Calendar chosen={chosen} latest={latest} now={now} onChoose={choose} />
      <div className={css['end']}>
        <span role="status" className="num dim">
          {chosen !== null && datesText(chosen, now, format)}
          {isHalf && ` ${text.chooseEnd}`}
        </span>
        {chosen !== null && (
          <Button
            kind="primary"
            small
            onClick={({ currentTarget }) => {
              currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
              onApply(chosen);
            }}
          >
            {text.apply}
          </Button>
        )}
      </div>
    </div>
  );
}
