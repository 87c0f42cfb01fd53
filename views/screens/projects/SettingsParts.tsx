/** Pieces of the settings screen: a section with its words beside it, a switch, a list that is typed line by line. */
import { type ReactNode, useId } from 'react';
import {
  type ListSetting,
  listNames,
  listSettings,
  type SwitchSetting,
  switchNames,
  switchSettings,
} from '#src/projects/values.ts';
import { Field, type TextFieldProps } from '#views/kit/Field.tsx';
import { settingsWords } from '#views/words/settings.ts';
import { usePart } from '#views/words/words.tsx';
import css from './settings.module.css';
import type { Draft, FieldErrors, FieldName, Values } from './settings-form.ts';

/** Props of each tab. */
export interface Editing {
  values: Values;
  /** Changed fields that are not saved. */
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

interface FieldsProps {
  section: (typeof switchSettings)[SwitchSetting]['section'] | (typeof listSettings)[ListSetting]['section'];
  editing: Editing;
}

/** The settings of a section that are on or off. */
export function Switches({ section, editing: { values, set } }: FieldsProps) {
  const { switches } = usePart(settingsWords);
  return (
    <div className={css['switches']}>
      {switchNames
        .filter((name) => switchSettings[name].section === section)
        .map((name) => (
          <Switch key={name} {...switches[name]} name={name} checked={values[name]} onChange={(on) => set(name, on)} />
        ))}
    </div>
  );
}

/** The lists of a section. */
export function Lists({ section, editing: { values, fieldErrors, set } }: FieldsProps) {
  const { lists } = usePart(settingsWords);
  return listNames
    .filter((name) => listSettings[name].section === section)
    .map((name) => (
      <ListField
        key={name}
        label={lists[name].label}
        hint={lists[name].hint}
        error={fieldErrors[name]}
        name={name}
        value={values[name]}
        onChange={(text) => set(name, text)}
      />
    ));
}

export interface SwitchProps {
  label: string;
  hint: string;
  name: string;
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
}

export function Switch({ label, hint, name, checked, disabled, onChange }: SwitchProps) {
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
        disabled={disabled}
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
