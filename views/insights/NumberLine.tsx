/** A whole number of a query, with what it is about beside it. What cannot be is not asked; the field says so. */
import { type ReactNode, useId, useState } from 'react';
import css from './Query.module.css';

export interface NumberFieldProps {
  /** For readers, where nothing beside it says it. */
  label?: string;
  id?: string;
  value: number;
  min: number;
  max: number;
  onChange(value: number): void;
}

export function NumberField({ label, id, value, min, max, onChange }: NumberFieldProps) {
  /** Null: the value stands there as it is. */
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && !isWhole(typed, min, max);
  return (
    <input
      id={id}
      type="number"
      inputMode="numeric"
      className={css['number']}
      aria-label={label}
      aria-invalid={isWrong || undefined}
      min={min}
      max={max}
      value={typed ?? String(value)}
      onChange={({ target }) => {
        setTyped(target.value);
        if (isWhole(target.value, min, max)) onChange(Number(target.value));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

function isWhole(text: string, min: number, max: number): boolean {
  const number = Number(text);
  return text.trim() !== '' && Number.isInteger(number) && number >= min && number <= max;
}

export function NumberLine({ label, children, ...field }: NumberFieldProps & { label: string; children?: ReactNode }) {
  const id = useId();
  return (
    <div className={css['option']}>
      <label htmlFor={id}>{label}</label>
      <span>
        <NumberField id={id} {...field} />
        {children}
      </span>
    </div>
  );
}

interface SwitchLineProps {
  label: string;
  /** For readers, where the label alone does not say of what. */
  name?: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
}

/** A yes or no of a query. */
export function SwitchLine({ label, name, isOn, onChange }: SwitchLineProps) {
  return (
    <label className={css['switch']}>
      <input type="checkbox" aria-label={name} checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  );
}
