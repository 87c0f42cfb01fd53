/** Two dates as a form: both included, checked before they are taken. Without JavaScript it leads to the same address. */
import { type FormEvent, useId, useState } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { dateWords } from '#views/words/dates.ts';
import { usePart } from '#views/words/words.tsx';
import css from './CustomRange.module.css';
import type { Dates } from './dates.ts';

export interface TwoDatesProps {
  path: string;
  /** Names of the two in the address. */
  names: readonly [from: string, to: string];
  dates: Dates | null;
  /** The latest that can be chosen. */
  latest: string;
  /** The address without the two: what it holds stays. */
  kept: string;
  addressFor(dates: Dates): string;
}

export function TwoDates({ path, names, dates, latest, kept, addressFor }: TwoDatesProps) {
  const text = usePart(dateWords);
  const { navigate } = useNavigation();
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const read = (name: string): string => (form.elements.namedItem(name) as HTMLInputElement).value;
    const [from, to] = [read(names[0]), read(names[1])];
    const wrong = from === '' || to === '' ? text.incomplete : from > to ? text.backwards : null;
    setProblem(wrong);
    if (wrong !== null) return;
    form.closest<HTMLElement>('[popover]')?.hidePopover();
    navigate(addressFor({ from, to }));
  };

  return (
    <form method="get" action={path} onSubmit={onSubmit} key={JSON.stringify(dates)}>
      {[...new URL(kept, 'http://x').searchParams].map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <div className={css['dates']}>
        {names.map((name, at) => (
          <label key={name} className={css['label']}>
            {at === 0 ? text.from : text.to}
            <input
              type="date"
              name={name}
              required
              min="1970-01-01"
              max={latest}
              defaultValue={at === 0 ? dates?.from : dates?.to}
              className="input"
              aria-describedby={`${id}-problem`}
              // Arrows change the date here; in the list around it they would move on.
              onKeyDown={(event) => event.stopPropagation()}
            />
          </label>
        ))}
      </div>
      <p id={`${id}-problem`} role={problem ? 'alert' : undefined} className={css['error']}>
        {problem}
      </p>
      <div className={css['end']}>
        <Button type="submit" kind="primary" small>
          {text.apply}
        </Button>
      </div>
    </form>
  );
}
