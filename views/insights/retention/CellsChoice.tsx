/** Choice of the values in retention cells. */

import { Segmented } from '#views/kit/Segmented.tsx';
import { retentionWords } from '#views/words/retention.ts';
import { usePart } from '#views/words/words.tsx';
import { useCountedGroups } from '../CountedRow.tsx';
import type { AnswerProps } from '../kind-view.ts';

export function CellsChoice({ insight, hrefOf }: AnswerProps<'retention'>) {
  const own = usePart(retentionWords);
  const groups = useCountedGroups(insight.own.per);
  const { cells: chosen = 'cohort', ...others } = insight.display;
  return (
    <Segmented
      label={own.show}
      segments={(['cohort', 'previous', 'people'] as const).map((cells) => ({
        key: cells,
        label: cells === 'people' ? (groups ?? own.cells.people) : own.cells[cells],
        href: hrefOf({ ...insight, display: cells === 'cohort' ? others : { ...others, cells } }),
        current: cells === chosen,
      }))}
    />
  );
}
