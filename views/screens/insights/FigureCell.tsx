/** A rate, a time or a count of a row; a rate says on hover what was divided. */

import type { Figure, FigureValue } from '#src/insights/kinds/breakdown/values.ts';
import { missing } from '#views/words/format.ts';
import { useWords } from '#views/words/words.tsx';

const times: readonly Figure[] = ['timeOnPage', 'duration'];
const counts: readonly Figure[] = ['conversions', 'converted'];

export function FigureCell({ figure, value: { value, parts } }: { figure: Figure; value: FigureValue }) {
  const { words, format } = useWords();
  if (value === null) return missing;
  if (times.includes(figure)) return <span>{format.duration(value)}</span>;
  if (counts.includes(figure)) return format.number(value);
  const hint = parts && words.metrics.of(format.number(parts.numerator), format.number(parts.denominator));
  return <span title={hint}>{format.percent(value)}</span>;
}
