/** Notes about events that lack a property of the answer. */
import type { PropertyCoverage } from '#src/insights/query/contract.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';

export function useCoverageNotes(coverage: readonly PropertyCoverage[]): string[] {
  const own = usePart(insightWords);
  const { format } = useWords();
  return coverage
    .filter(({ without }) => without > 0)
    .map(({ name, events, without }) =>
      own.without(name, format.percent(without / events), without, format.number(without)),
    );
}
