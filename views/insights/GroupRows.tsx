/** Groups behind a number as rows. Everything in it was captured, so everything is text. */
import type { PointGroup } from '#src/profiles/groups/contract.ts';
import { groupOf } from '#views/frame/addresses.ts';
import { DataTable, RowLink } from '#views/kit/DataTable.tsx';
import { countedGroupWords } from '#views/words/counted-groups.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { useCountedGroups } from './CountedRow.tsx';
import type { Insight } from './insight.ts';
import css from './PeoplePanel.module.css';
import type { Point } from './points.ts';

interface GroupRowsProps {
  reference: string;
  groups: readonly PointGroup[];
}

export function GroupRows({ reference, groups }: GroupRowsProps) {
  const own = usePart(countedGroupWords);
  const { format } = useWords();
  return (
    <DataTable
      caption={own.list}
      className={css['people']}
      columns={[
        { key: 'group', head: own.name },
        { key: 'events', head: own.events, isFigure: true },
      ]}
      rows={groups.map(({ type, key, label, times }) => ({
        key,
        leads: true,
        cells: {
          group: (
            <span className={css['who']}>
              <RowLink href={groupOf(reference, type, key)} className="clip">
                {label ?? key}
              </RowLink>
              {label !== null && <span className={`${css['below']} clip`}>{key}</span>}
            </span>
          ),
          events: format.number(times),
        },
      }))}
    />
  );
}

/** What the groups are called that a number counts; null: it counts people. */
export function useGroupsAt(insight: Insight, point: Point): string | null {
  const { own } = insight;
  const series = insight.kind === 'trends' && point.kind === 'trends' ? insight.own.series[point.series] : undefined;
  const measured = typeof series?.measure === 'string' ? series.measure : undefined;
  return useCountedGroups('per' in own ? own.per : (series?.per ?? measured));
}
