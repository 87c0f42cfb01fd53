/** Caveats of numbers, as sentences. */
import type { Caveat } from '#src/insights/contract.ts';
import { caveatWords } from '#views/words/caveats.ts';
import { usePart } from '#views/words/words.tsx';

export interface CaveatsProps {
  of: readonly Caveat[];
}

export function Caveats({ of }: CaveatsProps) {
  return sentencesOf(of, usePart(caveatWords)).join(' ');
}

export function sentencesOf(of: readonly Caveat[], { noEnds, ...each }: (typeof caveatWords)['en']): string[] {
  const ends: readonly Caveat[] = of.filter((caveat) => caveat !== 'visitorDays');
  const single = of.filter((caveat) => ends.length < 2 || !ends.includes(caveat)).map((caveat) => each[caveat]);
  return ends.length < 2 ? single : [...single, noEnds];
}
