/** Names of retention columns. */
import type { RetentionResult } from '#src/insights/kinds/retention/contract.ts';
import type { Interval } from '#src/insights/query/contract.ts';
import type { Format } from '#views/words/format.ts';
import { retentionWords } from '#views/words/retention.ts';
import { usePart, useWords } from '#views/words/words.tsx';

type ColumnName = (column: RetentionResult['columns'][number]) => string;

export function useColumnName(period: Interval): ColumnName {
  return columnNameBy(period, usePart(retentionWords), useWords().format);
}

export function columnNameBy(period: Interval, own: (typeof retentionWords)['en'], format: Format): ColumnName {
  return ({ from, to }) =>
    from === to
      ? own.later[period](format.number(from))
      : own.laterRange[period](format.number(from), format.number(to));
}
