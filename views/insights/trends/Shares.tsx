/** The totals of the chosen rows as slices of their sum; the table below says the same. */
import { PieChart } from '#views/charts/PieChart.tsx';
import { valueText } from '#views/charts/values.ts';
import { useWords } from '#views/words/words.tsx';
import type { PartProps } from './part-props.ts';
import { chartKind } from './rows.ts';

export function Shares({ insight, drawn, labelOf, dates }: PartProps) {
  const { format } = useWords();
  const kind = chartKind(drawn, insight.display);
  return (
    <PieChart
      name={dates}
      slices={drawn.map((row) => ({ key: row.key, label: labelOf(row), value: Math.max(0, row.total ?? 0) }))}
      textOf={(value) => valueText(value, kind, format)}
    />
  );
}
