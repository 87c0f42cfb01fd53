/** Pieces of the settings screen: a section with its words beside it, a switch, a list that is typed line by line. */
import { type ReactNode, useId } from 'react';
import { Field, type TextFieldProps } from '#views/kit/Field.tsx';
import css from './settings.module.css';
import type { Draft, FieldErrors, FieldName, Values } from './settings-form.ts';

/** What each tab gets. */
export interface Editing {
  values: Values;
  /** What is changed and not saved. */
  draft: Draft;
  fieldErrors: FieldErrors;
  set<Name extends FieldName>(name: Name, value: Values[Name]): void;
}

export function Section({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={css['section']} aria-labelledby={id}>
      <div className={css['about']}>
        <h2 id={id}>{title}</h2>
        {text !== undefined && <p>{text}</p>}
      </div>
      <div className={css['fields']}>{children}</div>
    </section>
  );
}

export interface SwitchProps {
  label: string;
  hint: string;
  name: FieldName;
  checked: boolean;
  onChange(checked: boolean): void;
}

export function Switch({ label, hint, name, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={css['switchRow']}>
      <label htmlFor={id}>
        {label}
        <small id={`${id}-hint`}>{hint}</small>
      </label>
      <input
        id={id}
        name={name}
        type="checkbox"
        role="switch"
        className={css['switch']}
        aria-describedby={`${id}-hint`}
        checked={checked}
        aria-checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
    </div>
  );
}

export interface ListFieldProps extends Pick<TextFieldProps, 'label' | 'hint' | 'error'> {
  name: FieldName;
  value: string;
  onChange(value: string): void;
}

export function ListField({ name, value, onChange, ...field }: ListFieldProps) {
  const lines = value.split('\n').length;
  return (
    <Field {...field}>
      {(names) => (
        <textarea
          {...names}
          name={name}
          className={`${css['list']} mono`}
          rows={Math.min(Math.max(lines, 2), 8)}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </Field>
  );
}
