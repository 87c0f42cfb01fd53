/** A field with suggestions under it: arrows move through them, Enter takes one, and the field keeps the focus. */
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { headingClass, optionClass } from '#views/kit/Popover.tsx';
import { inGroups, useOptions } from '#views/kit/use-options.ts';
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
  /** Message in place of or under the suggestions. */
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
  const { label, placeholder, typed, note, status, field, error, onType, onChoose, onEnter, onErase } = props;
  const { maxLength = 1000 } = props;
  const id = useId();
  const groups = inGroups(props.options);
  const options = groups.flatMap(({ items }) => items);
  // The first match is most likely the wanted one.
  const keys = useOptions({ count: options.length, initial: typed === '' ? -1 : 0, onKey });

  function onKey(event: KeyboardEvent, place: number): boolean {
    const current = options[place];
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      if (current === undefined) onEnter?.();
      else take(current.key);
      return true;
    }
    if (event.key !== 'Backspace' || typed !== '' || onErase === undefined) return false;
    onErase();
    return true;
  }

  function take(key: string): void {
    keys.reset();
    onChoose(key);
  }

  return (
    <div className={css['combobox']}>
      <input
        {...keys.field}
        role="combobox"
        aria-expanded={options.length > 0}
        ref={field}
        className={classNames('input', css['field'])}
        aria-label={label}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        placeholder={placeholder}
        // Limit of a condition's value.
        maxLength={maxLength}
        autoCapitalize="none"
        value={typed}
        onChange={({ target }) => {
          keys.reset();
          onType(target.value);
        }}
      />
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={css['error']}>
          {error}
        </p>
      )}
      <div {...keys.list} role="listbox" aria-label={label} className={css['list']}>
        {groups.map(({ group, from, items }) => (
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
                {...keys.optionAt(from + index)}
                role="option"
                aria-selected={option.isChosen ?? from + index === keys.place}
                className={classNames(css['option'], optionClass(from + index === keys.place))}
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
