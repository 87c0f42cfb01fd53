/** Saved insights of a group: those about it, and others with this group as a filter. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { insightsOf } from '#views/frame/addresses.ts';
import { DataTable, RowLink } from '#views/kit/DataTable.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useTrpc } from '#views/trpc.ts';
import { groupWords } from '#views/words/groups.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart } from '#views/words/words.tsx';
import { GroupSection } from './GroupSection.tsx';
import { insightOfGroup } from './group-insight.ts';
import { type GroupPartProps, insightsQuery } from './group-queries.ts';

export function GroupInsights(props: GroupPartProps) {
  const text = usePart(groupWords);
  return (
    <GroupSection title={text.insights} note={text.insightsText} of={`${props.asked.type} ${props.asked.key}`}>
      <InsightRows {...props} />
    </GroupSection>
  );
}

function InsightRows({ asked, subject }: GroupPartProps) {
  const text = usePart(groupWords);
  const { kinds } = usePart(savedInsightWords);
  const { data } = useSuspenseQuery(useTrpc().insights.saved.ofGroup.queryOptions(insightsQuery(asked)));
  const all = (
    <Link className="link" href={insightsOf(asked.project)}>
      {text.allInsights}
    </Link>
  );
  if (data.length === 0) {
    return (
      <p className="dim">
        {text.noInsights} {all}
      </p>
    );
  }
  return (
    <>
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
      <p>{all}</p>
    </>
  );
}
