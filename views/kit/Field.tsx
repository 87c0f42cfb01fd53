/**
 * Form fields: label above, hint below, and an error in place of the hint. The control has an accessible name
 * and description; `name` also maps a server's error to its field.
 */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { classNames } from './class-names.ts';
import css from './Field.module.css';
import { Icon } from './Icon.tsx';
import { Select } from './Select.tsx';

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Error message, shown instead of the hint. */
  error?: ReactNode;
  /** At the right end of the label: a link that belongs to the field. */
  aside?: ReactNode;
}

interface ControlNames {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export function Field({
  label,
  hint,
  error,
  aside,
  children,
}: FieldProps & { children(names: ControlNames): ReactNode }) {
  const id = useId();
  const below = error ?? hint;
  return (
    <div className={css['field']}>
      <div className={css['top']}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children({
        id,
        'aria-describedby': below === undefined ? undefined : `${id}-below`,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {below !== undefined && (
        <p id={`${id}-below`} className={error === undefined ? css['hint'] : css['error']}>
          {error !== undefined && <Icon name="error" small />}
          <span>{below}</span>
        </p>
      )}
    </div>
  );
}

export type TextFieldProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'id'>;

export function TextField({ label, hint, error, aside, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(names) => <input type="text" {...input} {...names} className={classNames(css['control'], className)} />}
    </Field>
  );
}

export type TextAreaFieldProps = FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'>;

export function TextAreaField({ label, hint, error, aside, className, ...area }: TextAreaFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(names) => <textarea {...area} {...names} className={classNames(css['control'], className)} />}
    </Field>
  );
}

export type SelectFieldProps = FieldProps & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id'>;

/** Options are its children. */
export function SelectField({ label, hint, error, aside, className, children, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(names) => (
        <Select {...select} {...names} className={classNames(css['control'], className)}>
          {children}
        </Select>
      )}
    </Field>
  );
}

export type CheckFieldProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'type'>;

export function CheckField({ label, hint, error, ...input }: CheckFieldProps) {
  const id = useId();
  const below = error ?? hint;
  return (
    <div className={css['check']}>
      <input
        {...input}
        type="checkbox"
        id={id}
        aria-describedby={below === undefined ? undefined : `${id}-below`}
        aria-invalid={error === undefined ? undefined : true}
      />
      <label htmlFor={id}>{label}</label>
      {below !== undefined && (
        <p id={`${id}-below`} className={error === undefined ? css['hint'] : css['error']}>
          {below}
        </p>
      )}
    </div>
  );
}

/** An error that belongs to the whole form; announced when it appears. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={css['formError']}>
      {children && (
        <p className={css['error']}>
          <Icon name="error" small />
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}
