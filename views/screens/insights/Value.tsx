/** A value of a table as people read it: names of countries and languages, classes of widths in words, everything else as it was sent. */
import type { BreakdownDimension } from '#src/insights/contract.ts';
import { CutText } from '#views/kit/BarTable.tsx';
import type { Format } from '#views/words/format.ts';
import { type TableWords, tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Value.module.css';

export interface ValueProps {
  dimension: BreakdownDimension;
  value: string;
}

export function Value({ dimension, value }: ValueProps) {
  const { words, format } = useWords();
  const own = usePart(tableWords);
  if (isNothing(dimension, value)) return <span className="dim">{own.tables[dimension].none}</span>;
  const text = valueText(dimension, value, { own, format, locale: words.writing.locale });
  if (dimension === 'event') return <span className="mono clip">{text}</span>;
  if (dimension === 'country' || dimension === 'language') {
    return (
      <span className={css['named']}>
        <span className={css['code']}>{value}</span>
        {/* Names come from the browser's own tables, which may be newer than the server's. */}
        <span className="clip" suppressHydrationWarning>
          {text}
        </span>
      </span>
    );
  }
  return <CutText text={text} />;
}

/** Who reads. */
export interface Reading {
  own: TableWords;
  format: Format;
  locale: string;
}

/** The value in words: what is searched in, too. */
export function valueText(dimension: BreakdownDimension, value: string, { own, format, locale }: Reading): string {
  if (isNothing(dimension, value)) return own.tables[dimension].none;
  switch (dimension) {
    case 'country':
      return /^[A-Z]{2}$/.test(value) ? format.country(value) : value;
    case 'language':
      return languageName(value, locale);
    case 'channel':
      return own.channels[value] ?? value;
    case 'deviceType':
      return own.devices[value] ?? value;
    case 'screenSize':
      return own.widths[value] ?? value;
    case 'outbound':
      return value.replace(/^https?:\/\//, '').replace(/\/$/, '');
    default:
      return value;
  }
}

function isNothing(dimension: BreakdownDimension, value: string): boolean {
  // Clients write `$direct` where there is no referrer.
  return value === '' || (dimension === 'referringDomain' && value === '$direct');
}

const names = new Map<string, Intl.DisplayNames>();

/** The tag itself where nobody knows it. */
function languageName(tag: string, locale: string): string {
  let known = names.get(locale);
  if (known === undefined) {
    known = new Intl.DisplayNames(locale, { type: 'language' });
    names.set(locale, known);
  }
  try {
    return known.of(tag) ?? tag;
  } catch {
    return tag; // what a client sent is not always a tag
  }
}
