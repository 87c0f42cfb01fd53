/** A field with suggestions under it: arrows move through them, Enter takes one, and the field keeps the focus. */
import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { headingClass, optionClass } from '#views/kit/Popover.tsx';
import css from './Combobox.module.css';

export interface Option {
  key: string;
  group?: string;
  content: ReactNode;
  aside?: ReactNode;
  isChosen?: boolean;
}

export interface ComboboxProps {
  label: string;
  placeholder?: string;
  typed: string;
  options: readonly Option[];
  /** Said in place of suggestions, or under them. */
  note?: string | null;
  /** How many there are, for those who do not see them. */
  status: string;
  field: Ref<HTMLInputElement>;
  error?: string | undefined;
  maxLength?: number;
  onType(typed: string): void;
  onChoose(key: string): void;
  /** Enter without a suggestion, and Backspace in an empty field. */
  onEnter?(): void;
  onErase?(): void;
}

export function Combobox(props: ComboboxProps) {
  const { label, placeholder, typed, options, note, status, field, error, onType, onChoose, onEnter, onErase } = props;
  const { maxLength = 1000 } = props;
  const [at, setAt] = useState<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  // What was typed is most likely the first of what was found.
  const place = Math.min(at ?? (typed === '' ? -1 : 0), options.length - 1);
  const current = options[place];

  function move(to: number): void {
    const next = (to + options.length) % Math.max(options.length, 1);
    setAt(next);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(place + 1);
    else if (event.key === 'ArrowUp') move(place < 0 ? options.length - 1 : place - 1);
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      if (current === undefined) onEnter?.();
      else take(current.key);
    } else if (event.key === 'Backspace' && typed === '' && onErase) onErase();
    else return;
    event.preventDefault();
  };

  function take(key: string): void {
    setAt(null);
    onChoose(key);
  }

  return (
    <div className={css['combobox']}>
      <input
        ref={field}
        role="combobox"
        className={classNames('input', css['field'])}
        aria-label={label}
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={current && `${id}-${place}`}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        placeholder={placeholder}
        // As much as a condition holds.
        maxLength={maxLength}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setAt(null);
          onType(target.value);
        }}
        onKeyDown={onKeyDown}
      />
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={css['error']}>
          {error}
        </p>
      )}
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} tabIndex={-1} className={css['list']}>
        {grouped(options).map(({ group, from, items }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options
          <div key={group} role="group" aria-label={group || label}>
            {group !== '' && (
              <p className={headingClass} aria-hidden="true">
                {group}
              </p>
            )}
            {items.map((option, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
              <div
                key={option.key}
                id={`${id}-${from + index}`}
                role="option"
                aria-selected={option.isChosen ?? from + index === place}
                className={classNames(css['option'], optionClass(from + index === place))}
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => setAt(from + index)}
                onClick={() => take(option.key)}
              >
                <span className="clip">{option.content}</span>
                {option.aside !== undefined && <span className={classNames(css['aside'], 'num')}>{option.aside}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {note && <p className={css['note']}>{note}</p>}
      <p role="status" className="visually-hidden">
        {status}
      </p>
    </div>
  );
}

/** Groups in the order of their options, each with the place of its first. */
function grouped(options: readonly Option[]): { group: string; from: number; items: Option[] }[] {
  const groups: { group: string; from: number; items: Option[] }[] = [];
  options.forEach((option, place) => {
    const last = groups.at(-1);
    if (last !== undefined && last.group === (option.group ?? '')) last.items.push(option);
    else groups.push({ group: option.group ?? '', from: place, items: [option] });
  });
  return groups;
}
