/** Names of retention columns. */
import type { RetentionResult } from '#src/insights/kinds/retention/contract.ts';
import type { Interval } from '#src/insights/query/contract.ts';
import { retentionWords } from '#views/words/retention.ts';
import { usePart, useWords } from '#views/words/words.tsx';

export function useColumnName(period: Interval): (column: RetentionResult['columns'][number]) => string {
  const own = usePart(retentionWords);
  const { format } = useWords();
  return ({ from, to }) =>
    from === to
      ? own.later[period](format.number(from))
      : own.laterRange[period](format.number(from), format.number(to));
}
