/** A value of a table as people read it. */
import type { BreakdownDimension } from '#src/insights/contract.ts';
import { CutText } from '#views/kit/BarTable.tsx';
import { tableWords } from '#views/words/tables.ts';
import { isNothing, valueText } from '#views/words/value-text.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './BreakdownValue.module.css';

export interface BreakdownValueProps {
  dimension: BreakdownDimension;
  value: string;
  /** Of a page, where there are several hosts. */
  host?: string | undefined;
}

export function BreakdownValue({ dimension, value, host = '' }: BreakdownValueProps) {
  const { words, format } = useWords();
  const own = usePart(tableWords);
  if (isNothing(dimension, value)) {
    return <span className="dim">{`${host} ${own.tables[dimension].none}`.trim()}</span>;
  }
  const text = valueText(dimension, value, { own, format, locale: words.writing.locale });
  if (dimension === 'event') return <span className="mono clip">{text}</span>;
  if (dimension === 'country' || dimension === 'language') {
    return (
      <span className="clip">
        <span className={css['code']}>{value}</span>{' '}
        {/* Names come from the browser's own tables, which may be newer than the server's. */}
        <span suppressHydrationWarning>{text}</span>
      </span>
    );
  }
  return <CutText text={host + text} />;
}
