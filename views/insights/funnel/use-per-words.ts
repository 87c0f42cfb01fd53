/** Words for what a funnel counts: people, visits, or the groups of a type. */
import { type GroupSubject, isGroupSubject } from '#src/columns/values.ts';
import { countedGroupWords } from '#views/words/counted-groups.ts';
import { funnelWords } from '#views/words/funnel.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { useGroupNames } from '../use-group-measure.ts';

export interface PerWords {
  name: string;
  converted: string;
  everyone: string;
  /** A note on few of them; on the fewest of several rows. */
  few(n: number): string;
  fewest(n: number): string;
}

export function usePerWords(per: 'persons' | 'visits' | GroupSubject): PerWords {
  const own = usePart(funnelWords);
  const shared = usePart(insightWords);
  const groups = usePart(countedGroupWords);
  const nameOf = useGroupNames();
  const { format } = useWords();
  if (!isGroupSubject(per)) {
    return {
      name: own.pers[per],
      converted: own.converted[per],
      everyone: own.everyone[per],
      few: (n) => shared.few[per](n, format.number(n)),
      fewest: (n) => shared.fewest[per](n, format.number(n)),
    };
  }
  const plural = nameOf(per);
  const few = (n: number) => groups.few(format.number(n), plural);
  return { name: plural, converted: groups.converted(plural), everyone: groups.everyone(plural), few, fewest: few };
}
