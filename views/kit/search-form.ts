/** A form of filters: asked by submitting it, and at once by a select in it. Without scripts it is an ordinary GET form. */
import type { FormEvent } from 'react';

export interface SearchForm {
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  /** Of selects. */
  onChange(event: { target: HTMLSelectElement }): void;
}

/** @param ask called with the fields as the form would send them */
export function searchForm(ask: (fields: URLSearchParams) => void): SearchForm {
  const read = (form: HTMLFormElement): void => {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) fields.append(name, String(value));
    ask(fields);
  };
  return {
    onSubmit(event) {
      event.preventDefault();
      read(event.currentTarget);
    },
    onChange({ target }) {
      if (target.form) read(target.form);
    },
  };
}
