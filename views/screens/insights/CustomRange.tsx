/**
 * Any other period: typed in words, or as two dates. Without JavaScript the dates are a plain form that leads to the same
 * address.
 */
import { type FormEvent, useId, useState } from 'react';
import type { RangeInput } from '#src/insights/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { useWords } from '#views/words/words.tsx';
import css from './CustomRange.module.css';
import type { Dates, Today } from './dates.ts';
import { addressOf, type Question } from './question.ts';
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
      <TwoDates {...props} />
    </div>
  );
}

function Typed({ now, addressFor }: CustomRangeProps) {
  const { words } = useWords();
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
    <form className="script-only" onSubmit={onSubmit}>
      <label htmlFor={id} className={css['label']}>
        {words.range.typed}
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
        {wrong ? words.range.typedError : words.range.typedHint}
      </p>
    </form>
  );
}

function TwoDates({ path, question, dates, now, addressFor }: CustomRangeProps) {
  const { words } = useWords();
  const { navigate } = useNavigation();
  const [problem, setProblem] = useState<string | null>(null);
  const kept = new URL(addressOf(path, { ...question, range: 'last_28_days', interval: null }), 'http://x')
    .searchParams;
  const id = useId();

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const read = (name: string): string => (form.elements.namedItem(name) as HTMLInputElement).value;
    const [from, to] = [read('from'), read('to')];
    const wrong = from === '' || to === '' ? words.range.incomplete : from > to ? words.range.backwards : null;
    setProblem(wrong);
    if (wrong !== null) return;
    form.closest<HTMLElement>('[popover]')?.hidePopover();
    navigate(addressFor({ from, to }));
  };

  return (
    <form method="get" action={path} onSubmit={onSubmit} key={JSON.stringify(dates)}>
      {[...kept].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className={css['dates']}>
        <label className={css['label']}>
          {words.range.from}
          <input
            type="date"
            name="from"
            required
            min="1970-01-01"
            max={now.today}
            defaultValue={dates?.from}
            className="input"
            aria-describedby={`${id}-problem`}
          />
        </label>
        <label className={css['label']}>
          {words.range.to}
          <input
            type="date"
            name="to"
            required
            min="1970-01-01"
            max={dates && dates.to > now.today ? dates.to : now.today}
            defaultValue={dates?.to}
            className="input"
            aria-describedby={`${id}-problem`}
          />
        </label>
      </div>
      <p id={`${id}-problem`} role={problem ? 'alert' : undefined} className={css['error']}>
        {problem}
      </p>
      <div className={css['end']}>
        <Button type="submit" kind="primary" small>
          {words.range.apply}
        </Button>
      </div>
    </form>
  );
}
