/** What makes numbers others than they seem, in a sentence each. */
import type { Caveat } from '#src/insights/contract.ts';
import { caveatWords } from '#views/words/caveats.ts';
import { usePart } from '#views/words/words.tsx';

export interface CaveatsProps {
  of: readonly Caveat[];
}

export function Caveats({ of }: CaveatsProps) {
  const text = usePart(caveatWords);
  return of.map((caveat) => <p key={caveat}>{text[caveat]}</p>);
}
