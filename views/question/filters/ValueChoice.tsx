/** Value of a condition: chosen from values of the period, or typed. */
import { useRef } from 'react';
import type { FilterOperator } from '#src/columns/filters/operators.ts';
import { takesOf } from '#src/columns/filters/operators.ts';
import type { RangeInput } from '#src/insights/contract.ts';
import { searchable } from '#src/kit/search/values.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { filterFormWords } from '#views/words/filter-form.ts';
import { filterWords } from '#views/words/filters.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Combobox, type Option } from './Combobox.tsx';
import css from './FilterEditor.module.css';
import { useReading } from './reading.ts';
import { useValues } from './use-suggestions.ts';
import { type PropertyRef, sentValue, shownValue } from './wording.ts';

export interface ValueChoiceProps {
  project: string;
  range: RangeInput;
  named: PropertyRef;
  operator: FilterOperator;
  values: readonly string[];
  typed: string;
  /** One value, typed. */
  isSingle: boolean;
  /** True when values of the period are offered. */
  isOffered: boolean;
  /** True when all values are listed. */
  isListed: boolean;
  isOpen: boolean;
  error: string | undefined;
  onType(typed: string): void;
  onValues(values: string[]): void;
  onDone(): void;
}

const MAX_SHOWN = 100;
const TYPED = 'typed ';

export function ValueChoice(props: ValueChoiceProps) {
  const { project, range, named, operator, values, typed, isSingle, isOffered, isListed, isOpen, error } = props;
  const { onType, onValues, onDone } = props;
  const { format } = useWords();
  const text = usePart(filterFormWords);
  const filterText = usePart(filterWords);
  const reading = useReading();
  const field = useRef<HTMLInputElement>(null);
  const isAsked = isOffered && isListed && isOpen;
  const { values: known, isLooking, hasFailed } = useValues(project, range, isAsked ? named : null, typed);

  const part = searchable(typed);
  const rows = (known?.rows ?? [])
    .map(([value, count]) => ({ value, count, shown: shownValue(named, value, filterText, reading) }))
    .filter(({ value, shown }) => searchable(`${value}\n${shown}`).includes(part))
    .slice(0, MAX_SHOWN);
  const options: Option[] = rows.map(({ value, count, shown }) => ({
    key: value,
    content: <span suppressHydrationWarning>{shown}</span>,
    aside: format.number(count),
    isChosen: values.includes(value),
  }));
  if (!isSingle && typed !== '' && rows.every(({ value }) => value !== typed)) {
    options.push({ key: TYPED, content: text.asTyped(typed) });
  }
  const note = !isOffered
    ? null
    : !isListed
      ? text.notListed
      : hasFailed && known === null
        ? text.notRead
        : known === null || (isLooking && rows.length === 0)
          ? text.loading
          : rows.length === 0
            ? text.noValue
            : `${known.more ? `${text.more} ` : ''}${text.counts[known.of]}`;

  const toggle = (key: string) => {
    const value = key === TYPED ? sentValue(named, typed) : key;
    onValues(values.includes(value) ? values.filter((each) => each !== value) : [...values, value]);
    field.current?.focus();
  };

  return (
    <div data-value="" className={css['value']}>
      {values.length > 0 && (
        <ul className={css['values']} aria-label={text.values}>
          {values.map((value) => {
            const shown = shownValue(named, value, filterText, reading);
            return (
              <li key={value} className={css['one']}>
                <span className="clip">{shown}</span>
                <button
                  type="button"
                  className={css['off']}
                  aria-label={text.removeValue(shown)}
                  onClick={() => toggle(value)}
                >
                  <Icon name="x" small />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <Combobox
        label={text.value}
        placeholder={takesOf(operator) === 'pattern' ? text.patternHint : isOffered && isListed ? text.findValue : ''}
        typed={typed}
        options={isSingle ? [] : options}
        note={note}
        status={known === null ? '' : text.found(rows.length, `${format.number(rows.length)}`)}
        field={field}
        error={error}
        onType={onType}
        onChoose={toggle}
        onEnter={onDone}
        onErase={() => onValues(values.slice(0, -1))}
      />
    </div>
  );
}
