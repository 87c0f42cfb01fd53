/**
 * A field of a form with suggestions that open under it: any part of one finds it, arrows move through them, Enter takes one. Anything else can be
 * typed as well, and what is right is for the form to say.
 */
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { searchable } from '#src/kit/search/values.ts';
import css from './ComboboxField.module.css';
import { classNames } from './class-names.ts';
import fieldCss from './Field.module.css';
import { Field } from './Field.tsx';
import { optionClass } from './Popover.tsx';
import { useOptions } from './use-options.ts';

export interface ComboboxFieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  name: string;
  value: string;
  /** In the order in which they are offered. */
  options: readonly string[];
  /** Beside an option that is shown. */
  asideOf?: (option: string) => ReactNode;
  /** Nothing but an option makes sense, so Enter takes the first that is found. */
  strict?: boolean;
  /** Names of data. */
  mono?: boolean;
  maxLength?: number | undefined;
  required?: boolean;
  onChange(value: string): void;
}

/** Maximum number of shown options. */
const MAX_SHOWN = 50;

export function ComboboxField({ label, hint, error, ...combobox }: ComboboxFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(names) => <ComboboxInput {...combobox} names={names} />}
    </Field>
  );
}

export interface ComboboxInputProps extends Omit<ComboboxFieldProps, 'label' | 'hint' | 'error'> {
  /** Ids of the label and description. */
  names: {
    id?: string;
    'aria-label'?: string;
    'aria-describedby'?: string | undefined;
    'aria-invalid'?: true | undefined;
  };
}

/** The same without a label. */
export function ComboboxInput(props: ComboboxInputProps) {
  const { names, name, value, options, asideOf, strict = false, mono = false, maxLength, required, onChange } = props;
  const [isOpen, setIsOpen] = useState(false);
  /** Until something is typed, all are offered: another can be chosen. */
  const [isTyped, setIsTyped] = useState(false);
  const part = isTyped ? folded(value) : '';
  const shown = isOpen ? options.filter((option) => folded(option).includes(part)).slice(0, MAX_SHOWN) : [];
  const isWhole = value === '' || options.includes(value);
  const keys = useOptions({ count: shown.length, initial: strict && isTyped && !isWhole ? 0 : -1, onKey });

  function onKey(event: KeyboardEvent, place: number): boolean {
    const option = shown[place];
    if (event.key === 'Enter' && option !== undefined && !event.ctrlKey && !event.metaKey) {
      take(option);
      return true;
    }
    if (event.key !== 'Escape' || shown.length === 0) return false;
    // Keeps the surrounding popover open.
    event.stopPropagation();
    setIsOpen(false);
    return true;
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (isArrow && !isOpen) open();
    // A list around it is not what arrows move through here.
    if (isArrow) event.stopPropagation();
    keys.field.onKeyDown(event);
  }

  function open(): void {
    keys.reset();
    setIsTyped(false);
    setIsOpen(true);
  }

  function take(option: string): void {
    setIsOpen(false);
    setIsTyped(false);
    keys.reset();
    onChange(option);
  }

  return (
    <div className={css['combobox']}>
      <input
        {...keys.field}
        {...names}
        type="text"
        role="combobox"
        aria-expanded={shown.length > 0}
        name={name}
        required={required}
        maxLength={maxLength}
        autoCapitalize="none"
        className={classNames(fieldCss['control'], mono && 'mono')}
        value={value}
        onChange={({ target }) => {
          keys.reset();
          setIsTyped(true);
          setIsOpen(true);
          onChange(target.value);
        }}
        onClick={() => !isOpen && open()}
        onBlur={() => setIsOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        {...keys.list}
        role="listbox"
        aria-label={names['aria-label'] ?? name}
        className={css['list']}
        hidden={shown.length === 0}
      >
        {shown.map((option, place) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={option}
            {...keys.optionAt(place)}
            role="option"
            aria-selected={place === keys.place}
            className={classNames(css['option'], optionClass(place === keys.place))}
            onClick={() => take(option)}
          >
            <span className={classNames('clip', mono && 'mono')}>{option}</span>
            {asideOf && <span className={classNames(css['aside'], 'num')}>{asideOf(option)}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Without accents, case and the signs between words. */
function folded(text: string): string {
  return searchable(text).replace(/[\s_/-]+/g, ' ');
}
