/**
 * Any other period: typed in words, or as two dates. Without JavaScript the dates are a plain form that leads to the same
 * address.
 */
import { type FormEvent, useId, useState } from 'react';
import type { RangeInput } from '#src/insights/contract.ts';
import { useNavigation } from '#views/navigation.tsx';
import { dateWords } from '#views/words/dates.ts';
import { usePart } from '#views/words/words.tsx';
import css from './CustomRange.module.css';
import type { Dates, Today } from './dates.ts';
import { addressOf, type Question } from './question.ts';
import { TwoDates } from './TwoDates.tsx';
import { readTyped } from './typed-range.ts';

export interface CustomRangeProps {
  path: string;
  question: Question;
  dates: Dates | null;
  now: Today;
  addressFor(range: RangeInput): string;
}

export function CustomRange(props: CustomRangeProps) {
  return (
    <div className={css['custom']}>
      <Typed {...props} />
      <TwoDates
        path={props.path}
        names={['from', 'to']}
        dates={props.dates}
        latest={props.dates && props.dates.to > props.now.today ? props.dates.to : props.now.today}
        kept={addressOf(props.path, { ...props.question, range: 'last_28_days', interval: null })}
        addressFor={props.addressFor}
      />
    </div>
  );
}

function Typed({ now, addressFor }: CustomRangeProps) {
  const text = usePart(dateWords);
  const { navigate } = useNavigation();
  const [wrong, setWrong] = useState(false);
  const id = useId();

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const field = form.elements.namedItem('typed') as HTMLInputElement;
    const range = readTyped(field.value, now);
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
