/** Saved insights of a group: those about it, and others with this group as a filter. */
import { useQuery } from '@tanstack/react-query';
import { insightsOf } from '#views/frame/addresses.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { DataTable, RowLink } from '#views/kit/DataTable.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useTrpc } from '#views/trpc.ts';
import { groupWords } from '#views/words/groups.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Groups.module.css';
import { insightOfGroup } from './group-insight.ts';
import { type GroupPartProps, insightsQuery } from './group-queries.ts';

export function GroupInsights({ asked, subject }: GroupPartProps) {
  const text = usePart(groupWords);
  const { kinds } = usePart(savedInsightWords);
  const { data } = useQuery(useTrpc().insights.saved.ofGroup.queryOptions(insightsQuery(asked)));
  return (
    <section aria-label={text.insights}>
      <h2>{text.insights}</h2>
      <p className={css['note']}>{text.insightsText}</p>
      {data === undefined ? (
        <BarTableSkeleton rows={4} />
      ) : data.length === 0 ? (
        <p className="dim">
          {text.noInsights}{' '}
          <Link className="link" href={insightsOf(asked.project)}>
            {text.allInsights}
          </Link>
        </p>
      ) : (
        <DataTable
          caption={text.insights}
          columns={[
            { key: 'insight', head: text.insight },
            { key: 'kind', head: text.kind, wideOnly: true },
          ]}
          rows={data.map((saved) => ({
            key: String(saved.id),
            leads: true,
            cells: {
              insight: (
                <RowLink href={insightOfGroup(saved, asked, subject)} className="clip">
                  {saved.name}
                </RowLink>
              ),
              kind: kinds[saved.kind],
            },
          }))}
        />
      )}
    </section>
  );
}
