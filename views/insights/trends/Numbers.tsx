/** The totals of the chosen rows as large numbers. */
import { valueText } from '#views/charts/values.ts';
import { Change } from '#views/kit/Change.tsx';
import { useWords } from '#views/words/words.tsx';
import { Headline, Headlines } from '../Headlines.tsx';
import type { PartProps } from './part-props.ts';

export function Numbers({ drawn, labelOf, dates }: PartProps) {
  const { format } = useWords();
  return (
    <Headlines label={dates}>
      {drawn.map((row) => (
        <Headline key={row.key} label={labelOf(row)} value={valueText(row.total, row.kind, format)}>
          <Change value={row.total} before={row.previous} kind={row.kind} good="up" />
        </Headline>
      ))}
    </Headlines>
  );
}
