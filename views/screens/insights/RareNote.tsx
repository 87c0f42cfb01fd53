/** Said beside numbers for which rows were read, since a filter is about a property that hardly any event has. */
import type { Overview } from '#src/insights/contract.ts';
import { trafficWords } from '#views/words/traffic.ts';
import { usePart } from '#views/words/words.tsx';

export function RareNote({ of: { rare } }: { of: Pick<Overview, 'rare'> }) {
  const text = usePart(trafficWords);
  return rare.length === 0 ? null : <p className="dim">{text.rare(rare.join(', '))}</p>;
}
