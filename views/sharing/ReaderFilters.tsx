/** The filters that readers of a link may change. A form, since the page runs no script. */
import { dimensionOf, NOT_SET, nameOfFilter } from '#src/sharing/filters/values.ts';
import type { ShareFilter } from '#src/sharing/values.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { SelectField } from '#views/kit/Field.tsx';
import { sharedPageWords } from '#views/words/shared-page.ts';
import { tableWords } from '#views/words/tables.ts';
import { valueText } from '#views/words/value-text.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './SharedPage.module.css';

/** A filter with its values, the most frequent first. */
export interface ReaderChoice {
  field: ShareFilter;
  /** Null: all. */
  value: string | null;
  values: readonly string[];
}

interface ReaderFiltersProps {
  choices: readonly ReaderChoice[];
  path: string;
  /** The page in its range, without filters of the reader. */
  href: string;
}

export function ReaderFilters({ choices, path, href }: ReaderFiltersProps) {
  const own = usePart(sharedPageWords);
  const tables = usePart(tableWords);
  const { words, format } = useWords();
  const reading = { own: tables, format, locale: words.writing.locale };
  const kept = new URLSearchParams(href.split('?')[1] ?? '');
  return (
    <form method="get" action={path} className={css['filters']} aria-label={own.filters}>
      {[...kept].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {choices.map(({ field, value, values }) => (
        <SelectField
          key={field}
          label={tables.tables[dimensionOf(field)].value}
          name={nameOfFilter(field)}
          defaultValue={value === '' ? NOT_SET : (value ?? '')}
        >
          <option value="">{own.all}</option>
          {values.map((text) => (
            <option key={text} value={text === '' ? NOT_SET : text}>
              {valueText(dimensionOf(field), text, reading)}
            </option>
          ))}
        </SelectField>
      ))}
      <Button type="submit">{own.apply}</Button>
      {choices.some(({ value }) => value !== null) && (
        <ButtonLink kind="quiet" href={href}>
          {own.clear}
        </ButtonLink>
      )}
    </form>
  );
}

/** What the reader chose, as it goes on in addresses. */
export function chosenFilters(choices: readonly ReaderChoice[]): string {
  const chosen = choices.flatMap(({ field, value }) =>
    value === null ? [] : [`&${nameOfFilter(field)}=${encodeURIComponent(value === '' ? NOT_SET : value)}`],
  );
  return chosen.join('');
}
