/** Any other period: typed in words, or chosen in a calendar. */
import { type FormEvent, useId, useState } from 'react';
import type { RangeInput } from '#src/insights/contract.ts';
import { useNavigate } from '#views/navigation.tsx';
import { dateWords } from '#views/words/dates.ts';
import { usePart } from '#views/words/words.tsx';
import { CalendarDates } from './CalendarDates.tsx';
import css from './CustomRange.module.css';
import { type Dates, presetOf, type Today } from './dates.ts';
import { AroundNotes } from './notes/AroundNotes.tsx';
import type { Around } from './notes/around.ts';
import { readTyped } from './typed-range.ts';

export interface CustomRangeProps {
  dates: Dates | null;
  now: Today;
  addressFor(range: RangeInput): string;
  /** Days after an annotation, compared with those before it. */
  addressAround(around: Around): string;
}

export function CustomRange(props: CustomRangeProps) {
  const { dates, now, addressFor, addressAround } = props;
  const { navigate } = useNavigate();
  return (
    <div className={css['custom']}>
      <Typed {...props} />
      <CalendarDates
        key={JSON.stringify(dates)}
        dates={dates}
        latest={dates && dates.to > now.today ? dates.to : now.today}
        now={now}
        onApply={(chosen) => navigate(addressFor(presetOf(chosen, now) ?? chosen))}
      />
      <AroundNotes now={now} addressAround={addressAround} />
    </div>
  );
}

function Typed({ now, addressFor }: Pick<CustomRangeProps, 'now' | 'addressFor'>) {
  const text = usePart(dateWords);
  const { navigate } = useNavigate();
  const [wrong, setWrong] = useState(false);
  const id = useId();

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const field = form.elements.namedItem('typed') as HTMLInputElement;
    const range = readTyped(field.value, now, text.order);
    setWrong(range === null);
    if (range === null) return field.focus();
    form.reset();
    form.closest<HTMLElement>('[popover]')?.hidePopover();
    navigate(addressFor(range));
  };

  return (
    <form data-own="" className="script-only" onSubmit={onSubmit}>
      <label htmlFor={id} className={css['label']}>
        {text.typed}
      </label>
      <input
        id={id}
        name="typed"
        autoComplete="off"
        className="input"
        aria-invalid={wrong || undefined}
        aria-describedby={`${id}-hint`}
        onChange={() => setWrong(false)}
      />
      <p id={`${id}-hint`} role={wrong ? 'alert' : undefined} className={wrong ? css['error'] : css['hint']}>
        {wrong ? text.typedError : text.typedHint}
      </p>
    </form>
  );
}
